import { tmpdir } from 'node:os';
import type { SourceFile, StoreHistory } from '../../ledger/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import type { PrepareOptions, ResumeState } from '../prepare/options.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { readyRecords } from '../prepare/ready-records.ts';
import { progressOf, type RecordCounts } from '../summary/progress.ts';
import type { RecordSource } from './context.ts';
import type { ImportOptions, RunOptions } from './options.ts';

/** The files of an import, and what is known before they are read. */
export interface FileRecordsOptions {
  readonly options: ImportOptions;
  readonly inputs: ImportInputs;
  readonly files: readonly SourceFile[];
  readonly storeId: string | undefined;
  /** History of earlier runs with this store; undefined if nothing is to be remembered. */
  readonly history: StoreHistory | undefined;
  readonly counts: RecordCounts;
  readonly resume?: ResumeState | undefined;
}

/** The records of source files, from the first that is left. Throws RunStopped if a file has changed since the run began. */
export function fileRecords({
  options,
  inputs,
  files,
  storeId,
  history,
  counts,
  resume,
}: FileRecordsOptions): RecordSource {
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

/** Makes reading stop if a file no longer has the content that was digested when the run began. */
function expectSameContent({ files }: ImportInputs, before: readonly SourceFile[]): void {
  for (const [index, { source }] of files.entries()) {
    const { sha256 } = before[index] ?? {};
    if (sha256 !== undefined) source.expect?.(sha256);
  }
}

/** The part of the options of `prepareRecords` that every command has. */
export function prepareOptions({
  options: { resource, mode, offset, limit, maskContacts, home, watch },
  counts: { onPrepared, onDrained },
  storeId,
  dryRun,
}: {
  readonly options: RunOptions & { readonly maskContacts: boolean };
  readonly counts: RecordCounts;
  readonly storeId?: string | undefined;
  readonly dryRun: boolean;
}): PrepareOptions {
  const needsStoreId = resource.fromSettings?.includes('storeId');
  return {
    ...{ resource, mode, dryRun, offset, limit, maskContacts, onPrepared, onDrained },
    fromSettings: needsStoreId && storeId !== undefined ? { storeId } : {},
    onWarning: watch.warned,
    // The folder of the ledger exists by then. A check has no ledger.
    spillFolder: dryRun ? tmpdir() : home,
  };
}
