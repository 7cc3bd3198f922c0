import type { Row } from '../model/index.ts';
import type { Suspect, Suspicions } from '../suspect/index.ts';

/** The rows as they are, with what looks damaged in them noted. */
export async function* withSuspectsNoted(
  batches: AsyncIterable<Row[]>,
  inspect: (row: Row) => readonly Suspect[],
  suspicions: Suspicions,
): AsyncGenerator<Row[]> {
  for await (const rows of batches) {
    for (const row of rows) {
      const suspects = inspect(row);
      if (suspects.length > 0) suspicions.add(row, suspects);
    }
    yield rows;
  }
}
