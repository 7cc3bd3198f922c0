import type {
  EmptyRows,
  OpenLook,
  OpenMappingWarning,
  OpenSuspicion,
  Outcome,
  Position,
} from '../../model/index.ts';
import type { ShownRecord } from '../prepare/preview.ts';
import type { UnusedCell } from '../prepare/unused-cells.ts';
import type { Thrown } from '../reader/thrown.ts';

// The main thread and the threads that map blocks pass this to each other. It is plain data only.

/** A part of the file to be mapped. */
export interface BlockRequest {
  /** They are moved, and moved back with the answer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of the block; undefined if it continues the block before it in the same thread. */
  readonly start: Position | undefined;
  /** True if it can be read only with the blocks around it. */
  readonly isPart: boolean;
  /** True for the last block of the file. */
  readonly end: boolean;
  /** Encoding of the file, for messages. */
  readonly encoding: string;
  /** Number of finished records to show. */
  readonly show: number;
  /** True if cells of unused columns may still be wanted. */
  readonly looks: boolean;
}

/** The records of a block. They are numbered from 0. */
export interface BlockAnswer<Batch> {
  /** Number of the block among those of its thread. */
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of the next block; undefined if only the same thread can read it. */
  readonly next: Position | undefined;
  readonly batch: Batch;
  readonly notes: BlockNotes;
  /** The error that ended the block early. The records above it are in the batch. */
  readonly failed?: Thrown | undefined;
}

/** Findings about the records of a block, for the facts about the file. */
export interface BlockNotes {
  readonly records: number;
  readonly emptyRows: EmptyRows & { readonly seen: number };
  readonly skippedRows: number;
  readonly suspicious: readonly OpenSuspicion[];
  readonly warnings: readonly OpenMappingWarning[];
  readonly look: OpenLook;
  readonly leftOutImages: number;
  /** Path of the first such image. */
  readonly leftOutImage?: string | undefined;
  /** Bits for each watched rule of the mapping; undefined if no rule is watched. */
  readonly ruleUse?: Uint8Array | undefined;
  readonly shown: readonly ShownRecord[];
  readonly unused: readonly UnusedCell[];
}

/** Records of a block that are duplicates of others in the file, by their places in the block. */
export type BlockDuplicates = readonly (readonly [at: number, outcome: Outcome])[];

/** To a mapping thread: a block, or the duplicates in one that it has mapped before. */
export type MappingRequest = BlockRequest | RepeatRequest;

export interface RepeatRequest {
  readonly number: number;
  readonly bytes: BlockRequest['bytes'];
  readonly duplicates: BlockDuplicates;
}

/** From a mapping thread: an answer to each request, in order. */
export type MappingMessage<Batch> =
  | { readonly answer: BlockAnswer<Batch> }
  | { readonly batch: Batch }
  | { readonly failed: Thrown };

/** An answer as the main thread has it. */
export interface MappedBlock<Batch> extends BlockAnswer<Batch> {
  /** Maps the block again with these duplicates. To be called before the next answer is taken. Moves `bytes`. */
  again(duplicates: BlockDuplicates): Promise<Batch>;
}

/** Has a block mapped. Requests to the same thread are answered in order. */
export type MapBlock<Batch> = (request: BlockRequest) => Promise<MappedBlock<Batch>>;

/** Blocks that a thread has at a time: it maps one while the next waits. */
export const BLOCKS_AHEAD = 2;
