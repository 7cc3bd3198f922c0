import { isUtf8 } from 'node:buffer';
import { ConfigError, type Issue, type Position, type Row, type Table } from '../../model/index.ts';
import { createChunkMarks } from '../damage-marks.ts';
import { checkItem, itemIn } from '../item.ts';
import { tableFrom } from '../kept.ts';
import type { Damage, IssueText } from '../messages.ts';
import * as messages from '../messages.ts';
import type { Limits, TableLayout } from '../options.ts';
import type { Dialect } from './engine.ts';
import { createSplitter, type RowSpan } from './splitter.ts';
import { uncorrectedFinder } from './uncorrected.ts';

/**
 * Turns bytes into numbered rows. The first row that is not blank is the header, unless the header is known already or
 * the file has none.
 */
export interface RowReader {
  /** Undefined until the header was read. */
  readonly table: Table | undefined;
  /** Takes the next bytes, without a byte order mark, and returns the rows that they complete. */
  read(chunk: Buffer, end: boolean): Row[];
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
  const marks = createChunkMarks();
  const { maxRowBytes } = limits;
  const splitter = createSplitter({ dialect, maxRowBytes, file: messages.nameOf(file), onRow });
  const settings = { quote: dialect.quote, maxRowBytes };

  function onRow(cells: string[], span: RowSpan, damage?: Damage): void {
    number += 1;
    const line = start.line - 1 + span.line;
    if (damage === undefined && isBlank(cells)) return;
    if (table === undefined) {
      if (damage === undefined && isSeparatorLine(cells)) return;
      if (damage !== undefined)
        throw refuseHeader(line, 'is damaged', messages.damagedRow([], damage, settings).message);
      table = layout.noHeader ? lettered(cells) : readHeader(cells, line, span);
      width = cells.length;
      findUncorrected = uncorrectedFinder(table.header);
      if (!layout.noHeader) return;
    }
    if (layout.padRows && damage === undefined) while (cells.length < width) cells.push('');
    const issues = damage
      ? [messages.damagedRow(table.header, damage, settings)]
      : ((isSound(cells, span) ? undefined : issuesOf(table, cells, span)) ?? uncorrected(cells));
    const offset = start.offset + span.start;
    const suspect = span.start < marks.damaged;
    const row = { table, row: number, line, cells, offset, suspect };
    if (issues !== undefined) rows.push({ ...row, issues: locate(issues, line) });
    else rows.push(table.items ? itemRow(row) : row);
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

  /** Builds a row of an errors.csv of a JSON import, in which each cell is an item. */
  function itemRow(row: Row): Row {
    const { table, cells, line } = row;
    const { value, problem } = checkItem(
      itemIn(table.header, cells),
      (at) => `character ${at + 1} of the cell`,
    );
    return value === undefined ? { issues: locate([problem], line), ...row } : { value, ...row };
  }

  /** Refuses a row of a report again as long as its content is unchanged. */
  function uncorrected(cells: readonly string[]) {
    const issue = findUncorrected?.(cells);
    return issue && [issue];
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

  function locate(issues: readonly Omit<Issue, 'origin'>[], line: number): Issue[] {
    const origin = { file, row: number, line };
    return issues.map((issue) => ({ origin, ...issue }));
  }

  function refuseHeader(line: number, what: string, hint: string): ConfigError {
    const where = `row ${number} (line ${line})`;
    if (layout.noHeader)
      return new ConfigError(
        `${messages.nameOf(file)} cannot be read without a header: ${where} ${what}, and the first row shows how many columns there are.`,
        [hint],
      );
    return new ConfigError(`${messages.nameOf(file)} has no readable header: ${where} ${what}.`, [hint]);
  }

  /** Builds the table of a file without a header from its first row. */
  function lettered(cells: readonly string[]): Table {
    return tableFrom(
      file,
      cells.map((_, index) => messages.columnLetters(index)),
    );
  }

  function readHeader(cells: string[], line: number, span: RowSpan): Table {
    if (cells.every((name) => name.trim() === '')) {
      throw refuseHeader(line, 'has only empty cells', 'The first row must hold the names of the columns.');
    }
    if (cells.some((name) => name.includes('\0'))) {
      throw refuseHeader(
        line,
        'holds NUL bytes',
        'It is probably not a text file, or in an encoding that was not recognised: name it with --encoding, or save it as "CSV UTF-8".',
      );
    }
    // In a wrong encoding most names are bad; one warning is enough.
    const badName = [...cellIssues(cells, cells, span)].slice(0, 1);
    const warnings = [...headerIssues(cells), ...badName];
    for (const warning of locate(warnings, line)) onWarning(warning);
    return tableFrom(file, cells);
  }

  return {
    get table() {
      return table;
    },
    read(chunk, end) {
      marks.look(chunk, end);
      rows = [];
      splitter.feed(chunk, end);
      return rows;
    },
  };
}

function* headerIssues(header: readonly string[]) {
  const indexes = new Map<string, number[]>();
  for (const [index, name] of header.entries()) {
    const known = indexes.get(name.trim());
    if (known === undefined) indexes.set(name.trim(), [index]);
    else known.push(index);
  }
  for (const [name, at] of indexes) {
    if (name === '') yield messages.emptyHeader(at);
    else if (at.length > 1) yield messages.duplicateHeader(name, at);
  }
}
