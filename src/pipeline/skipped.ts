import type { Row } from '../model/index.ts';

/** What was left out so far. */
export interface Skipping {
  readonly rows: number;
}

/** The rows that count, and a count of the others, so that none of them disappears without a word. */
export function withoutSkipped(
  batches: AsyncIterable<Row[]>,
  isSkipped: ((row: Row) => boolean) | undefined,
): { readonly batches: AsyncIterable<Row[]>; readonly skipped: Skipping } {
  const skipped = { rows: 0 };
  if (!isSkipped) return { batches, skipped };
  async function* kept(): AsyncGenerator<Row[]> {
    for await (const rows of batches) {
      const left = rows.filter((row) => !isSkipped?.(row));
      skipped.rows += rows.length - left.length;
      yield left;
    }
  }
  return { batches: kept(), skipped };
}
