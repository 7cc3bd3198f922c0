import {
  type Completed,
  createReturningKeys,
  group,
  type KeySet,
  openParts,
  openRowTables,
} from '../../group/index.ts';
import { identifierOf, normalisedKey, type Row, type SourceRecord, type Table } from '../../model/index.ts';
import type { InputFile } from '../inputs/inputs.ts';
import { conflictOf } from './disagreements.ts';

/** The files to read, and the function that completes groups whose rows are apart. */
export interface SplitGroups {
  readonly files: readonly InputFile[];
  /** Undefined if no rows are apart. */
  readonly completed?: Completed | undefined;
  /** Removes the temporary files. */
  close(): void;
}

type Rereadable = InputFile & { readonly again: () => AsyncIterable<readonly Row[]> };

/** Temporary files of a search. */
interface Spill {
  readonly folder: string;
  /** To be closed if the search fails, or at the end of the run. */
  readonly open: { close(): void }[];
}

/**
 * Finds records whose rows are apart, in all files, before the first record is emitted: a record is sent whole or not at
 * all. Rows of such records are kept on disk until the first of them is read again. All other rows are streamed. If no
 * rows are apart, this costs one quick pass over the keys.
 *
 * Yields while it reads, so that the caller can stop it. Throws RunStopped if a file cannot be read or the disk fails.
 */
export async function* findSplitGroups(
  given: readonly InputFile[],
  folder: string,
): AsyncGenerator<void, SplitGroups> {
  const spill: Spill = { folder, open: [] };
  const close = () => {
    for (const each of spill.open.splice(0)) each.close();
  };
  let isFound = false;
  try {
    const files: Rereadable[] = [];
    for (const input of given) {
      const { again } = input;
      files.push(again ? { ...input, again } : yield* onDisk(input, spill));
    }
    const keys = yield* returningKeys(files);
    const completed = keys.size === 0 ? undefined : yield* collect(files, keys, spill);
    isFound = true;
    return { files, completed, close };
  } finally {
    if (!isFound) close();
  }
}

/** Copies rows of standard input to disk, since it can be read only once. */
async function* onDisk(input: InputFile, { folder, open }: Spill): AsyncGenerator<void, Rereadable> {
  const tables = openRowTables(folder);
  open.push(tables);
  for await (const rows of input.source.batches) {
    for (const row of rows) tables.add(row);
    yield;
  }
  async function* again(): AsyncGenerator<Row[]> {
    let batch: Row[] = [];
    for (const row of tables.rows()) {
      if (batch.push(row) < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
  return { ...input, again, source: { ...input.source, batches: again() } };
}

/** Few, see the invariant on memory in ARCHITECTURE.md. */
const BATCH_ROWS = 50;

/** Keys of records that begin more than once. */
async function* returningKeys(files: readonly Rereadable[]): AsyncGenerator<void, KeySet> {
  const regular = new Set<InputFile>(files);
  for (;;) {
    const keys = createReturningKeys();
    let failed: InputFile | undefined;
    for (const input of files) {
      // If a record continues in the next file, it has two parts.
      keys.see('');
      if (!regular.has(input)) yield* readKeys(input, keys.see);
      else if (!(yield* scan(input, keys.see))) failed = input;
      if (failed) break;
    }
    if (!failed) return keys.found;
    // Starts again, since keys that the failed scan has seen must not be seen twice.
    regular.delete(failed);
  }
}

async function* readKeys(input: Rereadable, see: (key: string) => void): AsyncGenerator<void> {
  for await (const records of consecutive(input)) {
    for (const { key } of records) see(key);
    yield;
  }
}

/** Returns false if the keys cannot be scanned, so that the rows must be read. */
async function* scan(
  { source: { reread }, binding: { groupColumn, continuesAbove } }: InputFile,
  see: (key: string) => void,
): AsyncGenerator<void, boolean> {
  if (!reread?.scan || groupColumn === undefined) return false;
  return yield* reread.scan(groupColumn, (text) => {
    const key = identifierOf(text);
    if (key !== '' || !continuesAbove) see(key);
  });
}

interface Part extends SourceRecord {
  readonly key: string;
}

/** Groups consecutive rows in the same way as records are made later. */
async function* consecutive({ again, binding }: Rereadable): AsyncGenerator<Part[]> {
  const { groupKeyOf: keyOf, continuesAbove } = binding;
  const grouping = { keyOf, emptyContinues: continuesAbove !== undefined };
  for await (const records of group(again(), grouping))
    yield records.map(({ seq, rows }) => {
      const [first] = rows;
      return { seq, rows, key: (first && keyOf?.(first)) ?? '' };
    });
}

/** Moves rows to one table: a file that is opened again has another, and rows of one record must share theirs. */
function inTable(table: Table): (row: Row) => Row {
  return (row) => (row.table === table ? row : { ...row, table });
}

/** Keeps the rows of these keys on disk. Returns the function that puts them together. */
async function* collect(
  files: readonly Rereadable[],
  keys: KeySet,
  { folder, open }: Spill,
): AsyncGenerator<void, Completed> {
  const parts = openParts(
    folder,
    files.map(({ source }) => source.table),
  );
  open.push(parts);
  for (const input of files)
    for await (const records of consecutive(input)) {
      for (const { key, rows } of records)
        if (keys.has(key)) parts.add(normalisedKey(key), rows.map(inTable(input.source.table)));
      yield;
    }
  const [{ binding }] = files as [InputFile, ...InputFile[]];
  return (key, rows) => {
    if (!keys.has(key)) return { rows };
    const whole = parts.completed(rows);
    if (!whole?.isApart) return whole;
    const issues = conflictOf(whole.rows, binding, key);
    return { rows: whole.rows, issues, warnings: whole.hasRepeated ? REPEATED : PUT_TOGETHER };
  };
}

const PUT_TOGETHER = ['Rows of a record are apart from its others, and were put together with them.'];
const REPEATED = [
  ...PUT_TOGETHER,
  'A row that is apart repeats a row of its record cell by cell, and was left out.',
];
