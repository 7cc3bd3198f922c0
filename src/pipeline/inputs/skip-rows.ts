import type { FileBinding } from '../../map/index.ts';
import type { Row } from '../../model/index.ts';

/** What was left out so far. */
export interface Skipping {
  readonly rows: number;
}

/**
 * The rows that count, and a count of the others, so that none of them disappears without a word. What continues a row that is
 * left out is left out with it: else it would belong to the record before that.
 */
export function withoutSkipped(
  batches: AsyncIterable<Row[]>,
  { isSkipped, continues }: Pick<FileBinding, 'isSkipped' | 'continues'>,
): { readonly batches: AsyncIterable<Row[]>; readonly skipped: Skipping } {
  const skipped = { rows: 0 };
  if (!isSkipped) return { batches, skipped };
  let isAboveSkipped = false;
  const counts = (row: Row): boolean => {
    const isContinuing = continues?.(row) === true;
    const isLeftOut = isSkipped(row);
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
