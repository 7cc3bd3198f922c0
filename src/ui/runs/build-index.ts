import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { generalField, type KeptRow, PRIVATE_FILE, PRIVATE_FOLDER } from '../../model/index.ts';
import { causeKey, openReturnedOf, type ReturnedOfRun, type ReturnedResult } from '../../pipeline/index.ts';
import type { CauseView } from '../api/index.ts';
import type { Correct } from './corrections.ts';
import { INDEX_FILES, type IndexedRow, type IndexFacts, indexFolders, type RowIndex } from './row-index.ts';

/** The index before, with what a person did to its rows. */
export interface CorrectedIndex {
  readonly index: RowIndex;
  readonly correct: Correct;
}

export interface BuildOptions {
  readonly home: string;
  readonly run: string;
  /** Folder of the indexes of the run. */
  readonly folder: string;
  /** State of the ledger. */
  readonly mark: string;
  /** Its corrections are carried over to the rows that are still the same. */
  readonly before: CorrectedIndex | undefined;
}

/** Writes an index of the rows that a run returns now, beside those before. Resolves with its folder. */
export async function buildIndex({ home, run, folder, mark, before }: BuildOptions): Promise<string> {
  const returned = openReturnedOf(home, run);
  try {
    return await writeIndex(folder, async (writer) => {
      const carry = carrierOf(before);
      const causes = createCauses();
      const shared = new Map<string, number>();
      for await (const record of returned.records) {
        const cause = causes.of(record);
        const elsewhere = record.elsewhere.flatMap((row) => shared.get(sharedName(row)) ?? []);
        const first = writer.total;
        for (const [k, row] of record.rows.entries()) {
          if (row.shared) shared.set(sharedName(row), writer.total);
          const indexed = rowOf(returned, record, row);
          const place = { n: record.result.seq, k, f: first, cause };
          const x = elsewhere.length > 0 ? { x: elsewhere } : {};
          await writer.add({ ...place, ...x, ...indexed, ...(await carry({ ...place, ...indexed })) });
        }
      }
      const { header, ownFrom } = returned.table;
      return { mark, header, ownFrom, causes: causes.list, hasShared: shared.size > 0 };
    });
  } finally {
    returned.close();
  }
}

/** Writes an index of the same rows, with the corrections so far as a part of the rows. */
export async function rewriteIndex(folder: string, { index, correct }: CorrectedIndex): Promise<string> {
  return writeIndex(folder, async (writer) => {
    for await (const [at, row] of index.all()) {
      const { e: _e, d: _d, ...bare } = row;
      await writer.add({ ...bare, ...correctionsOf(at, row, correct) });
    }
    const { mark, header, ownFrom, causes, hasShared } = index;
    return { mark, header, ownFrom, hasShared, causes: causes.map((cause) => ({ ...cause, rows: 0 })) };
  });
}

function sharedName({ row, cells }: KeptRow): string {
  return JSON.stringify([row, cells]);
}

function rowOf(
  { known, table }: ReturnedOfRun,
  { result }: ReturnedResult,
  row: KeptRow,
): Pick<IndexedRow, 'row' | 'message' | 'cells' | 'marks'> {
  const marks = table.marks(result)(row.row) ?? [];
  return {
    row: row.row,
    message: result.outcome.message ?? '',
    cells: table.line(result.supersededBy?.run ?? known.id, row, result),
    marks: marks.flatMap(({ column }) => (column < table.ownFrom ? [column] : [])),
  };
}

/** Makes the corrections of a row a part of the row. */
function correctionsOf(index: number, row: IndexedRow, correct: Correct): Pick<IndexedRow, 'e' | 'd'> {
  const { cells, edited, isDropped } = correct(index, row);
  return {
    ...(edited.length > 0
      ? { e: edited.map((column): [number, string] => [column, cells[column] ?? '']) }
      : {}),
    ...(isDropped ? { d: 1 } : {}),
  };
}

/** Finds the corrections of each row in the index before. Both are in the order of their records. */
function carrierOf(before: CorrectedIndex | undefined) {
  const rows = before?.index.all();
  let next = rows?.next();
  let current: readonly [index: number, row: IndexedRow] | undefined;
  const isBefore = (a: IndexedRow, b: Pick<IndexedRow, 'n' | 'k'>) => a.n < b.n || (a.n === b.n && a.k < b.k);
  return async (row: Pick<IndexedRow, 'n' | 'k' | 'cells'>): Promise<Pick<IndexedRow, 'e' | 'd'>> => {
    if (!before || !rows) return {};
    for (;;) {
      if (next !== undefined) {
        const { done, value } = await next;
        next = undefined;
        current = done ? undefined : value;
      }
      if (!current || !isBefore(current[1], row)) break;
      next = rows.next();
    }
    if (current?.[1].n !== row.n || current[1].k !== row.k) return {};
    const [index, old] = current;
    // A row with other cells was imported again meanwhile, with the corrections or with others.
    const isSame = old.cells
      .slice(0, before.index.ownFrom)
      .every((cell, column) => cell === row.cells[column]);
    return isSame ? correctionsOf(index, old, before.correct) : {};
  };
}

