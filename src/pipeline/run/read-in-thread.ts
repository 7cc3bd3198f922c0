import type { StoreHistory } from '../../ledger/index.ts';
import type { SettledBatch } from '../../report/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { foundMapping } from '../inputs/same-content.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import type { ReaderEvents, ReaderFacts, ReaderOptions } from '../reader/reader-options.ts';
import { createReaderThread } from '../reader/reader-thread.ts';
import { type Progress, progressOf, type RecordCounts } from '../summary/progress.ts';
import type { ImportOptions, RunOptions } from './options.ts';

export interface ThreadReading {
  readonly options: RunOptions & Pick<ImportOptions, 'maskContacts'>;
  /** Opened to find mistakes, and not read further. */
  readonly inputs: ImportInputs;
  readonly counts: RecordCounts;
  readonly history: StoreHistory | undefined;
  /** The store of the history. */
  readonly store: string | undefined;
}

/** The options of the thread that differ from command to command. */
export type MoreReaderOptions = Pick<
  ReaderOptions,
  | 'storeId'
  | 'known'
  | 'hasHistory'
  | 'resumed'
  | 'from'
  | 'names'
  | 'counted'
  | 'keepColumns'
  | 'delimiter'
  | 'check'
  | 'clean'
>;

/** Files that a thread reads. */
export interface ReadInThread<Batch> {
  readonly progress: Progress;
  /** To be called once. */
  batches(onCheckpoint?: (checkpoint: ReaderEvents['checkpoints'][number]) => void): AsyncGenerator<Batch>;
  facts(): Promise<ReaderFacts>;
  /** As in `RecordSource`. */
  settled(run: number): AsyncIterable<SettledBatch> | undefined;
  close(): Promise<void>;
}

/** Reads the files of a command in a thread. Counts, warns and shows the progress as if this thread read them. */
export function readInThread<Batch>(
  { options, inputs, counts, history, store }: ThreadReading,
  more: MoreReaderOptions,
): ReadInThread<Batch> {
  const reader = createReaderThread<Batch>(
    {
      ...threadOptions(options, inputs),
      store: history && store,
      isKnown: history !== undefined && mayKnow(inputs, history),
      ...more,
    },
    () => ({ files: sourceFiles(inputs.files, options, more.known) }),
  );
  const read = inputs.files.map(() => 0);
  const shown = inputs.files.map(({ source: { size } }, index) => ({
    source: { size, bytesRead: () => read[index] ?? 0 },
  }));
  return {
    progress: progressOf({ files: shown }, counts, options),
    batches: (onCheckpoint) =>
      reader.batches(({ prepared, drained, checkpoints, warnings, bytesRead }) => {
        counts.onPrepared(prepared);
        if (drained !== undefined) counts.onDrained(drained);
        for (const checkpoint of checkpoints) onCheckpoint?.(checkpoint);
        for (const warning of warnings) options.watch.warned(warning);
        for (const [index, bytes] of bytesRead.entries()) read[index] = bytes;
      }),
    facts: reader.facts,
    settled: reader.settled,
    close: reader.close,
  };
}

/** True if the ledger may know something about a record of these files. */
function mayKnow({ mapping, files }: ImportInputs, { lookup, trashed, ids }: StoreHistory): boolean {
  const looksUp = mapping.lookups.some((table) => 'from' in table);
  const areReturned = files.some(({ binding }) => binding.earlierRowOf !== undefined);
  return lookup !== undefined || trashed !== undefined || ids.length > 0 || looksUp || areReturned;
}

/** The options of a thread that opens the files as this one has done. */
export function threadOptions(options: ThreadReading['options'], inputs: ImportInputs) {
  return { ...plainOptions(options), ...foundMapping(inputs), images: inputs.images?.source };
}

type PlainOptions = Omit<ThreadReading['options'], 'resource'> & Pick<ReaderOptions, 'resource'>;

/** The options that are plain data: another thread can take neither functions nor signals. Images are checked here. */
function plainOptions({ checkImages: _, resource, ...options }: ThreadReading['options']): PlainOptions {
  const { name, overrides } = resource;
  const plain = Object.entries(options).filter(([, value]) => isPlain(value));
  return { ...(Object.fromEntries(plain) as typeof options), resource: { name, overrides } };
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  const isList = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isList && Object.values(value).every(isPlain);
}
