import { HIDDEN, isSecretPath, type Row, restore } from '../../model/index.ts';
import { rowsByTexts } from '../evaluate/compile-groups.ts';
import type { FieldRule, ListRule, Mapping, Rule, ValueRule } from '../mapping.ts';
import { sourceColumns } from '../rows/used-columns.ts';
import type { RowView } from './row-view.ts';

/** Two rows of one record have different values, and the mapping uses one of them. The other is lost. */
export interface Disagreement {
  /** Name of the column in the file. */
  readonly column: string;
  /** Path of the field that uses one of the two, such as `price.salePrice`. */
  readonly field: string;
  readonly taken: CellInRow;
  readonly lost: CellInRow;
}

export interface CellInRow {
  readonly row: Row;
  /** Hidden if the field is secret, such as a password. */
  readonly text: string;
}

export type FindDisagreements = (rows: readonly Row[]) => readonly Disagreement[];

const NONE: readonly Disagreement[] = [];

/**
 * Finds disagreements in columns that are read with the default `across: first` and whose cells no other rule reads in
 * all rows. Each column gives one disagreement, at its first row that differs.
 *
 * undefined if rows are not grouped by a key, or if there are no such columns.
 */
export function disagreementFinder(
  { groupBy, fields, resource }: Mapping,
  { find, header, rowsOf }: RowView,
): FindDisagreements | undefined {
  if (groupBy === undefined) return undefined;
  const reads = createReads();
  for (const { path, rule } of fields)
    noteRule({ reads, field: path.join('.'), nameOf: (name) => name, inRows: false }, rule);
  const everyRow = new Set([...reads.everyRow, ...groupBy].map(find));
  const columns = new Map<number, FirstRead>();
  // A column that a list reads in each group of rows is not compared across the groups.
  for (const [name, read] of [...reads.firstInGroups, ...reads.firstOnly]) {
    const index = find(name);
    if (index !== undefined && !everyRow.has(index) && !columns.has(index)) columns.set(index, read);
  }
  if (columns.size === 0) return undefined;
  const watched = [...columns].map(([index, { field, by }]) => {
    const isSecret = isSecretPath(field, resource.secret ?? []);
    const groupColumns = by?.map(find).filter((column) => column !== undefined);
    const differing: FindDifference = groupColumns
      ? (rows) => differenceInGroups(rows, index, groupColumns)
      : (rows) => firstDifference(rows, index);
    return { index, field, differing, textIn: isSecret ? () => HIDDEN : (row: Row) => textOf(row, index) };
  });

  return (given) => {
    if (given.length < 2) return NONE;
    const rows = rowsOf(given);
    let found: Disagreement[] | undefined;
    for (const { index, field, differing, textIn } of watched) {
      const pair = differing(rows);
      if (!pair) continue;
      const [taken, lost] = pair;
      found ??= [];
      found.push({
        column: header[index] ?? '',
        field,
        taken: { row: taken, text: textIn(taken) },
        lost: { row: lost, text: textIn(lost) },
      });
    }
    return found ?? NONE;
  };
}

/** The first row with something in a column, and the first one below with something else. */
function firstDifference(rows: readonly Row[], index: number): [Row, Row] | undefined {
  let first: Row | undefined;
  for (const row of rows) {
    const cell = row.cells[index];
    if (cell === undefined || cell === '') continue;
    // Most cells are the same to the letter.
    if (first && (cell === first.cells[index] || textOf(row, index) === textOf(first, index))) continue;
    if (textOf(row, index) === '') continue;
    if (first) return [first, row];
    first = row;
  }
  return undefined;
}

type FindDifference = (rows: readonly Row[]) => [Row, Row] | undefined;

/** The first two rows that differ although they are one item of a list over groups. */
function differenceInGroups(
  rows: readonly Row[],
  index: number,
  groupColumns: readonly number[],
): [Row, Row] | undefined {
  const groups = rowsByTexts(rows, (row) => groupColumns.map((column) => textOf(row, column)));
  for (const group of groups) {
    const pair = firstDifference(group, index);
    if (pair) return pair;
  }
  return undefined;
}

function textOf({ cells }: Row, index: number): string {
  return restore(cells[index] ?? '').trim();
}

/** Names of columns, by how the rules read them. */
interface Reads {
  /** With the use of the first cell of a record. */
  readonly firstOnly: Map<string, FirstRead>;
  /** With the use of the first cell of each group of its rows. */
  readonly firstInGroups: Map<string, FirstRead>;
  readonly everyRow: Set<string>;
}

interface FirstRead {
  /** The field that takes the cell. */
  readonly field: string;
  /** Columns of the groups. */
  readonly by?: readonly string[];
}

function createReads(): Reads {
  return { firstOnly: new Map(), firstInGroups: new Map(), everyRow: new Set() };
}

/** The field that a rule fills, and how the rule reads its columns. */
interface RuleUser {
  /** Collects the columns. */
  readonly reads: Reads;
  readonly field: string;
  /** Column of a name, in a family of numbered columns. */
  readonly nameOf: (name: string) => string;
  /** True inside a list over rows. */
  readonly inRows: boolean;
  /** Columns of the list over groups that the rule is in. */
  readonly by?: readonly string[] | undefined;
}

function noteRule(user: RuleUser, rule: Rule): void {
  if (rule.kind === 'value') noteValue(user, rule);
  else if (rule.kind === 'first') for (const value of rule.values) noteValue(user, value);
  else if (rule.kind === 'joined') for (const list of rule.lists) noteList(user, list);
  else noteList(user, rule);
}

function noteValue({ reads, field, nameOf, inRows, by }: RuleUser, rule: ValueRule): void {
  const { source, across, acrossIsImplied, only } = rule;
  // An expression looks at the rows itself.
  if (source.kind === 'expression') for (const name of source.expression.columns) reads.everyRow.add(name);
  const isFirst = across === 'first' && acrossIsImplied === true && only === undefined && !inRows;
  for (const name of sourceColumns(source).map(nameOf))
    if (!isFirst) reads.everyRow.add(name);
    else {
      const known = by ? reads.firstInGroups : reads.firstOnly;
      if (!known.has(name)) known.set(name, by ? { field, by } : { field });
    }
}

function noteList(user: RuleUser, { each, item, sort }: ListRule): void {
  const noteItem = (itemUser: RuleUser) => {
    if (sort) noteRule(itemUser, sort);
    for (const { path, rule } of item as readonly FieldRule[])
      noteRule({ ...itemUser, field: [itemUser.field, ...path].join('.') }, rule);
  };
  if (each.over === 'rows') noteItem({ ...user, inRows: true });
  else if (each.over === 'groups') {
    const by = each.by.map(user.nameOf);
    for (const name of by) user.reads.everyRow.add(name);
    noteItem({ ...user, inRows: false, by });
  } else if (each.over === 'parts') {
    for (const { value } of each.parts) noteValue(user, value);
    noteItem(user);
  } else if (each.over === 'numbers')
    for (const value of each.values)
      noteItem({ ...user, nameOf: (name) => user.nameOf(name).replaceAll(`{${each.name}}`, value) });
}
