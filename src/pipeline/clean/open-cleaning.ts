import { tmpdir } from 'node:os';
import {
  type CleanedBatch,
  type CleanFindings,
  type CleanWork,
  cleanRecords,
} from '../cleaning/clean-records.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import type { ReaderFacts } from '../reader/reader-options.ts';
import { isWorthThread } from '../reader/reader-thread.ts';
import { readInThread } from '../run/read-in-thread.ts';
import { type Progress, progressOf, type RecordCounts } from '../summary/progress.ts';
import type { CleanOptions } from './options.ts';

/** The clean-up of files, in this thread or, for large ones, in another. */
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
  return isWorthThread(opened.inputs) ? cleanInThread(opened) : cleanHere(opened);
}

function cleanHere({ options, inputs, counts, work }: OpenCleaningOptions): OpenCleaning {
  const { batches, findings } = cleanRecords(
    inputs,
    {
      // Not a dry run, whose records would have no payload.
      ...prepareOptions({ options: { ...options, maskContacts: false }, counts, dryRun: false }),
      spillFolder: tmpdir(),
    },
    work,
  );
  return {
    progress: progressOf(inputs, counts, options),
    batches,
    facts: async () => ({ files: sourceFiles(inputs.files, options), ...findings() }),
    close: async () => {},
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
