import type { Checkpoint, KnownRun, OpenRun, SourceFile, StoreHistory } from '../../ledger/index.ts';
import type { ReadyRecord } from '../../model/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { expectSameContent } from '../inputs/same-content.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import type { ResumeState } from '../prepare/options.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { readyRecords } from '../prepare/ready-records.ts';
import { type PackedBatch, unpackBatch } from '../reader/ready-batch.ts';
import { progressOf, type RecordCounts } from '../summary/progress.ts';
import type { RecordSource } from './context.ts';
import type { ImportOptions } from './options.ts';
import { readInThread } from './read-in-thread.ts';

/** The files of an import, and what is known before they are read. */
export interface FileRecordsOptions {
  readonly options: ImportOptions;
  readonly inputs: ImportInputs;
  readonly files: readonly SourceFile[];
  readonly storeId: string | undefined;
  /** History of earlier runs with this store; undefined if nothing is to be remembered. */
  readonly history: StoreHistory | undefined;
  readonly counts: RecordCounts;
  /** True if earlier runs know records of the resource; as when the inputs were opened. */
  readonly hasHistory: boolean;
}

/** The records of source files, from the first that is left. Throws RunStopped if a file has changed since the run began. */
export function fileRecords(
  { options, inputs, files, storeId, history, counts }: FileRecordsOptions,
  resume?: ResumeState,
): RecordSource {
  expectSameContent(inputs, files);
  return {
    header: inputs.header,
    progress: progressOf(inputs, counts, options),
    records: (onCheckpoint) =>
      readyRecords(
        prepareRecords(inputs, {
          ...prepareOptions({ options, counts, storeId, dryRun: false }),
          onCheckpoint,
          resume,
          history,
        }),
        { resource: options.resource, namesFiles: files.length > 1 },
      ),
    files: async () => sourceFiles(inputs.files, options, files),
  };
}

/** A run that is resumed in the thread, which finds its settled records itself. */
export interface ResumedRun {
  readonly run: KnownRun;
  /** The place where reading begins. */
  readonly from: Checkpoint | undefined;
  readonly names: readonly string[];
}

/** As `fileRecords`, but a thread reads the files. `store`: of the history. */
export async function threadRecords(
  { options, inputs, files, storeId, history, counts, hasHistory }: FileRecordsOptions,
  store: string,
  resumed?: ResumedRun,
): Promise<RecordSource> {
  // The thread only reads the ledger. This indexes other resources that it looks up among.
  for (const table of inputs.mapping.lookups) if ('from' in table) await history?.lookupAmong(table.from);
  const reading = readInThread<PackedBatch>(
    { options, inputs, counts, history, store },
    {
      ...{ storeId, known: files, hasHistory, delimiter: options.reportFormat?.delimiter },
      ...(resumed && resumedOptions(resumed, options)),
    },
  );
  async function* records(onCheckpoint: OpenRun['checkpoint']): AsyncGenerator<ReadyRecord[]> {
    for await (const batch of reading.batches(onCheckpoint)) yield unpackBatch(batch, options.resource);
  }
  return {
    header: inputs.header,
    progress: reading.progress,
    records,
    files: async () => (await reading.facts()).files,
    settled: reading.settled,
    close: reading.close,
  };
}

function resumedOptions(
  { run, from, names }: ResumedRun,
  { overwriteNewer }: Pick<FileRecordsOptions['options'], 'overwriteNewer'>,
) {
  return { resumed: run.number, overwriteNewer, from, names, counted: run.files };
}
