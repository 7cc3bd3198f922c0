import type { StoreHistory } from '../../ledger/index.ts';
import type { CheckedBlock } from '../blocks/block-job.ts';
import { checkBlocks } from '../blocks/check-blocks.ts';
import { BLOCK_BYTES, openBlocks, threadsFor } from '../blocks/open-blocks.ts';
import { type CheckedResult, checkRecords } from '../check/check-records.ts';
import { type PackedResults, unpackResults } from '../check/packed-results.ts';
import type { PlannedReferences } from '../inputs/lookups.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import type { ReaderFacts } from '../reader/reader-options.ts';
import { isWorthThread } from '../reader/reader-thread.ts';
import type { ImportOptions } from '../run/options.ts';
import { readInThread, type ThreadReading, threadOptions } from '../run/read-in-thread.ts';
import { type Progress, progressOf } from '../summary/progress.ts';

/** The check of files, in this thread or, for large ones, in others. */
export interface OpenCheck {
  readonly progress: Progress;
  /** The results in source order; to be called once. Throws RunStopped. */
  results(): AsyncGenerator<CheckedResult[]>;
  /** The facts that were found so far. */
  facts(): Promise<ReaderFacts>;
  close(): Promise<void>;
}

export interface OpenCheckOptions extends ThreadReading {
  readonly options: ImportOptions;
  /** The history that warnings compare records with; undefined if there is nothing to warn of. */
  readonly compareWith: StoreHistory | undefined;
  /** The references to records that earlier steps of a migration will create; undefined for any other check. */
  readonly planned?: PlannedReferences | undefined;
}

export function openCheck(checked: OpenCheckOptions): OpenCheck {
  // The thread reads ahead. If errors stop a check, its facts must end at the same record.
  const mayStop = checked.options.maxErrors !== undefined;
  // Planned references and functions of a program are in the memory of this thread.
  const isHere = mayStop || checked.planned !== undefined || checked.options.ownRules !== undefined;
  if (isHere || !isWorthThread(checked.inputs)) return checkHere(checked);
  const threads = checked.history === undefined ? threadsFor(checked.inputs, checked.options) : 0;
  return threads > 0 ? checkInBlocks(checked, threads) : checkInThread(checked);
}

function checkHere({ options, inputs, counts, history, compareWith, planned }: OpenCheckOptions): OpenCheck {
  const { results, findings } = checkRecords(
    inputs,
    { ...prepareOptions({ options, counts, dryRun: true }), history, compareWith, planned },
    options.show ?? 0,
  );
  return {
    progress: progressOf(inputs, counts, options),
    results,
    facts: async () => ({ files: sourceFiles(inputs.files, options), findings: findings() }),
    close: async () => {},
  };
}

function checkInThread({ compareWith, ...reading }: OpenCheckOptions): OpenCheck {
  const check = { show: reading.options.show ?? 0, compares: compareWith !== undefined };
  const { batches, ...rest } = readInThread<PackedResults>(reading, { known: [], check });
  async function* results(): AsyncGenerator<CheckedResult[]> {
    for await (const batch of batches()) yield unpackResults(batch);
  }
  return { ...rest, results };
}

/** Several threads map the blocks of a file, which this one reads. */
function checkInBlocks({ options, inputs: opened, counts }: OpenCheckOptions, threads: number): OpenCheck {
  const { show = 0 } = options;
  const plain = { ...threadOptions(options, opened), store: undefined, isKnown: false, known: [] };
  const { inputs, mappers, close } = openBlocks<CheckedBlock>(opened, plain, threads);
  const { results, findings } = checkBlocks(
    inputs,
    prepareOptions({ options, counts, dryRun: true }),
    mappers,
    { show, blockBytes: BLOCK_BYTES },
  );
  return {
    progress: progressOf(inputs, counts, options),
    results,
    facts: async () => ({ files: sourceFiles(inputs.files, options), findings: findings() }),
    close,
  };
}
