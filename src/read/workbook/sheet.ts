import { columnLetters, ownValue, RunStopped } from '../../model/index.ts';
import { createChunkMarks } from '../damage-marks.ts';
import type { IssueText } from '../messages.ts';
import { isoDateText } from './dates.ts';
import { type FormatContext, GENERAL, type NumberFormat, plainNumber } from './number-format.ts';
import { createTextCollector, joinedText, unescaped } from './text.ts';
import type { TextStore } from './text-store.ts';
import { type Attributes, createXmlReader } from './xml.ts';
import type { ZipPart } from './zip.ts';

/** A row of a sheet that has at least one cell with text. */
export interface SheetRow {
  /** As the spreadsheet shows it. */
  readonly number: number;
  /** Ends with the last cell that has text. */
  readonly cells: string[];
  /** True if the row may have traces of damage. */
  readonly suspect: boolean;
  /** Cells with a formula whose value is not in the workbook: their columns, from 0. */
  readonly withoutValue?: readonly number[];
}

/** Facts about a sheet that warnings name, noted while its rows are read. */
export interface SheetNotes {
  hiddenRows: number;
  /** Columns, from 0. */
  hiddenColumns: number[];
  /** Cells whose text has fewer digits than their number, and the first of them. */
  rounded: number;
  firstRounded: string;
  /** Whole numbers with more digits than a spreadsheet keeps, and the first of them. */
  long: number;
  firstLong: string;
  /** Merged cells over several rows, and the range of the first. Only the upper left one has a value. */
  merged: number;
  firstMerged: string;
}

export interface SheetReaderOptions {
  /** Name of the file in messages. */
  readonly file: string;
  readonly part: ZipPart;
  readonly texts: TextStore;
  /** True if the shared texts may have traces of damage. */
  readonly hasTraces: boolean;
  readonly formats: readonly NumberFormat[];
  readonly is1904: boolean;
  readonly notes: SheetNotes;
  /** Called with the number of unpacked bytes, as they are read. */
  readonly onBytes: (bytes: number) => void;
}

/** Columns that a sheet can have: up to XFD. */
const MOST_COLUMNS = 16_384;
/** Cells of a batch, empty ones too: forty bytes of XML may be a row of 16,384 cells. */
const MAX_BATCH_CELLS = 50_000;
/** Bytes that are parsed at once, at first and at least. */
const MIN_PIECE_BYTES = 512;
/** A spreadsheet keeps 15 digits of a number, and sets the others to 0. */
const LONG_NUMBER = /^-?\d{16,}$/;

