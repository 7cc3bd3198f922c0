import type { Checkpoint, KnownRun, SourceFile, StoreHistory } from '../../ledger/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { expectSameContent } from '../inputs/same-content.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import type { ResumeState } from '../prepare/options.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { readyRecords } from '../prepare/ready-records.ts';
import type { ReaderOptions } from '../reader/reader-options.ts';
import { createReaderThread } from '../reader/reader-thread.ts';
import { progressOf, type RecordCounts } from '../summary/progress.ts';
import type { RecordSource } from './context.ts';
import type { ImportOptions } from './options.ts';

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

/**
 * As `fileRecords`, but a thread reads the files. `inputs` were opened to find mistakes, and are not read further. `store`:
 * of the history.
 */
export function threadRecords(
  { options, inputs, files, storeId, history, counts, hasHistory }: FileRecordsOptions,
  store: string,
  resumed?: ResumedRun,
): RecordSource {
  // The thread only reads the ledger. What other resources it looks up among is indexed by this.
  for (const table of inputs.mapping.lookups) if ('from' in table) history?.lookupAmong(table.from);
  const reader = createReaderThread({
    ...plainOptions(options),
    ...{ storeId, known: files, mappingDigest: inputs.mapping.digest },
    store: history && store,
    isKnown: history !== undefined && mayKnow(inputs, history),
    ...{ hasHistory, ...(resumed && resumedOptions(resumed)) },
  });
  const read = inputs.files.map(() => 0);
  const shown = inputs.files.map(({ source: { size } }, index) => ({
    source: { size, bytesRead: () => read[index] ?? 0 },
  }));
  return {
    header: inputs.header,
    progress: progressOf({ files: shown }, counts, options),
    records: (onCheckpoint) =>
      reader.records(({ prepared, drained, checkpoints, warnings, bytesRead }) => {
        counts.onPrepared(prepared);
        if (drained !== undefined) counts.onDrained(drained);
        for (const checkpoint of checkpoints) onCheckpoint(checkpoint);
        for (const warning of warnings) options.watch.warned(warning);
        for (const [index, bytes] of bytesRead.entries()) read[index] = bytes;
      }),
    files: reader.files,
    close: reader.close,
  };
}

/** True if the ledger may know something about a record of these files. */
function mayKnow({ mapping, files }: ImportInputs, { lookup, trashed, ids }: StoreHistory): boolean {
  const looksUp = mapping.lookups.some((table) => 'from' in table);
  const areReturned = files.some(({ binding }) => binding.earlierRowOf !== undefined);
  return lookup !== undefined || trashed !== undefined || ids.length > 0 || looksUp || areReturned;
}

/** Named one by one, since other options are functions, which another thread cannot take. */
function plainOptions(options: ImportOptions) {
  const { files, read, mapping, mappingText, mode, constants, imageBase, lookupFolders } = options;
  const { offset, limit, maskContacts, home } = options;
  const { name, overrides } = options.resource;
  return {
    ...{ files, read, mapping, mappingText, mode, constants, imageBase, lookupFolders },
    ...{ offset, limit, maskContacts, home, resource: { name, overrides } },
  };
}

function resumedOptions({ run, from, names }: ResumedRun): Partial<ReaderOptions> {
  return { resumed: run.number, from, names, counted: run.files };
}
