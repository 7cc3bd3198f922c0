import type { Checkpoint, SourceFile } from '../../ledger/index.ts';
import type { PlainResource } from '../../resources/index.ts';
import type { InputsState, SourceOptions } from '../inputs/inputs.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import type { PackedBatch } from './ready-batch.ts';
import type { Thrown } from './thrown.ts';

// The threads of reader-thread.ts and reader-worker.ts pass this to each other. It is plain data only.

/** All that the thread needs to read the files as the main thread would. */
export interface ReaderOptions
  extends Omit<SourceOptions, 'resource'>,
    Pick<InputsState, 'names' | 'hasHistory' | 'from' | 'counted'>,
    Pick<PrepareOptions, 'offset' | 'limit' | 'maskContacts'> {
  readonly resource: PlainResource;
  /** Folder of the ledger. */
  readonly home: string;
  readonly storeId: string | undefined;
  /** The files as they were when the run began. */
  readonly known: readonly SourceFile[];
  /** Digest of the mapping that the main thread found. */
  readonly mappingDigest: string;
  /** The store whose history counts; undefined if nothing is to be remembered. */
  readonly store: string | undefined;
  /** True if the ledger may know something about the records. */
  readonly isKnown: boolean;
  /** Number of the run that is resumed. */
  readonly resumed?: number | undefined;
}

/** Events before a batch, for the main thread to note when it takes the batch. */
export interface ReaderEvents {
  /** Number of records that were prepared. */
  readonly prepared: number;
  /** The share of rows that were emitted, if they were grouped on disk first. */
  readonly drained?: number | undefined;
  readonly checkpoints: readonly Checkpoint[];
  readonly warnings: readonly string[];
  /** Bytes read of each file. */
  readonly bytesRead: readonly number[];
}

export type ReaderMessage =
  | { readonly kind: 'batch'; readonly batch: PackedBatch; readonly events: ReaderEvents }
  /** All was read, or reading failed. The thread ends then. */
  | {
      readonly kind: 'end';
      readonly events: ReaderEvents;
      readonly files: readonly SourceFile[];
      readonly failed?: Thrown | undefined;
    }
  /** The answer to `files`. */
  | { readonly kind: 'files'; readonly files: readonly SourceFile[] };

/** `more`: a batch was taken, so another may be sent. `files`: tell what is known of the files. */
export type ReaderRequest = 'more' | 'files' | 'close';

/** Batches that are sent before the first is taken. */
export const BATCHES_AHEAD = 2;
