import { tmpdir } from 'node:os';
import type { Knowledge, SourceFile } from '../../ledger/index.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { type GoOn, planRecords, type StageOptions } from '../prepare/prepare-records.ts';
import type { Work } from './execute.ts';
import type { ImportOptions } from './options.ts';
import type { Count } from './progress.ts';
import { progressOf } from './progress.ts';

/** Where the records of an import come from, and what is known before they are read. */
export interface FromFiles {
  readonly options: ImportOptions;
  readonly inputs: Inputs;
  readonly files: readonly SourceFile[];
  readonly storeId: string | undefined;
  /** What earlier runs know of this store. */
  readonly knowledge: Knowledge | undefined;
  readonly count: Count;
  readonly goOn?: GoOn | undefined;
}

/** The records of a run's files, from the first that is left. Throws RunStopped if a file has changed since the run began. */
export function fromFiles({ options, inputs, files, storeId, knowledge, count, goOn }: FromFiles): Work {
  expectSameContent(inputs, files);
  return {
    header: inputs.header,
    progress: progressOf(inputs, count, options),
    plan: ({ mark }) =>
      planRecords(inputs, {
        ...stageOptions(options, false, count, storeId),
        onMark: mark,
        goOn,
        knowledge,
      }),
    files: () => sourceFiles(inputs.inputs, options, files),
  };
}

/** A run is about the content that was digested when it began: reading stops if a file has other content. */
function expectSameContent({ inputs }: Inputs, files: readonly SourceFile[]): void {
  for (const [index, { source }] of inputs.entries()) {
    const { sha256 } = files[index] ?? {};
    if (sha256 !== undefined) source.expect?.(sha256);
  }
}

export function stageOptions(
  options: Pick<ImportOptions, 'resource' | 'mode' | 'offset' | 'limit' | 'maskContacts' | 'home' | 'watch'>,
  dryRun: boolean,
  { onPlanned, onGiven }: Pick<Count, 'onPlanned' | 'onGiven'>,
  storeId?: string,
): Omit<StageOptions, 'onMark' | 'goOn' | 'knowledge'> {
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
