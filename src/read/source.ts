import type { Position, ReadFormat, Row, Table } from '../model/index.ts';
import type { Bytes } from './bytes/bytes.ts';
import type { RandomAccess } from './bytes/random-access.ts';
import type { ReadSettings } from './options.ts';

/** One open source. Its header was read; its rows follow in batches, in order. */
export interface Source {
  readonly table: Table;
  /**
   * The rows after the header, one array for each piece of the file. Can be iterated once; leaving early closes the
   * file. Throws RunStopped if the file cannot be read further.
   */
  readonly batches: AsyncIterable<Row[]>;
  /** The first row of an errors.csv of JSON objects, even if reading resumes further down. */
  readonly firstRow?: Row | undefined;
  /** Suggests an option for the reader, if no mapping knows the header, with the command. Empty if none would help. */
  readonly suggestion?: (() => readonly string[]) | undefined;
  /** Counts the rows so far that the options leave out; undefined if they leave out none. */
  readonly leftOutRows?: (() => number) | undefined;
  /** How the file is read, as far as known. Final once the file was read to its end. */
  reading(): ReadFormat;
  /** Size of the whole file in bytes; undefined for standard input and pipes. */
  readonly size: number | undefined;
  bytesRead(): number;
  /** SHA-256 of the whole file, in hex; undefined until it was read to its end. */
  digest(): string | undefined;
  /**
   * Sets the digest that the whole file must have. Reading throws RunStopped before the last row if the digest differs.
   * Undefined for standard input and pipes.
   */
  readonly expect?: ((sha256: string) => void) | undefined;
  /** Closes the file of a source that is not read to its end. */
  close(): Promise<void>;
  /** Ways to read it again from its beginning; undefined for standard input and pipes. */
  readonly reread?: Reread | undefined;
  /** The same rows as blocks of bytes, instead of `batches`. Only of a table of CSV, and only if all rows are read. */
  readonly blocks?: ((blockBytes: number) => AsyncGenerator<Block, void>) | undefined;
  /** Reads the rows of blocks from one of these positions on. `encoding`: the name for messages. */
  readonly blockReader?: ((start: Position, encoding: string) => BlockReader) | undefined;
}

/** A part of a table of CSV. */
export interface Block {
  /** They are all of their buffer, which may be moved to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly start: Position;
  /** The position of the next block if this one ends with a row. It is certain only once a reader says the same. */
  readonly next: Position | undefined;
  /** True for the last block of the file. */
  readonly end: boolean;
}

/** Reads consecutive blocks. */
export interface BlockReader {
  read(block: Buffer, end: boolean): Generator<Row[], void>;
  /** The position from which another reader can read on; undefined if only this one can. */
  next(): Position | undefined;
}

/** A file that can be read more than once. Both methods throw the same errors as the first read. */
export interface Reread {
  open(): Promise<Source>;
  /**
   * Calls `onCell` with the cells of one column, including the header, but skips a cell equal to the one above. Much
   * faster than reading rows.
   *
   * Returns false if only the real reader can split the file; some cells may have been passed before that. Yields now
   * and then, so that the caller can stop it. Undefined if the columns are not those of the file.
   */
  readonly scan?: (column: number, onCell: (text: string) => void) => AsyncGenerator<void, boolean>;
}

/** The content that a format makes of the text of a source (`csv/csv.ts`, `json/json.ts`). */
export interface Content {
  readonly table: Table;
  readonly reading: Omit<ReadFormat, 'packed' | 'encoding' | 'guessed' | 'undecided'>;
  readonly batches: AsyncGenerator<Row[], void>;
  readonly suggestion?: () => readonly string[];
  /** The first row of an errors.csv of JSON objects, even if reading resumes further down. */
  readonly firstRow?: Row | undefined;
  readonly blocks?: Source['blocks'];
  readonly blockReader?: Source['blockReader'];
}

/** The bytes of a source, before anything is known of their format. */
export interface SourceBytes {
  /** As the user named it. */
  readonly file: string;
  /** All bytes, counted and digested as they are read. */
  readonly input: Bytes;
  readonly settings: ReadSettings;
  /** Position of the first row to return; earlier rows are skipped. */
  readonly from: Position | undefined;
  bytesRead(): number;
  digest(): string | undefined;
  /** Opens the bytes for reading at any place, instead of `input`. The caller closes the result. */
  access(): Promise<RandomAccess>;
  /** Counts the lines up to a byte, from 1; undefined if the bytes cannot be read again. */
  readonly lineAt?: ((byte: number) => Promise<number>) | undefined;
}

/** The content of a source of any kind (`text-source.ts`, `workbook/workbook.ts`), with what is known of its bytes. */
export interface OpenedContent
  extends Omit<Content, 'reading'>,
    Pick<Source, 'reading' | 'bytesRead' | 'digest'> {
  /** Closes what it opened besides `SourceBytes.input`. */
  readonly close?: () => Promise<void>;
}

/**
 * Bytes that become one batch of rows. A batch is mapped and planned ahead of the store, and waiting batches survive
 * the first garbage collection: with four times the size, the memory of a run grows by a fifth.
 */
export const BATCH_BYTES = 16 * 1024;
/** Rows of a batch. Only rows of few bytes reach it, and each may have issues of a thousand bytes. */
const MAX_BATCH_ROWS = 500;
/** Bytes of a piece, however short its rows are. */
const MIN_PIECE_BYTES = 512;

/** Cuts bytes into pieces of about one batch each. */
export interface BatchPieces {
  of(bytes: Buffer): Generator<Buffer, void>;
  /** Splits the rows of a piece into batches: an unclosed quote may release megabytes at once. */
  batches(rows: Row[]): Generator<Row[], void>;
}

/** Makes later pieces smaller if the rows are short: all rows of a piece are in memory, whatever they become. */
export function createBatchPieces(): BatchPieces {
  let size = BATCH_BYTES;
  return {
    *of(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const piece = bytes.subarray(at, at + size);
        at += piece.length;
        yield piece;
      }
    },
    *batches(rows) {
      const { length } = rows;
      if (length > MAX_BATCH_ROWS)
        size = Math.max(MIN_PIECE_BYTES, Math.floor((size * MAX_BATCH_ROWS) / length));
      else if (size < BATCH_BYTES && length < MAX_BATCH_ROWS / 2) size = Math.min(BATCH_BYTES, 2 * size);
      if (length > 0 && length <= MAX_BATCH_ROWS) yield rows;
      else for (let at = 0; at < length; at += MAX_BATCH_ROWS) yield rows.slice(at, at + MAX_BATCH_ROWS);
    },
  };
}
