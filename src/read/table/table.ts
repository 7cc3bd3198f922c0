import { ConfigError, columnLetters, grouped, type Issue, type Row, type Table } from '../../model/index.ts';
import { checkItem, itemIn } from '../item.ts';
import { tableFrom } from '../kept.ts';
import type { IssueText } from '../messages.ts';
import * as messages from '../messages.ts';
import { MAX_COLUMNS } from '../options.ts';

/** The place of a row, as messages name it. */
export interface RowPlace {
  readonly file: string;
  readonly row: number;
  readonly line: number;
}

/** Adds the place to the issues of a row. */
export function locateIssues(issues: readonly Omit<Issue, 'origin'>[], origin: RowPlace): Issue[] {
  return issues.map((issue) => ({ origin, ...issue }));
}

export interface HeaderOptions {
  readonly place: RowPlace;
  /** Name of the sheet, if the table is one of a workbook. */
  readonly sheet?: string | undefined;
  /** Issues of single names, if any. One of them is enough. */
  readonly faults?: Iterable<IssueText>;
  readonly onWarning: (warning: Issue) => void;
}

/** Builds a table from the names of its columns. Warns of names that no mapping can use. Throws ConfigError. */
export function headerTable(
  names: readonly string[],
  { place, sheet, faults = [], onWarning }: HeaderOptions,
): Table {
  if (names.length > MAX_COLUMNS)
    throw refuseHeader(
      place,
      `has more than ${grouped(MAX_COLUMNS)} columns, the most that are read`,
      'Is the delimiter right? Name another with --delimiter.',
    );
  if (names.every((name) => name.trim() === ''))
    throw refuseHeader(place, 'has only empty cells', 'The first row must hold the names of the columns.');
  if (names.some((name) => name.includes('\0')))
    throw refuseHeader(
      place,
      'holds NUL bytes',
      'It is probably not a text file, or in an encoding that was not recognised: name it with --encoding, or save it as "CSV UTF-8".',
    );
  const [fault] = faults;
  const warnings = [...headerIssues(names), ...(fault ? [fault] : [])];
  for (const warning of locateIssues(warnings, place)) onWarning(warning);
  const table = tableFrom(place.file, names);
  return sheet === undefined ? table : { ...table, sheet };
}

/** Builds the table of a file without a header: the columns have the letters of a spreadsheet. */
export function letteredTable(file: string, width: number, sheet?: string): Table {
  const header = Array.from({ length: width }, (_, index) => columnLetters(index));
  return { file, header, ...(sheet === undefined ? {} : { sheet }) };
}

export function refuseHeader({ file, row, line }: RowPlace, what: string, hint: string): ConfigError {
  const where = `row ${row} (line ${line})`;
  return new ConfigError(`${messages.nameOf(file)} has no readable header: ${where} ${what}.`, [hint]);
}

/** Refuses a damaged first row, which shows the columns of a file without a header. */
export function refuseFirstRow({ file, row, line }: RowPlace, hint: string): ConfigError {
  return new ConfigError(
    `${messages.nameOf(file)} cannot be read without a header: row ${row} (line ${line}) is damaged, and the first row shows how many columns there are.`,
    [hint],
  );
}

/** Completes a row of cells with its issues, or, in a report on JSON objects, with the object in it. */
export function completeRow(row: Row, issues: readonly IssueText[] | undefined): Row {
  const { table, cells, line } = row;
  if (issues === undefined && !table.items) return row;
  const origin = { file: table.file, row: row.row, line };
  if (issues !== undefined) return { ...row, issues: locateIssues(issues, origin) };
  const { value, problem } = checkItem(
    itemIn(table.header, cells),
    (at) => `character ${at + 1} of the cell`,
  );
  return value === undefined ? { issues: locateIssues([problem], origin), ...row } : { value, ...row };
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
