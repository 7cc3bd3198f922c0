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

/** The records of a run's files, from the first that is left. */
export function fromFiles({ options, inputs, files, storeId, knowledge, count, goOn }: FromFiles): Work {
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
