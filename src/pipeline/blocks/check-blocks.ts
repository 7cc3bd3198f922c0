import type { Planner } from '../../plan/index.ts';
import type { CheckedResult, CheckFindings } from '../check/check-records.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import { plannerFor } from '../prepare/prepare-records.ts';
import { errorOf } from '../reader/thrown.ts';
import { PLANNED } from '../summary/plan.ts';
import type { CheckedBlock } from './block-job.ts';
import type { MapBlock } from './block-messages.ts';
import { dealBlocks } from './deal-blocks.ts';
import { mergeNotes } from './merge-notes.ts';

/** The results of a check whose blocks are mapped elsewhere. */
export interface BlocksCheck {
  /** The results in source order; to be called once. */
  results(): AsyncGenerator<CheckedResult[]>;
  /** The findings in the blocks so far. */
  findings(): CheckFindings;
}

export interface BlocksOptions {
  /** Number of records to show. */
  readonly show: number;
  readonly blockBytes: number;
}

/** Checks the only file of `inputs`, whose header was read and whose rows were not. */
export function checkBlocks(
  inputs: ImportInputs,
  options: PrepareOptions,
  mappers: readonly MapBlock<CheckedBlock>[],
  { show, blockBytes }: BlocksOptions,
): BlocksCheck {
  const planner = plannerFor(inputs, options);
  const notes = mergeNotes(inputs, options, show);
  return {
    async *results() {
      for await (const { batch, notes: found, failed } of dealBlocks(inputs, mappers, notes, blockBytes)) {
        const first = notes.records;
        notes.add(found);
        options.onPrepared(found.records);
        yield resultsOf(batch, planner, first);
        if (failed) throw errorOf(failed);
      }
      notes.warn();
    },
    findings: notes.findings,
  };
}

/** The results of the records of a block, in order. `first`: the number of its first record. */
function resultsOf({ creates, others }: CheckedBlock, planner: Planner, first: number): CheckedResult[] {
  const results: CheckedResult[] = [];
  const count = creates.length / 2 + others.length;
  let create = 0;
  let other = 0;
  for (let at = 0; at < count; at++) {
    const given = others[other];
    const seq = first + at;
    if (given?.[0] === at) {
      other++;
      const [, { settled, plan }, claim] = given;
      results.push(duplicateOf(planner, claim, seq, settled.key) ?? { settled: { ...settled, seq }, plan });
      continue;
    }
    const row = creates[create] as number;
    const key = creates[create + 1] as string;
    create += 2;
    results.push(
      duplicateOf(planner, { key, row, by: 'valid' }, seq, key) ?? {
        settled: { seq, row, key, outcome: PLANNED },
        plan: { row, key, action: 'create', fields: [] },
      },
    );
  }
  return results;
}

/** The result of a record whose key an earlier one has; undefined for any other. */
function duplicateOf(
  planner: Planner,
  claim: Parameters<Planner['claim']>[0],
  seq: number,
  key: string,
): CheckedResult | undefined {
  const outcome = planner.claim(claim);
  const { row } = claim;
  if (!outcome) return undefined;
  return {
    settled: { seq, row, key, outcome },
    plan: { row, key, action: outcome.outcome, id: outcome.id, fields: [] },
  };
}