/** Reads the rows of a sheet in order, in batches. Memory holds one piece of the XML and its rows. */
export async function* sheetRows(options: SheetReaderOptions): AsyncGenerator<SheetRow[], void> {
  const { file, part, texts, formats, is1904, notes, onBytes } = options;
  const collector = createTextCollector();
  let rows: SheetRow[] = [];
  /** Cells of these rows. */
  let held = 0;
  let suspect = false;
  let isInData = false;
  let row = 0;
  let cells: string[] = [];
  let withoutValue: number[] | undefined;
  let column = -1;
  let type = '';
  let style = '';
  let value: string | undefined;
  let isValue = false;
  let isInline = false;
  let hasFormula = false;

  const cellName = () => `${columnLetters(column)}${row}`;
  const damaged = (why: string) =>
    new RunStopped('source-failed', `${file} is damaged: in its part ${part.name} ${why}.`, [
      'Open it in a spreadsheet and save it anew, or export the file again.',
    ]);
  const context: FormatContext = {
    is1904,
    onRounded() {
      if (notes.rounded++ === 0) notes.firstRounded = cellName();
    },
  };

  /** The text of a cell, by the type of its value (ECMA-376 part 1, 18.18.11). */
  const textOf: Readonly<Record<string, (raw: string) => string>> = {
    s: (raw) => texts.get(Number(raw)) ?? missingText(raw),
    str: unescaped,
    b: (raw) => (raw === '1' ? 'TRUE' : raw === '0' ? 'FALSE' : raw),
    e: (raw) => raw,
    d: (raw) => isoDateText(raw, formats[Number(style)]?.dateParts),
    n: numberText,
  };

  function missingText(raw: string): never {
    throw damaged(`the cell ${cellName()} has the text ${raw}, which is not in the workbook`);
  }

  function numberText(raw: string): string {
    const format = style === '' ? GENERAL : (formats[Number(style)] ?? GENERAL);
    const text = format.text(raw, context);
    if (LONG_NUMBER.test(text) && notes.long++ === 0) notes.firstLong = cellName();
    return text;
  }

  function beginRow({ r, hidden }: Attributes): void {
    const number = r === undefined ? row + 1 : Number(r);
    if (!(number > row)) throw damaged(`the row ${r} follows the row ${row}`);
    row = number;
    cells = [];
    withoutValue = undefined;
    column = -1;
    if (hidden === '1' || hidden === 'true') notes.hiddenRows++;
  }

  function endRow(): void {
    if (cells.length === 0 && withoutValue === undefined) return;
    held += cells.length;
    const plain = { number: row, cells, suspect };
    rows.push(withoutValue === undefined ? plain : { ...plain, withoutValue });
  }

  function beginCell({ r, t = 'n', s = '' }: Attributes): void {
    column = r === undefined ? column + 1 : columnOf(r);
    if (!(column >= 0 && column < MOST_COLUMNS)) throw damaged(`a cell is called ${r ?? cellName()}`);
    type = t;
    style = s;
    value = undefined;
    hasFormula = false;
  }

  function endCell(): void {
    const isUnknown = hasFormula && (value === undefined || (value === '' && type !== 'str'));
    if (isUnknown) {
      withoutValue ??= [];
      withoutValue.push(column);
    }
    if (value === undefined || value === '') return;
    const text = type === 'inlineStr' ? value : (ownValue(textOf, type) ?? plainNumber)(value);
    if (text === '') return;
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }

  const opening: Readonly<Record<string, (attributes: Attributes) => void>> = {
    row: beginRow,
    c: beginCell,
    v() {
      value = '';
      isValue = true;
    },
    is() {
      isInline = true;
    },
    f() {
      hasFormula = true;
    },
  };
  const closing: Readonly<Record<string, () => void>> = {
    row: endRow,
    c: endCell,
    v() {
      isValue = false;
    },
    is() {
      isInline = false;
      value = collector.take();
    },
    sheetData() {
      isInData = false;
    },
  };

  const reader = createXmlReader(
    { file, part: part.name },
    {
      open(name, attributes) {
        if (isInData) {
          if (isInline) collector.open(name);
          else ownValue(opening, name)?.(attributes);
        } else if (name === 'sheetData') isInData = true;
        else if (name === 'col') noteHidden(notes, attributes);
        else if (name === 'mergeCell') noteMerged(notes, attributes);
      },
      text(text) {
        if (isInline) collector.text(text);
        else if (isValue) value = joinedText(value ?? '', text);
      },
      close(name) {
        if (!isInData) return;
        if (isInline && name !== 'is') collector.close(name);
        else ownValue(closing, name)?.();
      },
    },
  );

  const marks = createChunkMarks();
  let before = false;
  let size = MIN_PIECE_BYTES;
  for await (const bytes of part.bytes()) {
    onBytes(bytes.length);
    const [damagedUpTo, badUpTo] = [marks.damaged, marks.bad];
    marks.look(bytes, false);
    const isMarked = marks.damaged > damagedUpTo || marks.bad > badUpTo;
    // A row may have begun in the bytes before.
    suspect = options.hasTraces || isMarked || before;
    before = isMarked;
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + size);
      at += piece.length;
      reader.write(piece);
      size = held > MAX_BATCH_CELLS ? Math.max(MIN_PIECE_BYTES, size >> 2) : 2 * size;
      if (rows.length > 0) yield rows;
      [rows, held] = [[], 0];
    }
  }
  reader.end();
}

function noteHidden({ hiddenColumns }: SheetNotes, { hidden, min, max }: Attributes): void {
  if (hidden !== '1' && hidden !== 'true') return;
  // Excel hides all columns to the right of a table with one entry.
  if (Number(max) >= MOST_COLUMNS) return;
  for (let column = Math.max(1, Number(min)); column <= Number(max); column++)
    if (hiddenColumns.length < MOST_COLUMNS) hiddenColumns.push(column - 1);
}

function noteMerged(notes: SheetNotes, { ref = '' }: Attributes): void {
  const [, first, last] = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(ref) ?? [];
  if (first === last) return;
  if (notes.merged === 0) notes.firstMerged = ref;
  notes.merged++;
}

/** `AB12` → 27 */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) & 0xdf;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column - 1;
}

export function withoutValueIssue({ number }: SheetRow, column: number, name: string | undefined): IssueText {
  const cell = `${columnLetters(column)}${number}`;
  return {
    code: 'formula-without-value',
    message:
      `The formula in ${cell} has no value: the program that wrote the workbook did not calculate it. ` +
      'Open the workbook in a spreadsheet, save it, and import that; or write the value into the cell.',
    ...(name === undefined || name === '' ? {} : { column: name }),
  };
}
