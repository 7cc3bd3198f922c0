import type { FileBinding } from '../../map/index.ts';
import type { Row } from '../../model/index.ts';

/** Count of the rows that were left out so far. */
export interface SkippedRows {
  readonly rows: number;
}

/**
 * Drops the rows that a mapping skips and counts them, so that none is lost silently. Rows that continue a skipped row
 * are skipped too, unless it is skipped alone. Otherwise they would be added to the record before it.
 */
export function withoutSkipped(
  batches: AsyncIterable<Row[]>,
  { isSkipped, isSkippedAlone, continuesAbove }: FileBinding,
): { readonly batches: AsyncIterable<Row[]>; readonly skipped: SkippedRows } {
  const skipped = { rows: 0 };
  if (!isSkipped) return { batches, skipped };
  let isAboveSkipped = false;
  const counts = (row: Row): boolean => {
    const isContinuing = continuesAbove?.(row) === true;
    const isLeftOut = isSkipped(row);
    if (isLeftOut && isSkippedAlone?.(row)) return false;
    if (!isContinuing) isAboveSkipped = isLeftOut;
    // A row that could not be read is never left out.
    return !isLeftOut && !(isContinuing && isAboveSkipped && row.issues === undefined);
  };
  async function* kept(): AsyncGenerator<Row[]> {
    for await (const rows of batches) {
      const left = rows.filter(counts);
      skipped.rows += rows.length - left.length;
      yield left;
    }
  }
  return { batches: kept(), skipped };
}
