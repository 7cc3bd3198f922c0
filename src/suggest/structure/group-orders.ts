import { isFew } from '../evidence.ts';
import { LIKELY, matchRoles, scoreOf } from '../match/candidate.ts';
import { isBlankCell } from '../profile/profile.ts';
import { ORDER_ROLES } from '../roles/orders.ts';
import type { ReadColumn } from '../sample.ts';
import { type GroupingGuess, groupRows } from './grouping.ts';

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
  const continues = key === first && blank.length > 0 && !isLost && areLines(columns, blank);
  return key.profile.distinctRate === 1 && !continues ? { kind: 'rows' } : { kind: 'key', key, continues };
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
