import type { ReadFormat, Row, Table } from '../model/index.ts';

/** One open source: its header was read, its rows come in batches, in order. */
export interface Source {
  readonly table: Table;
  /**
   * The rows after the header, one array for each piece of the file. To be iterated once; leaving early closes the
   * file. Throws RunStopped when the file cannot be read further.
   */
  readonly batches: AsyncIterable<Row[]>;
  /** Of an errors.csv of objects: its first row, wherever it is read on from. */
  readonly firstRow?: Row | undefined;
  /** How the file is read, as far as it is known; final when the file was read. */
  reading(): ReadFormat;
  /** Bytes of the whole file; undefined for standard input and pipes. */
  readonly size: number | undefined;
  bytesRead(): number;
  /** SHA-256 of the whole file, in hex; undefined while it was not read to its end. */
  digest(): string | undefined;
  /**
   * Called with the digest that the whole file must have. Reading throws RunStopped before the last row if it has another.
   * Undefined for standard input and pipes.
   */
  readonly expect?: ((sha256: string) => void) | undefined;
  /** Closes the file; for a source that is not read to its end. */
  close(): Promise<void>;
  /** Ways to read it again, from its beginning; undefined for standard input and pipes. */
  readonly reread?: Reread | undefined;
}

/** A file that can be read more than once. Both throw as reading it the first time does. */
export interface Reread {
  open(): Promise<Source>;
  /**
   * Calls `onCell` with the cells of one column, the header's too, except one with the same text as the cell above. Much
   * faster than reading rows. Returns false, having called it for some or none, where only the real reader can tell. Yields
   * now and then, so that the caller can stop it. Undefined where the columns are not those of the file.
   */
  readonly scan?: (column: number, onCell: (text: string) => void) => AsyncGenerator<void, boolean>;
}

/** What a format makes of the text of a file: `csv.ts`, `json.ts`. */
export interface Content {
  readonly table: Table;
  readonly reading: Omit<ReadFormat, 'packed' | 'encoding' | 'guessed'>;
  readonly batches: AsyncGenerator<Row[], void>;
  /** Of an errors.csv of objects: its first row, wherever it is read on from. */
  readonly firstRow?: Row | undefined;
}

/**
 * What becomes one batch of rows. A batch is mapped and planned ahead of the store, and what waits outlives the
 * garbage collector's first look: with four times as much the memory of a run grows by a fifth.
 */
export const BATCH_BYTES = 16 * 1024;
const MAX_BATCH = 50_000;

/** Behind a quote that was never closed megabytes of rows may come to light at once. */
export function* inBatches(rows: Row[]): Generator<Row[], void> {
  if (rows.length <= MAX_BATCH) {
    if (rows.length > 0) yield rows;
    return;
  }
  for (let at = 0; at < rows.length; at += MAX_BATCH) yield rows.slice(at, at + MAX_BATCH);
}
