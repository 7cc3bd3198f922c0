import {
  type Completed,
  createReturningKeys,
  group,
  type KeySet,
  openParts,
  openRowTables,
} from '../../group/index.ts';
import { identifierOf, normalisedKey, type Row, type SourceRecord, type Table } from '../../model/index.ts';
import type { SourceInput } from '../inputs/inputs.ts';
import { conflictOf } from './disagreements.ts';

/** The files to read, and the function that completes records whose rows are apart. */
export interface Apart {
  readonly inputs: readonly SourceInput[];
  readonly completed?: Completed | undefined;
  /** Removes the temporary files. */
  close(): void;
}

type Rereadable = SourceInput & { readonly again: () => AsyncIterable<readonly Row[]> };

/**
 * Finds records whose rows are apart, in all files, before the first record is emitted: a record is sent whole or not at
 * all. Rows of such records are kept on disk until the first of them is read again. All other rows are streamed. If no
 * rows are apart, this costs one quick pass over the keys.
 *
 * Yields while it reads, so that the caller can stop it. Throws RunStopped if a file cannot be read or the disk fails.
 */
export async function* findApart(given: readonly SourceInput[], folder: string): AsyncGenerator<void, Apart> {
  const open: { close(): void }[] = [];
  const close = () => {
    for (const each of open.splice(0)) each.close();
  };
  let isFound = false;
  try {
    const inputs: Rereadable[] = [];
    for (const input of given) {
      const { again } = input;
      inputs.push(again ? { ...input, again } : yield* onDisk(input, folder, open));
    }
    const keys = yield* returningKeys(inputs);
    const apart = keys.size === 0 ? undefined : yield* collect(inputs, keys, folder, open);
    isFound = true;
    return { inputs, completed: apart?.completed, close };
  } finally {
    if (!isFound) close();
  }
}

/** Copies rows of standard input to disk, since it can be read only once. */
async function* onDisk(
  input: SourceInput,
  folder: string,
  open: { close(): void }[],
): AsyncGenerator<void, Rereadable> {
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
async function* returningKeys(inputs: readonly Rereadable[]): AsyncGenerator<void, KeySet> {
  const regular = new Set<SourceInput>(inputs);
  for (;;) {
    const keys = createReturningKeys();
    let failed: SourceInput | undefined;
    for (const input of inputs) {
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
  { source: { reread }, binding: { groupColumn, continues } }: SourceInput,
  see: (key: string) => void,
): AsyncGenerator<void, boolean> {
  if (!reread?.scan || groupColumn === undefined) return false;
  return yield* reread.scan(groupColumn, (text) => {
    const key = identifierOf(text);
    if (key !== '' || !continues) see(key);
  });
}

interface Part extends SourceRecord {
  readonly key: string;
}

/** Groups consecutive rows in the same way as records are made later. */
async function* consecutive({ again, binding }: Rereadable): AsyncGenerator<Part[]> {
  const { groupKeyOf: keyOf, continues } = binding;
  const grouping = { keyOf, emptyContinues: continues !== undefined };
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

async function* collect(
  inputs: readonly Rereadable[],
  keys: KeySet,
  folder: string,
  open: { close(): void }[],
): AsyncGenerator<void, Pick<Apart, 'completed'>> {
  const parts = openParts(
    folder,
    inputs.map(({ source }) => source.table),
  );
  open.push(parts);
  for (const input of inputs)
    for await (const records of consecutive(input)) {
      for (const { key, rows } of records)
        if (keys.has(key)) parts.add(normalisedKey(key), rows.map(inTable(input.source.table)));
      yield;
    }
  const [{ binding }] = inputs as [SourceInput, ...SourceInput[]];
  return {
    completed(key, rows) {
      if (!keys.has(key)) return { rows };
      const whole = parts.completed(rows);
      if (!whole?.isApart) return whole;
      const issues = conflictOf(whole, binding, key);
      return { rows: whole.rows, issues, warnings: whole.hasRepeated ? REPEATED : PUT_TOGETHER };
    },
  };
}

const PUT_TOGETHER = ['Rows of a record are apart from its others, and were put together with them.'];
const REPEATED = [
  ...PUT_TOGETHER,
  'A row that is apart repeats a row of its record cell by cell, and was left out.',
];
