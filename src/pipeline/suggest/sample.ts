import type { SourceRules } from '../../map/index.ts';
import { open as openFile, stat } from '../../model/files/fs.ts';
import {
  ConfigError,
  isObject,
  isOwnColumn,
  type ReadFormat,
  type Row,
  restore,
  type Table,
} from '../../model/index.ts';
import type { FormatOptions, ReadOptions } from '../../read/index.ts';
import { headerCures, nameOf, openSource, readSource, type Source, settingsOf } from '../../read/index.ts';
import { columnsBeside, columnsOfObjects, type SampledFile } from '../../suggest/index.ts';
import { sourceRules } from '../inputs/source-rules.ts';

/** Rows of a file that show what its columns hold. */
export interface FileSample {
  readonly table: Table;
  /** How the file was read. */
  readonly reading: ReadFormat;
  /** How a mapping should say that the file is read; undefined for rows that are not from a file. */
  readonly source?: SourceRules | undefined;
  /** The rows from the beginning, those with faults too. */
  readonly head: readonly Row[];
  /** The part of the file that these rows take, 0 to 1; undefined if that is not known. */
  readonly headPart: number | undefined;
  /** Rows without faults: from the beginning, and of a large file also from places further down. */
  readonly rows: readonly Row[];
  /** Rows beside one that was not read: the record that they belong to may lack some of its rows. */
  readonly besideGaps: ReadonlySet<Row>;
  /** True if the sample is the whole file. */
  readonly isWhole: boolean;
  /** Says why nothing of it may be usable; see `headerCures`. */
  readonly cures?: (() => readonly string[]) | undefined;
}

/** Rows that are read from the beginning, at least. */
const HEAD_ROWS = 1000;
/** Bytes that are read at each place further down. */
const PLACE_BYTES = 48 * 1024;
/** Places in what follows the head, as parts of its size. */
const PLACES = [0.25, 0.55, 0.85];
/** Bytes of a rest that is read as a whole: in a longer one, places never share a row. */
const SHORT_REST_BYTES = 4 * PLACE_BYTES;

/** Reads a sample. Its time does not depend on the size of the file. Throws ConfigError for a file that cannot be read. */
export async function takeSample(
  file: string,
  read: FormatOptions,
  { onWarning = () => {}, stdin }: Partial<Pick<ReadOptions, 'onWarning' | 'stdin'>> = {},
): Promise<FileSample> {
  const source = await openSource(file, { ...read, onWarning, stdin });
  const rows: Row[] = [];
  let rest: Rest | undefined;
  let isWhole = true;
  try {
    for await (const batch of source.batches) {
      rows.push(...batch);
      if (rows.length < HEAD_ROWS) continue;
      const { format, packed } = source.reading();
      // Only in a CSV file that can be opened again does a piece from the middle have whole rows.
      const canSkip = source.reread?.scan !== undefined && packed === undefined && format === 'csv';
      rest = canSkip ? { from: rows.at(-1)?.offset ?? 0, size: (await stat(file)).size } : undefined;
      if (rest && rest.size - rest.from <= SHORT_REST_BYTES) continue;
      isWhole = false;
      break;
    }
  } finally {
    await source.close();
  }
  const { skippedLines = 0 } = source.reading();
  const places =
    isWhole || !rest ? [] : await furtherDown(file, { read: { ...read, skipLines: skippedLines }, rest });
  const isSound = (row: Row) => row.issues === undefined;
  const sound = [rows, ...places].map((place) => place.filter(isSound));
  const besideGaps = isWhole
    ? []
    : sound.flatMap((place, n) => (n === 0 ? [place.at(-1)] : [place[0], place.at(-1)]));
  if (sound.every((place) => place.length === 0)) refuseFaulty(source.table.file, rows);
  return {
    table: source.table,
    reading: source.reading(),
    source: sourceRules(read, source.reading()),
    head: rows,
    headPart: isWhole ? 1 : partRead(source, rows),
    rows: sound.flat(),
    besideGaps: new Set(besideGaps.filter((row) => row !== undefined)),
    isWhole,
    cures: () => headerCures(source),
  };
}

/** By the place of the last row, since bytes are read ahead of rows. Packed files are read by other bytes than rows. */
function partRead(source: Source, rows: readonly Row[]): number | undefined {
  if (source.size === undefined) return undefined;
  const end = source.reading().packed ? undefined : rows.at(-1)?.offset;
  return Math.min(1, (end ?? source.bytesRead()) / Math.max(1, source.size));
}

/** Throws ConfigError if the sample has rows, and all have faults. */
function refuseFaulty(file: string, [first]: readonly Row[]): void {
  const [issue] = first?.issues ?? [];
  if (!first || !issue) return;
  throw new ConfigError(
    `No row of ${nameOf(file)} can be read as the header says, so there is nothing to suggest from.`,
    [`Row ${first.row}: ${issue.message}`, 'Correct the file, or its header, and try again.'],
  );
}

/** The part of a file behind its head. */
interface Rest {
  /** Byte at which the last row of the head begins. The places are further down. */
  readonly from: number;
  /** Bytes of the whole file. */
  readonly size: number;
}

/**
 * Rows from places behind the head, read as a file made of the header and pieces that begin and end at line ends. A piece may
 * begin in a cell with line ends; such rows mostly have another number of cells, so the reader marks them.
 */
async function furtherDown(
  file: string,
  { read, rest }: { readonly read: FormatOptions; readonly rest: Rest },
): Promise<Row[][]> {
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
    const pieces = await Promise.all(
      PLACES.map((place) => bytesAt(Math.floor(rest.from + (rest.size - rest.from) * place))),
    );
    const whole = pieces.map((piece) =>
      piece.subarray(piece.indexOf(NEWLINE) + 1, piece.lastIndexOf(NEWLINE) + 1),
    );
    const source = await readSource(
      file,
      inOrder([head.subarray(0, headEnd), ...whole]),
      settingsOf({ ...read, onWarning: () => {} }),
    );
    const ends = whole.map((_, n) =>
      whole.slice(0, n + 1).reduce((end, { length }) => end + length, headEnd),
    );
    const places: Row[][] = ends.map(() => []);
    for await (const batch of source.batches)
      for (const row of batch) {
        const { offset = 0 } = row;
        if (offset >= headEnd) places[ends.findIndex((end) => offset < end)]?.push(row);
      }
    return places;
  } finally {
    await handle.close();
  }
}

const NEWLINE = 0x0a;

async function* inOrder(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

/** The sample as columns, without those that storeport added to a report. */
export function sampledFileOf({ table, rows, isWhole }: FileSample): SampledFile {
  if (table.items !== undefined) return columnsOfObjects(rows.map(({ value }) => value).filter(isObject));
  const all = table.header.map((header, index) => ({
    name: header.trim(),
    cells: rows.map(({ cells }) => restore(cells[index] ?? '')),
  }));
  const beside = columnsBeside(all).filter(({ name }) => name !== '');
  const columns = all.filter(
    (column) => column.name !== '' && !isOwnColumn(column.name) && !beside.includes(column),
  );
  return { columns, beside, numbers: rows.map(({ row }) => row), isWhole };
}
