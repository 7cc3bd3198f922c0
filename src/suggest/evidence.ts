/** Share of the rows, or of the cells of a column, that decides nothing. */
export const FEW = 0.05;
/** Rows of a file that is long enough for one of them to be at fault. */
const MIN_ROWS = 8;

/** True if `count` of `total` rows or cells decide nothing, such as a name that was forgotten. `share`: the most of them, 0 to 1. */
export function isFew(count: number, total: number, share = FEW): boolean {
  return count <= Math.max(total >= MIN_ROWS ? 1 : 0, share * total);
}
