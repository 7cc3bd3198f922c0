import type { Knowledge, SourceFile } from '../ledger/index.ts';
import type { Count } from './count.ts';
import type { Work } from './execute.ts';
import { type ImportOptions, progressOf, sourceFiles, stageOptions } from './run.ts';
import type { Inputs } from './sources.ts';
import { type GoOn, planRecords } from './stages.ts';

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
