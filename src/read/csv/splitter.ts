import { RunStopped } from '../../model/index.ts';
import { CR } from '../bytes/bytes.ts';
import type { Damage } from '../messages.ts';
import { MAX_COLUMNS } from '../options.ts';
import {
  bareCell,
  countBreaks,
  findLineEnd,
  type OddCell,
  paddedCell,
  quoteDamage,
  type Rest,
  startsWith,
} from './damage.ts';
import { createEngine, type Dialect } from './engine.ts';
import { regularRowReader } from './regular-rows.ts';
import { createRowCells, dropSurplus } from './row-cells.ts';

/** Position of a row: the line on which it starts, the offset of its first byte and the one after its last. */
export interface RowSpan {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Called with one row. The span is reused: it changes before the next call. A row has at most one cell more than
 * MAX_COLUMNS, which stands for all that follow.
 */
export type OnRow = (cells: string[], span: RowSpan, damage?: Damage) => void;

export interface SplitterOptions {
  readonly dialect: Dialect;
  readonly maxRowBytes: number;
  /** Name of the file in messages. */
  readonly file: string;
  /** Lines of the file above the first byte, for messages. Default 0. */
  readonly linesAbove?: number;
  readonly onRow: OnRow;
  /** True to have csv-parse read all rows: tests compare the two. */
  readonly isByLibrary?: boolean;
}

/** Splits bytes into rows, independent of chunk borders. Offsets count from the first byte fed. */
export interface Splitter {
  /**
   * Passes on the rows that `chunk` completes. With `end` no chunk may follow. Yields now and then, since a broken quote may
   * release megabytes of rows at once.
   */
  feed(chunk: Buffer, end: boolean): Generator<void, void>;
  /** Returns the bytes of the row that is being passed on. */
  raw(span: RowSpan): Buffer;
  /**
   * Returns the line and the offset of the next row, if another splitter could read on there: all bytes so far are whole
   * rows, and none is damaged. Otherwise undefined.
   */
  restart(): { readonly line: number; readonly start: number } | undefined;
}

/** With more damaged rows the file is not damaged: the dialect is wrong. */
const MAX_DAMAGED = 1000;
/** Limit for bytes that are read again after damage. A hostile file could otherwise take a minute for each megabyte. */
const MAX_REREAD_BYTES = 256 * 1024 * 1024;
/** An unfinished row of more bytes is read by csv-parse, which does not begin again with each chunk. */
const MOST_UNFINISHED_BYTES = 64 * 1024;
/** Bytes that csv-parse reads between two yields. */
const ENGINE_BYTES = 16 * 1024;
/** A file in which csv-parse had to take over more often is left to it. */
const MOST_TAKEOVERS = 200;
/** Bytes kept of a cell that is too long to hold. */
const KEPT_BYTES = 1000;

/** A place at which the engine failed, kept until enough bytes are there to get past it. */
interface Trouble {
  readonly kind: 'literal-quote' | 'bad-quote' | 'too-long' | 'skip-line';
  /** Offset of the cell with the fault. */
  readonly cellStart: number;
}

/**
 * Splits regular rows by itself (`regular-rows.ts`). At a row that is not regular csv-parse takes over, until the chunk
 * ends. If that row breaks the rules of quoting, it is handled here, and a new engine resumes after it. The bytes since
 * the last complete row are kept for that.
 *
 *     a,15" screen,b      a quote inside a bare cell is data: a new engine resumes at the next cell
 *     a, "b" ,c           blanks around a quoted cell have no meaning: likewise
 *     a,"b                damaged: the row ends with the line on which the bad cell starts, so that one
 *     c,"d" e             missing quote does not swallow the rows below it
 */
export function createSplitter(options: SplitterOptions): Splitter {
  const { dialect, maxRowBytes, file, linesAbove = 0, onRow, isByLibrary } = options;
  const readRegular = isByLibrary ? undefined : regularRowReader(dialect, maxRowBytes);
  const delimiter = Buffer.from(dialect.delimiter);
  const separators = { delimiter, quote: dialect.quote };
  let engine = createEngine(dialect, maxRowBytes);
  /** Offset of the engine's first byte, and its line count at the last push. */
  let engineStart = 0;
  let engineLines = 0;
  // One object for all rows, since an object for each would be garbage for each.
  const span = { line: 1, start: 0, end: 0 };
  /** Cells of the current row that earlier engines read. */
  const before = createRowCells();
  let held: Buffer[] = [];
  let heldStart = 0;
  let trouble: Trouble | undefined;
  /** Offset up to which bytes must be there before the trouble is looked at again. */
  let enough = 0;
  let damaged = 0;
  let rereadBytes = 0;
  /** False while csv-parse reads. */
  let isRegular = readRegular !== undefined;
  let takeovers = 0;

  const nothing = () => {};
  const push = (cells: string[]) => {
    const lines = engine.info.lines;
    const plain = lines - engineLines === 1 && before.cells.length === 0;
    engineLines = lines;
    const whole = plain ? cells : [...before.cells, ...cells];
    engine.state.expectedRecordLength = whole.length;
    // Lines are counted here: the engine counts a quoted CR LF twice.
    span.end = engineStart + engine.info.bytes;
    emit(whole, plain ? 0 : countBreaks(whole));
  };

  /** Passes on the row that ends at `span.end`. `breaks` is the number of line breaks in its cells. */
  function emit(cells: string[], breaks: number, damage?: Damage): void {
    if (cells.length > MAX_COLUMNS) dropSurplus(cells);
    onRow(cells, span, damage);
    span.line += 1 + breaks + before.droppedBreaks;
    span.start = span.end;
    before.restart();
  }

  function heldBytes(): Buffer {
    if (held.length !== 1) held = [Buffer.concat(held)];
    return held[0]!;
  }

  function heldLength(): number {
    return held.reduce((sum, { length }) => sum + length, 0);
  }

  function diagnose(code: string): Trouble {
    const { record, quoting } = engine.state;
    const cellStart =
      record.length === 0
        ? Math.max(span.start, engineStart)
        : engineStart + engine.info.bytes + delimiter.length;
    let kind: Trouble['kind'];
    if (code === 'INVALID_OPENING_QUOTE') kind = 'literal-quote';
    else if (code === 'CSV_INVALID_CLOSING_QUOTE' || code === 'CSV_QUOTE_NOT_CLOSED') kind = 'bad-quote';
    else if (code === 'CSV_MAX_RECORD_SIZE') kind = quoting ? 'bad-quote' : 'too-long';
    else throw new Error(`csv-parse stopped with ${code}, which no option here allows.`);
    before.take(record);
    return { kind, cellStart };
  }

  /**
   * Finds a row of more bytes and more cells than any may have: csv-parse does not count delimiters as bytes of a row.
   * `rest`: held bytes that the engine has not read.
   */
  function endless(rest: Buffer): Trouble | undefined {
    const { record } = engine.state;
    const isWide = before.cells.length + record.length > MAX_COLUMNS;
    before.shorten(record);
    const read = heldStart + heldLength() - rest.length - span.start;
    if (!isWide || read <= maxRowBytes) return undefined;
    const cellStart = span.start + maxRowBytes - KEPT_BYTES;
    before.take(record);
    return { kind: 'too-long', cellStart };
  }

  /** Starts an engine at `offset` and returns the bytes that it must read at once. */
  function beginAt(offset: number): Buffer {
    trouble = undefined;
    engine = createEngine(dialect, maxRowBytes);
    engineStart = offset;
    engineLines = 0;
    return heldBytes().subarray(offset - heldStart);
  }

  const emitRegular = (cells: string[], next: number, breaks: number) => {
    span.end = heldStart + next;
    emit(cells, breaks);
  };

  /** Reads regular rows from the first unfinished one on. Returns the bytes that csv-parse must read at once. */
  function passRegular(end: boolean): Buffer | undefined {
    const bytes = heldBytes();
    const isOver = readRegular?.(bytes, span.start - heldStart, emitRegular);
    const unfinished = bytes.subarray(span.start - heldStart);
    // Only they are joined with the next chunk.
    [held, heldStart] = [[unfinished], span.start];
    const isLong = unfinished.length > MOST_UNFINISHED_BYTES;
    // The last row may have no line end: only csv-parse says whether it is one.
    if (!isOver && !isLong && !end) return undefined;
    isRegular = false;
    takeovers += 1;
    return beginAt(span.start);
  }

  /** True if the unfinished row, which is short, can be read again from its beginning. */
  function canBeRegular(chunk: Buffer): boolean {
    if (readRegular === undefined || takeovers > MOST_TAKEOVERS || before.cells.length > 0) return false;
    return heldStart + heldLength() - span.start - chunk.length <= MOST_UNFINISHED_BYTES;
  }

  function countDamage(bytes: number): void {
    damaged += 1;
    rereadBytes += bytes;
    if (damaged <= MAX_DAMAGED && rereadBytes <= MAX_REREAD_BYTES) return;
    throw new RunStopped(
      'source-failed',
      `${file} was not read beyond line ${linesAbove + span.line}: quotes are broken in ${damaged} rows up to there, so it is ` +
        `probably not written with the delimiter ${JSON.stringify(dialect.delimiter)} and the quote ${dialect.quote}.`,
      [
        'Name the right ones with --delimiter and --quote; --quote "" reads quotes as ordinary text.',
        'Or open the file in a spreadsheet and save it again as CSV.',
      ],
    );
  }

  /** Gets past the trouble if the bytes for it are there. Returns the bytes to read next. */
  function settle(at: Trouble, end: boolean): Buffer | undefined {
    const length = heldLength();
    if (heldStart + length < enough && !end) return undefined;
    const next = tryToSettle(at, end);
    // All held bytes are joined each time. A long row is not looked at with each chunk of it, but with twice its bytes.
    const isLong = trouble?.kind !== 'skip-line' && length > MOST_UNFINISHED_BYTES;
    const isWaiting = next === undefined && isLong;
    enough = isWaiting ? Math.min(heldStart + 2 * length, span.start + maxRowBytes + 1) : 0;
    return next;
  }

  function tryToSettle({ kind, cellStart }: Trouble, end: boolean): Buffer | undefined {
    const from = cellStart - heldStart;
    const whole = { bytes: heldBytes(), end };
    if (kind === 'skip-line') return skipLine(whole, from);
    // More bytes than a row may have are not looked at, so that the result does not depend on chunk borders.
    const longest = span.start - heldStart + maxRowBytes + 1;
    const isLong = whole.bytes.length >= longest;
    const rest = isLong ? { bytes: whole.bytes.subarray(0, longest), end: false } : whole;
    const { bytes } = rest;
    const wait = () => (isLong ? cut(rest, from, end) : undefined);
    if (kind === 'too-long') return cut(rest, from, end);
    const padded = paddedCell(rest, from, separators);
    if (kind === 'literal-quote') {
      const cell = bareCell(rest, from, delimiter);
      // A quote after blanks may begin a quoted cell, but only if that closes on the same line.
      const oneLine = padded !== undefined && !/[\r\n]/.test(padded.text);
      const known = cell !== undefined && (oneLine || !opensPadded(cell.text) || lineIsWhole(rest, from));
      if (!known) return wait();
      return continueAfter(oneLine ? padded : cell, rest) ?? wait();
    }
    if (padded !== undefined) return continueAfter(padded, rest) ?? wait();
    const lineEnd = findLineEnd(rest, from);
    if (lineEnd === undefined && !rest.end) return wait();
    const cell = bytes.toString('utf8', from, lineEnd?.stop);
    span.end = heldStart + (lineEnd?.next ?? bytes.length);
    countDamage(heldStart + whole.bytes.length - span.end);
    const { cells } = before;
    emit([...cells, cell], countBreaks(cells), quoteDamage(cell, dialect.quote, cells.length));
    return beginAt(span.end);
  }

  function opensPadded(text: string): boolean {
    return text.trimStart().startsWith(dialect.quote);
  }

  function lineIsWhole(rest: Rest, from: number): boolean {
    return rest.end || findLineEnd(rest, from) !== undefined;
  }

  /** Resumes after a cell that was read without the engine. Undefined while the next bytes are unknown. */
  function continueAfter({ text, stop }: OddCell, rest: Rest): Buffer | undefined {
    if (startsWith(rest.bytes, delimiter, stop)) {
      before.add(text);
      return beginAt(heldStart + stop + delimiter.length);
    }
    const lineEnd = findLineEnd(rest, stop);
    if (lineEnd === undefined && !rest.end) return undefined;
    const cells = [...before.cells, text];
    span.end = heldStart + (lineEnd?.next ?? rest.bytes.length);
    emit(cells, countBreaks(cells));
    return beginAt(span.end);
  }

  /** Cuts a row that is too long to hold: passes on its beginning and skips the rest of its line. */
  function cut({ bytes }: Rest, from: number, end: boolean): Buffer | undefined {
    const kept = bytes.toString('utf8', from, from + KEPT_BYTES).replace(/\uFFFD$/, '');
    const { cells } = before;
    const damage = { code: 'cell-too-long', column: cells.length, found: kept } as const;
    span.end = heldStart + from;
    emit([...cells, kept], countBreaks(cells), damage);
    return skipLine({ bytes: heldBytes(), end }, from);
  }

  function skipLine(rest: Rest, from: number): Buffer | undefined {
    const { bytes, end } = rest;
    const lineEnd = findLineEnd(rest, from);
    // Keep a CR at the end for the next chunk: the LF that may follow belongs to it.
    const cr = lineEnd === undefined && !end && bytes.at(-1) === CR ? 1 : 0;
    span.start = heldStart + (lineEnd?.next ?? bytes.length - cr);
    if (lineEnd !== undefined || end) return beginAt(span.start);
    trouble = { kind: 'skip-line', cellStart: span.start };
    return undefined;
  }

  return {
    *feed(chunk, end) {
      held.push(chunk);
      isRegular ||= trouble === undefined && canBeRegular(chunk);
      let next = isRegular ? passRegular(end) : trouble === undefined ? chunk : settle(trouble, end);
      while (next !== undefined) {
        const rest: Buffer = next.subarray(ENGINE_BYTES);
        const isLast = rest.length === 0;
        const error =
          engine.parse(next.subarray(0, ENGINE_BYTES), false, push, nothing) ??
          (isLast && end ? engine.parse(undefined, true, push, nothing) : undefined);
        trouble = error === undefined ? endless(rest) : diagnose(error.code);
        if (trouble !== undefined) next = settle(trouble, end);
        else next = isLast ? undefined : rest;
        if (next !== undefined) yield;
      }
      // The file ends with a delimiter, so the last engine got no byte from which to make the last cell.
      if (end && before.cells.length > 0) {
        span.end = heldStart + heldBytes().length;
        emit([...before.cells, ''], countBreaks(before.cells));
      }
      while (held.length > 0 && heldStart + held[0]!.length <= span.start) heldStart += held.shift()!.length;
    },
    raw: ({ start, end }) => heldBytes().subarray(start - heldStart, end - heldStart),
    restart() {
      const isBetween = held.length === 0 && before.cells.length === 0 && trouble === undefined;
      return isBetween && damaged === 0 ? { line: span.line, start: span.start } : undefined;
    },
  };
}
