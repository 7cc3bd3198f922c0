import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { existsSync, open, readdirSync } from '../../model/files/fs.ts';
import type { CauseView } from '../api/index.ts';
import { readState } from '../state-files.ts';

/** A row that a run returned, as it is kept on disk. The names are short, since a run may return a million rows. */
export interface IndexedRow {
  /** Number of its record in the run, and of the row in the record: they name the row for good. */
  readonly n: number;
  readonly k: number;
  /** Index of the first row of its record. */
  readonly f: number;
  /** Indexes of other rows that are part of its record too, and are listed at an earlier one. */
  readonly x?: readonly number[];
  /** As a spreadsheet numbers it in the source. */
  readonly row: number;
  readonly cause: number;
  readonly message: string;
  /** Cells of the source, then those that storeport adds. */
  readonly cells: readonly string[];
  /** Indexes of wrong cells. */
  readonly marks: readonly number[];
  /** Corrections that no step has any more: columns with their texts. */
  readonly e?: readonly (readonly [column: number, text: string])[];
  /** The row is left out of the next import. */
  readonly d?: 1;
  /** Result of the latest check. */
  readonly c?: RowCheck;
}

/** Result of the latest check of a row, for the cells that it had then. */
export interface RowCheck {
  /** Digest of its cells. */
  readonly h: string;
  /** Why its record does not fit; undefined if it does. */
  readonly m?: string;
  /** Wrong cells, with their texts. */
  readonly w?: readonly (readonly [column: number, text: string])[];
}

/** Facts about all rows that a run returned. */
export interface IndexFacts {
  /** State of the ledger from which it was made. */
  readonly mark: string;
  /** All columns of errors.csv, with the surplus cells beside the columns of the source. */
  readonly header: readonly string[];
  /** Index of the first column that cannot be corrected; the one before it has the surplus cells. */
  readonly ownFrom: number;
  /** True if a row has surplus cells. */
  readonly hasSurplus: boolean;
  readonly total: number;
  readonly causes: readonly CauseView[];
  /** Rows with corrections in `e` that can be sent. */
  readonly corrected: number;
  /** Rows with anything of a person: corrections, also of rows that cannot be sent yet, or the choice to leave it out. */
  readonly touched: number;
  /** True if records share rows. */
  readonly hasShared: boolean;
}

/** The rows that a run returned, in a folder from which any page can be read. Memory holds the facts alone. */
export interface RowIndex extends IndexFacts {
  readonly folder: string;
  /** Indexes of the rows with a cause, from the `from`th of them. */
  withCause(cause: number, from: number, count: number): Promise<number[]>;
  /** Reads rows by their indexes, which ascend. Leaves out those that do not exist. */
  read(indexes: readonly number[]): Promise<IndexedRow[]>;
  /** All rows in order, or those with a cause. */
  all(cause?: number): AsyncGenerator<readonly [index: number, row: IndexedRow]>;
}

/** Names of the files of an index. Their folder appears when all are whole. */
export const INDEX_FILES = {
  facts: 'index.json',
  rows: 'rows.ndjson',
  places: 'places.f64',
  cause: (cause: number) => `cause-${cause}.u32`,
} as const;

export const PLACE_BYTES = 8;
export const NUMBER_BYTES = 4;

/** Bytes and rows that are read at once. */
const SPAN_BYTES = 1024 * 1024;
const SPAN_ROWS = 256;

/** The folders of indexes below `folder`, the latest first. Each change of the ledger makes a new one. */
export function indexFolders(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name) && existsSync(join(folder, name, INDEX_FILES.facts)))
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => join(folder, name));
}

/** Undefined if a power cut has left nothing of its facts. */
export function openRowIndex(folder: string): RowIndex | undefined {
  const facts = readState<IndexFacts>(join(folder, INDEX_FILES.facts));
  return facts && readerOf(folder, facts);
}

function readerOf(folder: string, facts: IndexFacts): RowIndex {
  /** Reads the first of these rows, with those that are near: as many as fit into a span. */
  async function span(files: RowFiles, indexes: readonly number[]): Promise<IndexedRow[]> {
    const [from = 0] = indexes;
    const near = indexes.slice(0, SPAN_ROWS).filter((index) => index < from + SPAN_ROWS);
    const count = (near.at(-1) ?? from) - from + 1;
    const places = await numbersIn(files.places, { from, count: count + 1, bytes: PLACE_BYTES });
    const [begin = 0] = places;
    let fitting = 1;
    while (fitting < count && (places[fitting + 1] ?? 0) - begin <= SPAN_BYTES) fitting++;
    const buffer = Buffer.alloc((places[fitting] ?? begin) - begin);
    await files.rows.read(buffer, 0, buffer.length, begin);
    return near.flatMap((index) => {
      const at = index - from;
      if (at >= fitting) return [];
      const line = buffer.toString('utf8', (places[at] ?? 0) - begin, (places[at + 1] ?? 0) - begin);
      return [JSON.parse(line) as IndexedRow];
    });
  }

  async function readWith(files: RowFiles, wanted: readonly number[]): Promise<IndexedRow[]> {
    const indexes = wanted.filter((index) => index >= 0 && index < facts.total);
    const rows: IndexedRow[] = [];
    while (rows.length < indexes.length) rows.push(...(await span(files, indexes.slice(rows.length))));
    return rows;
  }

  async function withCause(cause: number, from: number, count: number): Promise<number[]> {
    if (!facts.causes.some((each) => each.cause === cause)) return [];
    const file = await open(join(folder, INDEX_FILES.cause(cause)));
    try {
      return await numbersIn(file, { from, count, bytes: NUMBER_BYTES });
    } finally {
      await file.close();
    }
  }

  return {
    ...facts,
    folder,
    withCause,
    read: (indexes) => withRowFiles(folder, (files) => readWith(files, indexes)),
    async *all(cause) {
      const size = cause === undefined ? facts.total : (facts.causes[cause]?.rows ?? 0);
      for (let from = 0; from < size; from += SPAN_ROWS) {
        const count = Math.min(SPAN_ROWS, size - from);
        const indexes =
          cause === undefined
            ? Array.from({ length: count }, (_, at) => from + at)
            : await withCause(cause, from, count);
        const rows = await withRowFiles(folder, (files) => readWith(files, indexes));
        for (const [at, row] of rows.entries()) yield [indexes[at] as number, row] as const;
      }
    },
  };
}

interface RowFiles {
  readonly rows: FileHandle;
  readonly places: FileHandle;
}

async function withRowFiles<Result>(
  folder: string,
  work: (files: RowFiles) => Promise<Result>,
): Promise<Result> {
  const rows = await open(join(folder, INDEX_FILES.rows));
  try {
    const places = await open(join(folder, INDEX_FILES.places));
    try {
      return await work({ rows, places });
    } finally {
      await places.close();
    }
  } finally {
    await rows.close();
  }
}

/** Reads numbers of a fixed size: whole ones of 4 bytes, or doubles of 8. Fewer at the end of the file. */
async function numbersIn(
  file: FileHandle,
  { from, count, bytes }: { readonly from: number; readonly count: number; readonly bytes: 4 | 8 },
): Promise<number[]> {
  const buffer = Buffer.alloc(count * bytes);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from * bytes);
  return Array.from({ length: Math.floor(bytesRead / bytes) }, (_, at) =>
    bytes === 4 ? buffer.readUInt32LE(at * bytes) : buffer.readDoubleLE(at * bytes),
  );
}
