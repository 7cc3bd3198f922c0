import type { ImageFaultSource } from '../../images/index.ts';
import type { Checkpoint, SourceFile } from '../../ledger/index.ts';
import type { RunningLine } from '../../model/index.ts';
import type { SettledBatch } from '../../report/index.ts';
import type { PlainResource } from '../../resources/index.ts';
import type { CheckFindings } from '../check/check-records.ts';
import type { CleanFindings, CleanWork } from '../cleaning/clean-records.ts';
import type { InputsState, SourceOptions } from '../inputs/inputs.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import type { Thrown } from './thrown.ts';

// The threads of reader-thread.ts and reader-worker.ts pass this to each other. It is plain data only.

/** All that the thread needs to read the files as the main thread would. */
export interface ReaderOptions
  extends Omit<SourceOptions, 'resource'>,
    Pick<InputsState, 'names' | 'hasHistory' | 'from' | 'counted' | 'keepColumns'>,
    Pick<PrepareOptions, 'offset' | 'limit' | 'maskContacts'> {
  readonly resource: PlainResource;
  /** The working directory of the command, if it is not that of the process. */
  readonly folder?: string | undefined;
  /** The command line, for the commands that messages print. */
  readonly line?: RunningLine | undefined;
  /** Folder of the ledger. */
  readonly home: string;
  readonly storeId?: string | undefined;
  /** The files as they were when the run began; none if that does not matter. */
  readonly known: readonly SourceFile[];
  /** Digest of the mapping and the columns that the main thread found. */
  readonly mappingDigest: string;
  readonly header: readonly string[];
  /** Images that were found to be wrong; undefined if none was. */
  readonly images: ImageFaultSource | undefined;
  /** The store whose history counts; undefined if nothing is known, or nothing is to be remembered. */
  readonly store: string | undefined;
  /** True if the ledger may know something about the records. */
  readonly isKnown: boolean;
  /** Number of the run that is resumed. */
  readonly resumed?: number | undefined;
  /** See `ImportOptions`. */
  readonly overwriteNewer?: boolean | undefined;
  /** Delimiter of results.csv. */
  readonly delimiter?: string | undefined;
  /** Set if the records are only checked. Their batches are `PackedResults` then. */
  readonly check?: CheckOfThread | undefined;
  /** Set if the records are cleaned. Their batches are `CleanedBatch` then. For an import they are `PackedBatch`. */
  readonly clean?: CleanWork | undefined;
}

export interface CheckOfThread {
  /** Number of finished records to show. */
  readonly show: number;
  /** True if warnings compare the records with the history. */
  readonly compares: boolean;
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

/** The facts that reading finds out. */
export interface ReaderFacts {
  readonly files: readonly SourceFile[];
  /** Of a check. */
  readonly findings?: CheckFindings | undefined;
  /** Of a clean-up. */
  readonly cleaned?: CleanFindings | undefined;
}

export type ReaderMessage<Batch> =
  | { readonly kind: 'batch'; readonly batch: Batch; readonly events: ReaderEvents }
  /** All was read, or reading failed. */
  | {
      readonly kind: 'end';
      readonly events: ReaderEvents;
      readonly facts: ReaderFacts;
      readonly failed?: Thrown | undefined;
    }
  /** The answer to `facts`. */
  | { readonly kind: 'facts'; readonly facts: ReaderFacts }
  /** The answer to `SettledRequest`. */
  | { readonly kind: 'settled'; readonly batch: SettledBatch }
  | { readonly kind: 'all-settled'; readonly failed?: Thrown | undefined };

/**
 * `more`: a batch was taken, so another may be sent. `facts`: send those that are known now. `close`: end, after the batch
 * that is being prepared.
 */
export type ReaderRequest = 'more' | 'facts' | 'close' | SettledRequest;

/** Read no further, and send the settled records of this run for its reports. */
export interface SettledRequest {
  readonly settledOf: number;
}

/** Batches that are sent before the first is taken. With fewer, the threads wake each other more often. */
export const BATCHES_AHEAD = 8;
