import { isFew } from '../evidence.ts';
import { isBlankCell } from '../profile/profile.ts';
import type { VariantRows } from './telling-apart.ts';

/** Fills the empty cells of each product with the value above them. */
export function fillDown(products: VariantRows, cells: readonly string[]): string[] {
  const filled = [...cells];
  for (const rows of products) {
    let above = '';
    for (const row of rows) {
      if (isBlankCell(filled[row] ?? '')) filled[row] = above;
      above = filled[row] ?? '';
    }
  }
  return filled;
}

/**
 * True if an option is written in the first of several rows only, as in merged cells: each product begins with a value, values of the
 * other options come again below the next value, and the empty cells with the value above them tell all rows apart. `others`: cells of
 * the other options.
 */
export function isFilledDown(
  products: VariantRows,
  own: readonly string[],
  others: readonly (readonly string[])[],
): boolean {
  const isBlank = (row: number) => isBlankCell(own[row] ?? '');
  const several = products.filter((rows) => rows.length > 1 && !rows.every(isBlank));
  const partly = several.filter((rows) => rows.some(isBlank));
  // A few products whose rows lack the option show nothing.
  if (others.length === 0 || partly.length === 0 || isFew(partly.length, several.length)) return false;
  const filled = [own, ...others].map((cells) => fillDown(products, cells));
  const isMerged = (rows: readonly number[]) =>
    !isBlank(rows[0] ?? -1) &&
    differentIn(rows, filled) === rows.length &&
    rows.every((row) => others.some((cells) => !isBlankCell(cells[row] ?? '')));
  const withBlocks = partly.filter((rows) => differentIn(rows, filled.slice(0, 1)) > 1);
  const begunAgain = withBlocks.filter((rows) => differentIn(rows, filled.slice(1)) < rows.length);
  return (
    begunAgain.length > 0.5 * withBlocks.length &&
    isFew(partly.filter((rows) => !isMerged(rows)).length, partly.length)
  );
}

/** The number of rows that differ in these cells together. */
function differentIn(rows: readonly number[], cells: readonly (readonly string[])[]): number {
  return new Set(rows.map((row) => JSON.stringify(cells.map((each) => (each[row] ?? '').trim())))).size;
}
