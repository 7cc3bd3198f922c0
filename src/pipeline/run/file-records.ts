import { tmpdir } from 'node:os';
import type { SourceFile, StoreHistory } from '../../ledger/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { type PrepareOptions, prepareRecords, type ResumeState } from '../prepare/prepare-records.ts';
import type { RecordSource } from './execute.ts';
import type { ImportOptions } from './options.ts';
import type { RecordCounts } from './progress.ts';
import { progressOf } from './progress.ts';

/** Where the records of an import come from, and what is known before they are read. */
export interface FileRecordsOptions {
  readonly options: ImportOptions;
  readonly inputs: ImportInputs;
  readonly files: readonly SourceFile[];
  readonly storeId: string | undefined;
  /** What earlier runs know of this store. */
  readonly knowledge: StoreHistory | undefined;
  readonly count: RecordCounts;
  readonly goOn?: ResumeState | undefined;
}

/** The records of a run's files, from the first that is left. Throws RunStopped if a file has changed since the run began. */
export function fileRecords({
  options,
  inputs,
  files,
  storeId,
  knowledge,
  count,
  goOn,
}: FileRecordsOptions): RecordSource {
  expectSameContent(inputs, files);
  return {
    header: inputs.header,
    progress: progressOf(inputs, count, options),
    plan: ({ mark }) =>
      prepareRecords(inputs, {
        ...stageOptions(options, false, count, storeId),
        onCheckpoint: mark,
        goOn,
        knowledge,
      }),
    files: () => sourceFiles(inputs.inputs, options, files),
  };
}

/** A run is about the content that was digested when it began: reading stops if a file has other content. */
function expectSameContent({ inputs }: ImportInputs, files: readonly SourceFile[]): void {
  for (const [index, { source }] of inputs.entries()) {
    const { sha256 } = files[index] ?? {};
    if (sha256 !== undefined) source.expect?.(sha256);
  }
}

export function stageOptions(
  options: Pick<ImportOptions, 'resource' | 'mode' | 'offset' | 'limit' | 'maskContacts' | 'home' | 'watch'>,
  dryRun: boolean,
  { onPlanned, onGiven }: Pick<RecordCounts, 'onPlanned' | 'onGiven'>,
  storeId?: string,
): Omit<PrepareOptions, 'onMark' | 'goOn' | 'knowledge'> {
  const { resource, mode, offset, limit } = options;
  const fromSettings = resource.fromSettings?.includes('storeId') && storeId !== undefined ? { storeId } : {};
  return {
    resource,
    mode,
    dryRun,
    offset,
    limit,
    maskContacts: options.maskContacts,
    fromSettings,
    onPlanned,
    onGiven,
    onWarning: options.watch.warned,
    // The folder of the ledger is there by then; a check has no ledger.
    spillFolder: dryRun ? tmpdir() : options.home,
  };
}
