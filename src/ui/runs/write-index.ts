import type { FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { appendFile, mkdirSync, open, writeFile } from '../../model/files/fs.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER, removeFolder, replaceFileSync } from '../../model/index.ts';
import { syncNamesIn } from '../../write/index.ts';
import { syncFilesIn } from '../state-files.ts';
import { type Correct, correcting, isCorrected } from './corrections.ts';
import { INDEX_FILES, type IndexedRow, type IndexFacts, indexFolders } from './row-index.ts';

export interface IndexWriter {
  /** Folder of the files until the index is whole. */
  readonly folder: string;
  /** Rows so far. */
  readonly total: number;
  add(row: IndexedRow): Promise<void>;
}

/** Bytes of rows that are written at once, and row numbers of one cause. */
const BATCH_BYTES = 256 * 1024;
const BATCH_NUMBERS = 256;

/**
 * Writes the files of a new index. It appears under its name when it is whole and on the disk. `ownFrom`: see
 * `IndexFacts`.
 */
export async function writeIndex(
  folder: string,
  ownFrom: number,
  work: (writer: IndexWriter) => Promise<Omit<IndexFacts, 'total' | 'corrected' | 'touched'>>,
): Promise<string> {
  const latest = Number(basename(indexFolders(folder)[0] ?? '0'));
  const path = join(folder, String(latest + 1));
  const part = `${path}.part`;
  for (const stale of [part, path]) removeFolder(stale);
  mkdirSync(part, { mode: PRIVATE_FOLDER });
  try {
    await writeFiles(part, ownFrom, work);
    await syncFilesIn(part);
  } catch (error) {
    removeFolder(part);
    throw error;
  }
  replaceFileSync(part, path);
  await syncNamesIn(folder);
  return path;
}

async function writeFiles(
  folder: string,
  ownFrom: number,
  work: Parameters<typeof writeIndex>[2],
): Promise<void> {
  const rows = await open(join(folder, INDEX_FILES.rows), 'w', PRIVATE_FILE);
  try {
    const places = await open(join(folder, INDEX_FILES.places), 'w', PRIVATE_FILE);
    try {
      const { writer, end } = writerOf(folder, { rows, places, correct: correcting([], ownFrom) });
      const { causes, ...facts } = await work(writer);
      const { counts, ...sums } = await end();
      const counted = causes.map((cause) => ({ ...cause, rows: counts[cause.cause] ?? 0 }));
      const whole: IndexFacts = { ...facts, ...sums, total: writer.total, causes: counted };
      await writeFile(join(folder, INDEX_FILES.facts), JSON.stringify(whole), { mode: PRIVATE_FILE });
    } finally {
      await places.close();
    }
  } finally {
    await rows.close();
  }
}

interface Written {
  /** Rows of each cause. */
  readonly counts: readonly number[];
  /** Rows with corrections that can be sent. */
  readonly corrected: number;
  readonly touched: number;
}

interface WriterParts {
  readonly rows: FileHandle;
  readonly places: FileHandle;
  /** Corrects a row by what is kept with it. */
  readonly correct: Correct;
}

function writerOf(
  folder: string,
  { rows, places, correct }: WriterParts,
): { readonly writer: IndexWriter; readonly end: () => Promise<Written> } {
  const counts: number[] = [];
  const numbers = new Map<number, number[]>();
  let [total, corrected, touched, bytes] = [0, 0, 0, 0];
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
    const file = join(folder, INDEX_FILES.cause(cause));
    await appendFile(file, Buffer.from(list.buffer), { mode: PRIVATE_FILE });
  };
  return {
    writer: {
      folder,
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
        if (row.e && isCorrected(correct(total, row))) corrected++;
        if (row.e || row.d) touched++;
        total++;
        if (held >= BATCH_BYTES) await flushRows();
      },
    },
    async end() {
      await flushRows();
      for (const cause of [...numbers.keys()]) await flushCause(cause);
      return { counts, corrected, touched };
    },
  };
}

async function write(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
}
