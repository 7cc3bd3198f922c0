import { isUtf8 } from 'node:buffer';
import type { Issue, Position, Row, Table } from '../../model/index.ts';
import { createChunkMarks } from '../damage-marks.ts';
import type { Damage, IssueText } from '../messages.ts';
import * as messages from '../messages.ts';
import { type Limits, MAX_COLUMNS, type TableLayout } from '../options.ts';
import {
  completeRow,
  headerTable,
  letteredTable,
  type RowPlace,
  refuseFirstRow,
  refuseHeader,
} from '../table/table.ts';
import { uncorrectedFinder } from '../table/uncorrected.ts';
import { countBreaks } from './damage.ts';
import type { Dialect } from './engine.ts';
import { createSplitter, type RowSpan } from './splitter.ts';

/**
 * Turns bytes into numbered rows. The first row that is not blank is the header, unless the header is known already or
 * the file has none.
 */
export interface RowReader {
  /** Undefined until the header was read. */
  readonly table: Table | undefined;
  /** The position of the first row of data; undefined until the header was read. */
  readonly begin: Position | undefined;
  /** Takes the next bytes, without a byte order mark, and yields the rows that they complete. */
  read(chunk: Buffer, end: boolean): Generator<Row[], void>;
  /** The position from which another reader can read on; undefined if only this one can. */
  next(): Position | undefined;
}

/** The position of the first byte that is read. */
export interface Start extends Position {
  /** Set if the header was read before. */
  readonly table?: Table;
}

export interface RowReaderOptions {
  /** As the user named it. */
  readonly file: string;
  readonly dialect: Dialect;
  readonly limits: Limits;
  readonly layout: Pick<TableLayout, 'noHeader' | 'padRows'>;
  /** True if the rows at the beginning of the file all lack their last cells. */
  readonly areShort: boolean;
  /** Called with each warning about the header. */
  readonly onWarning: (warning: Issue) => void;
  readonly start: Start;
  /** Returns the encoding of the file, for messages. */
  readonly encoding: () => string;
}

export function createRowReader(options: RowReaderOptions): RowReader {
  const { file, dialect, limits, layout, areShort, onWarning, start, encoding } = options;
  let { table } = start;
  let width = table?.header.length ?? 0;
  let findUncorrected = table && uncorrectedFinder(table.header);
  let number = start.row - 1;
  let rows: Row[] = [];
  let begin: Position | undefined;
  const marks = createChunkMarks();
  const { maxRowBytes } = limits;
  const splitter = createSplitter({
    ...{ dialect, maxRowBytes, file: messages.nameOf(file), onRow },
    linesAbove: start.line - 1,
  });
  const settings = { quote: dialect.quote, maxRowBytes };

  function* passOn() {
    if (rows.length === 0) return;
    const ready = rows;
    rows = [];
    yield ready;
  }

  function onRow(cells: string[], span: RowSpan, damage?: Damage): void {
    number += 1;
    const line = start.line - 1 + span.line;
    if (damage === undefined && isBlank(cells)) return;
    if (table === undefined) {
      if (damage === undefined && isSeparatorLine(cells)) return;
      const place = { file, row: number, line };
      if (damage !== undefined) {
        const { message } = messages.damagedRow([], damage, settings);
        throw layout.noHeader ? refuseFirstRow(place, message) : refuseHeader(place, 'is damaged', message);
      }
      table = readHeader(cells, place, span);
      width = cells.length;
      findUncorrected = uncorrectedFinder(table.header);
      const offset = start.offset + (layout.noHeader ? span.start : span.end);
      begin = layout.noHeader
        ? { row: number, line, offset }
        : { row: number + 1, line: line + 1 + countBreaks(cells), offset };
      if (!layout.noHeader) return;
    }
    if (layout.padRows && damage === undefined) while (cells.length < width) cells.push('');
    const issues = damage
      ? [messages.damagedRow(table.header, damage, settings)]
      : ((isSound(cells, span) ? undefined : issuesOf(table, cells, span)) ?? uncorrected(cells));
    const offset = start.offset + span.start;
    const suspect = span.start < marks.damaged;
    // Such a row has issues, unless all cells beyond the header are empty.
    const kept = cells.length > MAX_COLUMNS ? cells.slice(0, MAX_COLUMNS) : cells;
    rows.push(completeRow({ table, row: number, line, cells: kept, offset, suspect }, issues));
  }

  /** True if no cell needs a closer look. */
  function isSound(cells: readonly string[], { start, end }: RowSpan): boolean {
    return (
      cells.length === width && start >= marks.bad && start >= marks.nul && end - start <= limits.maxCellBytes
    );
  }

  /**
   * True if a row has no content: an empty line. In a table of one column a row of blanks counts, since it may be
   * meant.
   */
  function isBlank(cells: readonly string[]): boolean {
    return cells.length === 1 && (cells[0] === '' || (width !== 1 && cells[0]!.trim() === ''));
  }

  /** `sep=;`: the line that declares the delimiter to Excel. */
  function isSeparatorLine(cells: readonly string[]): boolean {
    return /^sep=.[ \t]*$/i.test(cells.join(dialect.delimiter));
  }

  /** Refuses a row of a report again as long as its content is unchanged. */
  function uncorrected(cells: readonly string[]) {
    const issues = findUncorrected?.(cells) ?? [];
    return issues.length === 0 ? undefined : issues;
  }

  function issuesOf({ header }: Table, cells: readonly string[], span: RowSpan): IssueText[] | undefined {
    const found = [...cellIssues(header, cells, span)];
    const ragged = cells.length < width || cells.findIndex((cell, i) => i >= width && cell !== '') !== -1;
    if (ragged) found.push(messages.raggedRow(header, cells, areShort));
    return found.length === 0 ? undefined : found;
  }

  function* cellIssues(header: readonly string[], cells: readonly string[], span: RowSpan) {
    const { start, end } = span;
    // Sound text may contain U+FFFD too; only the bytes show the difference.
    const bad = start < marks.bad && !isUtf8(splitter.raw(span));
    const nul = start < marks.nul;
    const long = end - start > limits.maxCellBytes;
    for (const [index, cell] of cells.entries()) {
      const at = { header, index };
      if (bad && cell.includes('\uFFFD')) yield messages.badBytes(at, cell, encoding());
      if (nul && cell.includes('\0')) yield messages.nulByte(at);
      if (!long) continue;
      const bytes = Buffer.byteLength(cell);
      if (bytes > limits.maxCellBytes) yield messages.longCell(at, bytes, limits.maxCellBytes);
    }
  }

  function readHeader(cells: readonly string[], place: RowPlace, span: RowSpan): Table {
    if (layout.noHeader && cells.length <= MAX_COLUMNS) return letteredTable(file, cells.length);
    // In a wrong encoding most names are bad; one warning is enough.
    return headerTable(cells, { place, faults: cellIssues(cells, cells, span), onWarning });
  }

  return {
    get table() {
      return table;
    },
    get begin() {
      return begin;
    },
    *read(chunk, end) {
      marks.look(chunk, end);
      for (const _ of splitter.feed(chunk, end)) yield* passOn();
      yield* passOn();
    },
    next() {
      const at = splitter.restart();
      return at && { row: number + 1, line: start.line - 1 + at.line, offset: start.offset + at.start };
    },
  };
}