/** Most causes that differ by messages. Further rows share a cause by outcome and code, which are few. */
const MOST_CAUSES = 1000;

function createCauses() {
  const list: CauseView[] = [];
  const known = new Map<string, number>();
  return {
    list,
    of({ result: { outcome } }: ReturnedResult): number {
      const { outcome: status, code = '', field = '', message = '', id, kinds } = outcome;
      const [kind = { code, field, example: message }] = kinds ?? [];
      const isNew = (key: string) => !known.has(key);
      let key = causeKey(status, { ...kind, id });
      if (isNew(key) && list.length >= MOST_CAUSES) key = `${status}\n${kind.code}`;
      if (isNew(key)) {
        known.set(key, list.length);
        list.push({
          ...{ cause: list.length, outcome: status, code: kind.code, rows: 0 },
          field: generalField(kind.field ?? ''),
          example: kind.example,
        });
      }
      return known.get(key) as number;
    },
  };
}

interface IndexWriter {
  /** Rows so far. */
  readonly total: number;
  add(row: IndexedRow): Promise<void>;
}

/** Bytes of rows that are written at once, and row numbers of one cause. */
const BATCH_BYTES = 256 * 1024;
const BATCH_NUMBERS = 256;

/** Writes the files of a new index. It appears under its name when it is whole. */
async function writeIndex(
  folder: string,
  work: (writer: IndexWriter) => Promise<Omit<IndexFacts, 'total' | 'corrected'>>,
): Promise<string> {
  const latest = Number(basename(indexFolders(folder)[0] ?? '0'));
  const path = join(folder, String(latest + 1));
  const part = `${path}.part`;
  for (const stale of [part, path]) rmSync(stale, { recursive: true, force: true });
  mkdirSync(part, { mode: PRIVATE_FOLDER });
  const rows = await open(join(part, INDEX_FILES.rows), 'w', PRIVATE_FILE);
  const places = await open(join(part, INDEX_FILES.places), 'w', PRIVATE_FILE);
  const counts: number[] = [];
  const numbers = new Map<number, number[]>();
  let [total, corrected, bytes] = [0, 0, 0];
  let lines: string[] = [];
  let begins: number[] = [0];
  let held = 0;

  const flushRows = async () => {
    await write(rows, Buffer.from(lines.join('')));
    await write(places, Buffer.from(Float64Array.from(begins).buffer));
    [lines, begins, held] = [[], [], 0];
  };
  const flushCause = async (cause: number) => {
    const list = Uint32Array.from(numbers.get(cause) ?? []);
    numbers.delete(cause);
    await appendFile(join(part, INDEX_FILES.cause(cause)), Buffer.from(list.buffer), { mode: PRIVATE_FILE });
  };
  const writer: IndexWriter = {
    get total() {
      return total;
    },
    async add(row) {
      const line = `${JSON.stringify(row)}\n`;
      const size = Buffer.byteLength(line);
      bytes += size;
      held += size;
      lines.push(line);
      begins.push(bytes);
      const list = numbers.get(row.cause) ?? [];
      numbers.set(row.cause, list);
      if (list.push(total) >= BATCH_NUMBERS) await flushCause(row.cause);
      counts[row.cause] = (counts[row.cause] ?? 0) + 1;
      if (row.e && !row.d) corrected++;
      total++;
      if (held >= BATCH_BYTES) await flushRows();
    },
  };
  try {
    const { causes, ...facts } = await work(writer);
    await flushRows();
    for (const cause of [...numbers.keys()]) await flushCause(cause);
    await Promise.all([rows.sync(), places.sync()]);
    const counted = causes.map((cause) => ({ ...cause, rows: counts[cause.cause] ?? 0 }));
    const text = JSON.stringify({ ...facts, total, corrected, causes: counted } satisfies IndexFacts);
    writeFileSync(join(part, INDEX_FILES.facts), text, { mode: PRIVATE_FILE });
  } catch (error) {
    await Promise.all([rows.close(), places.close()]);
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  await Promise.all([rows.close(), places.close()]);
  renameSync(part, path);
  return path;
}

async function write(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
}
