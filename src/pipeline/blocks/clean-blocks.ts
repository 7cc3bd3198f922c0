import type { Outcome } from '../../model/index.ts';
import type { KeyClaim, Planner } from '../../plan/index.ts';
import { createChanges } from '../cleaning/changes.ts';
import { type CleanedBatch, cleaningPlanner, type RecordCleaning } from '../cleaning/clean-records.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import { errorOf } from '../reader/thrown.ts';
import type { MapBlock } from './block-messages.ts';
import type { BlocksOptions } from './check-blocks.ts';
import type { CleanedBlock } from './clean-block.ts';
import { dealBlocks } from './deal-blocks.ts';
import { mergeNotes } from './merge-notes.ts';

/** As `cleanRecords`, for a file whose blocks are mapped elsewhere. Only its header was read. */
export function cleanBlocks(
  inputs: ImportInputs,
  options: PrepareOptions,
  mappers: readonly MapBlock<CleanedBlock>[],
  { show, blockBytes }: BlocksOptions,
): RecordCleaning {
  const planner = cleaningPlanner(inputs, options);
  const notes = mergeNotes(inputs, options, show);
  const changes = createChanges();
  /** Blocks in order. Those with duplicates are mapped again. */
  const waiting: { readonly first: number; readonly block: Promise<CleanedBlock> }[] = [];

  async function* upTo(most: number): AsyncGenerator<CleanedBatch> {
    for (let next = waiting[most] && waiting.shift(); next; next = waiting[most] && waiting.shift()) {
      const block = await next.block;
      changes.merge(block.changes);
      for (const batch of block.cleaned) yield numbered(batch, next.first);
    }
  }

  return {
    async *batches() {
      for await (const answer of dealBlocks(inputs, mappers, notes, blockBytes)) {
        const duplicates = duplicatesIn(answer.batch, planner);
        // Mapping a block again costs less than keeping the records of all blocks until their duplicates are known.
        const block = duplicates.length > 0 ? answer.again(duplicates) : Promise.resolve(answer.batch);
        // A failure counts when its turn comes.
        block.catch(() => {});
        waiting.push({ first: notes.records, block });
        notes.add(answer.notes);
        options.onPrepared(answer.notes.records);
        yield* upTo(answer.failed ? 0 : mappers.length);
        if (answer.failed) throw errorOf(answer.failed);
      }
      yield* upTo(0);
      notes.warn();
    },
    findings: () => ({ shown: notes.findings().shown, changes: changes.all() }),
  };
}

function numbered(batch: CleanedBatch, first: number): CleanedBatch {
  if (batch.others.length === 0) return batch;
  return { ...batch, others: batch.others.map((result) => ({ ...result, seq: first + result.seq })) };
}

function duplicatesIn({ keys, others }: CleanedBlock, planner: Planner): [number, Outcome][] {
  const duplicates: [number, Outcome][] = [];
  const count = keys.length / 2 + others.length;
  let read = 0;
  let other = 0;
  for (let at = 0; at < count; at++) {
    const given = others[other];
    let claim: KeyClaim;
    if (given?.[0] === at) {
      claim = given[1];
      other++;
    } else {
      claim = { row: keys[read] as number, key: keys[read + 1] as string, by: 'valid' };
      read += 2;
    }
    const outcome = planner.claim(claim);
    if (outcome) duplicates.push([at, outcome]);
  }
  return duplicates;
}
