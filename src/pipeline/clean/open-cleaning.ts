import { tmpdir } from 'node:os';
import type { CleanedBlock } from '../blocks/clean-block.ts';
import { cleanBlocks } from '../blocks/clean-blocks.ts';
import { BLOCK_BYTES, openBlocks, threadsFor } from '../blocks/open-blocks.ts';
import {
  type CleanedBatch,
  type CleanFindings,
  type CleanWork,
  cleanRecords,
} from '../cleaning/clean-records.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import type { ReaderFacts } from '../reader/reader-options.ts';
import { isWorthThread } from '../reader/reader-thread.ts';
import { readInThread, threadOptions } from '../run/read-in-thread.ts';
import { type Progress, progressOf, type RecordCounts } from '../summary/progress.ts';
import type { CleanOptions } from './options.ts';

/** The clean-up of files, in this thread or, for large ones, in others. */
export interface OpenCleaning {
  readonly progress: Progress;
  /** In source order; to be called once. Throws RunStopped. */
  batches(): AsyncGenerator<CleanedBatch>;
  /** The facts that were found so far. */
  facts(): Promise<CleanFacts>;
  close(): Promise<void>;
}

export type CleanFacts = Pick<ReaderFacts, 'files'> & CleanFindings;

export interface OpenCleaningOptions {
  readonly options: CleanOptions;
  readonly inputs: ImportInputs;
  readonly counts: RecordCounts;
  readonly work: CleanWork;
}

export function openCleaning(opened: OpenCleaningOptions): OpenCleaning {
  if (!isWorthThread(opened.inputs)) return cleanHere(opened);
  // In a JSON array, a comma depends on the records above. Beside one other thread, this one would have little to do.
  const threads = opened.work.format === 'json' ? 0 : threadsFor(opened.inputs, opened.options);
  return threads > 1 ? cleanInBlocks(opened, threads) : cleanInThread(opened);
}

function cleanHere({ options, inputs, counts, work }: OpenCleaningOptions): OpenCleaning {
  const { batches, findings } = cleanRecords(inputs, preparing(options, counts), work);
  return {
    progress: progressOf(inputs, counts, options),
    batches,
    facts: async () => ({ files: sourceFiles(inputs.files, options), ...findings() }),
    close: async () => {},
  };
}

function preparing(options: CleanOptions, counts: RecordCounts): PrepareOptions {
  return {
    // Not a dry run, whose records would have no payload.
    ...prepareOptions({ options: { ...options, maskContacts: false }, counts, dryRun: false }),
    spillFolder: tmpdir(),
  };
}

/** Several threads clean the blocks of a file, which this one reads. */
function cleanInBlocks(
  { options, inputs: opened, counts, work }: OpenCleaningOptions,
  threads: number,
): OpenCleaning {
  const { keepColumns } = options;
  const plain = {
    ...threadOptions({ ...options, maskContacts: false }, opened),
    ...{ store: undefined, isKnown: false, known: [], keepColumns, clean: work },
  };
  const { inputs, mappers, close } = openBlocks<CleanedBlock>(opened, plain, threads);
  // Blocks are answered with their texts, so they are smaller than those of a check.
  const { batches, findings } = cleanBlocks(inputs, preparing(options, counts), mappers, {
    ...{ show: work.show, blockBytes: BLOCK_BYTES / 2 },
  });
  return {
    progress: progressOf(inputs, counts, options),
    batches,
    facts: async () => ({ files: sourceFiles(inputs.files, options), ...findings() }),
    close,
  };
}

function cleanInThread({ options, inputs, counts, work }: OpenCleaningOptions): OpenCleaning {
  const { keepColumns } = options;
  const reading = readInThread<CleanedBatch>(
    {
      ...{ inputs, counts, options: { ...options, maskContacts: false } },
      ...{ history: undefined, store: undefined },
    },
    { known: [], keepColumns, clean: work },
  );
  return {
    ...reading,
    async facts() {
      const { files, cleaned = { shown: [], changes: [] } } = await reading.facts();
      return { files, ...cleaned };
    },
  };
}
