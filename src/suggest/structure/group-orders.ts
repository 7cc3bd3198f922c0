import { isFew } from '../evidence.ts';
import { LIKELY, matchRoles, scoreOf } from '../match/candidate.ts';
import { isBlankCell } from '../profile/profile.ts';
import { ORDER_ROLES } from '../roles/orders.ts';
import type { ReadColumn } from '../sample.ts';
import { type GroupingGuess, groupRows } from './grouping.ts';
import type { StraySkip } from './stray-skip.ts';

/**
 * Guesses which rows are the lines of one order: those with one number. Of a number that only the first row of an order has,
 * another column may have a text in every row; else the rows below continue it.
 */
export function groupOrders(columns: readonly ReadColumn[]): GroupingGuess {
  const found = matchRoles(columns, ORDER_ROLES).find(
    ({ role, score }) => role === 'number' && score >= LIKELY,
  );
  const first = columns.find(({ name }) => name === found?.candidate.name);
  if (first === undefined) return { kind: 'rows' };
  const blank = [...first.cells.keys()].filter((row) => isBlankCell(first.cells[row] ?? ''));
  const isSecond = (column: ReadColumn) => column !== first && isNumberOf(column, first, blank);
  const key = isFew(blank.length, first.cells.length) ? first : (columns.find(isSecond) ?? first);
  // If the rows of an order repeat its number, a row without one has lost it, and may be a line of any order.
  const isLost = repeatsIn(first.cells) >= blank.length;
  const ofOrder = blank.length === 0 ? [] : columnsOfOrder(columns);
  const own = blank.filter((row) => isOfOther(row, first, ofOrder));
  const continues =
    key === first &&
    blank.length > own.length &&
    !isLost &&
    areLines(columns, blank) &&
    (own.length === 0 || skippedBy(own, blank, ofOrder) !== undefined);
  return key.profile.distinctRate === 1 && !continues ? { kind: 'rows' } : { kind: 'key', key, continues };
}

/** Roles of columns with one text in all rows of an order. */
const OF_ORDER: ReadonlySet<string> = new Set([
  'email',
  'firstname',
  'lastname',
  'fullname',
  'shippingAddress',
]);

function columnsOfOrder(columns: readonly ReadColumn[]): ReadColumn[] {
  const roles = matchRoles(columns, ORDER_ROLES).filter(
    ({ role, score }) => OF_ORDER.has(role) && score >= LIKELY,
  );
  return columns.filter(({ name }) => roles.some(({ candidate }) => candidate.name === name));
}

/** True if a row without a number has another customer than the order above: it is the first row of an order that lost its number. */
function isOfOther(row: number, { cells }: ReadColumn, ofOrder: readonly ReadColumn[]): boolean {
  let above = row - 1;
  while (above >= 0 && isBlankCell(cells[above] ?? '')) above--;
  return ofOrder.some((column) => {
    const text = (column.cells[row] ?? '').trim();
    return !isBlankCell(text) && text !== (column.cells[above] ?? '').trim();
  });
}

/** Rows that lost the number of their order, with the condition that leaves them out; undefined if there are none. */
export function findLostOrders(
  grouping: GroupingGuess,
  columns: readonly ReadColumn[],
): StraySkip | undefined {
  if (grouping.kind !== 'key' || !grouping.continues) return undefined;
  const { key } = grouping;
  const blank = [...key.cells.keys()].filter((row) => isBlankCell(key.cells[row] ?? ''));
  const ofOrder = columnsOfOrder(columns);
  const rows = blank.filter((row) => isOfOther(row, key, ofOrder));
  const column = skippedBy(rows, blank, ofOrder);
  if (column === undefined) return undefined;
  return {
    when: { [key.name]: '', [column.name]: { empty: false } },
    why: `it has no ${key.name}, and another ${column.name} than the order above`,
    rows,
  };
}

/**
 * A column that these rows fill, and no other row without a number; undefined too if other rows continue them, which would be joined to
 * the order above.
 */
function skippedBy(
  rows: readonly number[],
  blank: readonly number[],
  ofOrder: readonly ReadColumn[],
): ReadColumn | undefined {
  const isFilled = ({ cells }: ReadColumn, row: number) => !isBlankCell(cells[row] ?? '');
  const isContinued = rows.some((row) => blank.includes(row + 1) && !rows.includes(row + 1));
  if (rows.length === 0 || isContinued) return undefined;
  return ofOrder.find((column) => blank.every((row) => isFilled(column, row) === rows.includes(row)));
}

/** Cells with the text of a cell above. */
function repeatsIn(cells: readonly string[]): number {
  const filled = cells.filter((cell) => !isBlankCell(cell)).map((cell) => cell.trim());
  return filled.length - new Set(filled).size;
}

/** True if a column has one text for each number, and one in the rows without a number too. */
function isNumberOf(column: ReadColumn, first: ReadColumn, blank: readonly number[]): boolean {
  const role = ORDER_ROLES.find(({ name }) => name === 'number');
  if (!role || scoreOf(column, role) === 0 || blank.some((row) => isBlankCell(column.cells[row] ?? '')))
    return false;
  const groups = [...groupRows(column.cells).values()];
  const numbersOf = (rows: readonly number[]) =>
    new Set(rows.map((row) => first.cells[row]?.trim() ?? '').filter((text) => text !== '')).size;
  return isFew(groups.filter((rows) => numbersOf(rows) !== 1).length, groups.length);
}

/** True if nearly all rows without a number have a line: a row without both is no part of an order. */
function areLines(columns: readonly ReadColumn[], rows: readonly number[]): boolean {
  const lines = matchRoles(columns, ORDER_ROLES).filter(
    ({ role }) => role === 'lineName' || role === 'lineQuantity',
  );
  const isLine = (row: number) => lines.some(({ candidate }) => !isBlankCell(candidate.cells?.[row] ?? ''));
  return isFew(rows.filter((row) => !isLine(row)).length, rows.length);
}
