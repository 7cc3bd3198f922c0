import { open as openFile, stat } from 'node:fs/promises';
import { isObject, isOwnColumn, type Row, type Table } from '../../model/index.ts';
import { openSource, readSource, settingsOf } from '../../read/index.ts';
import { columnsOfObjects, type SampledFile } from '../../suggest/index.ts';
import type { FormatOptions } from '../inputs/inputs.ts';

/** Rows of a file that show what its columns hold. */
export interface FileSample {
  readonly table: Table;
  /** Rows without faults: from the beginning, and of a large file also from places further down. */
  readonly rows: readonly Row[];
  /** True if the sample is the whole file. */
  readonly isWhole: boolean;
}

/** Rows that are read from the beginning. */
const HEAD_ROWS = 1000;
/** Bytes that are read at each place further down. */
const PLACE_BYTES = 48 * 1024;
const PLACES = [0.3, 0.6, 0.9];

/** Reads a sample. Its time does not depend on the size of the file. Throws ConfigError for a file that cannot be read. */
export async function takeSample(file: string, read: FormatOptions): Promise<FileSample> {
  const source = await openSource(file, read);
  const rows: Row[] = [];
  let isWhole = true;
  try {
    for await (const batch of source.batches) {
      rows.push(...batch);
      if (rows.length < HEAD_ROWS) continue;
      isWhole = false;
      break;
    }
  } finally {
    await source.close();
  }
  const { format, packed } = source.reading();
  const more = isWhole || packed !== undefined || format !== 'csv' ? [] : await furtherDown(file, read);
  const sound = [...rows, ...more].filter((row) => row.issues === undefined);
  return { table: source.table, rows: sound, isWhole };
}

/**
 * Rows from places further down, read as a file made of the header and pieces that begin and end at line ends. A piece may
 * begin in a cell with line ends; such rows mostly have another number of cells, so the reader marks them.
 */
async function furtherDown(file: string, read: FormatOptions): Promise<Row[]> {
  const { size } = await stat(file);
  const handle = await openFile(file);
  const bytesAt = async (at: number) => {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PLACE_BYTES), 0, PLACE_BYTES, at);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const head = await bytesAt(0);
    // In UTF-16 a line end is two bytes, at even places.
    if (head.includes(0)) return [];
    const headEnd = head.lastIndexOf(NEWLINE) + 1;
    const pieces = await Promise.all(PLACES.map((place) => bytesAt(Math.floor(size * place))));
    const whole = pieces.map((piece) =>
      piece.subarray(piece.indexOf(NEWLINE) + 1, piece.lastIndexOf(NEWLINE) + 1),
    );
    const source = await readSource(
      file,
      inOrder([head.subarray(0, headEnd), ...whole]),
      settingsOf({ ...read, onWarning: () => {} }),
    );
    const rows: Row[] = [];
    for await (const batch of source.batches) rows.push(...batch);
    const first = rows.findIndex(({ offset }) => (offset ?? 0) >= headEnd);
    return first < 0 ? [] : rows.slice(first);
  } finally {
    await handle.close();
  }
}

const NEWLINE = 0x0a;

async function* inOrder(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

/** The sample as columns, without those that storeport added to a report. */
export function sampledFileOf({ table, rows }: FileSample): SampledFile {
  if (table.items !== undefined) return columnsOfObjects(rows.map(({ value }) => value).filter(isObject));
  const columns = table.header.flatMap((name, index) =>
    name.trim() === '' || isOwnColumn(name)
      ? []
      : [{ name, cells: rows.map(({ cells }) => cells[index] ?? '') }],
  );
  return { columns };
}
