import type { Issue, ReadFormat } from '../../src/model/index.ts';
import { openSource, type ReadOptions } from '../../src/read/index.ts';

export interface Result {
  readonly header: readonly string[];
  readonly cells: readonly (readonly string[])[];
  readonly issues: readonly Issue[];
  readonly reading: ReadFormat | undefined;
  /** Reason why it was not read, or not to its end. */
  readonly refused: Error | undefined;
}

/** Reads a file to its end, and catches errors. */
export async function read(file: string, options: ReadOptions = {}): Promise<Result> {
  const cells: (readonly string[])[] = [];
  const issues: Issue[] = [];
  let header: readonly string[] = [];
  let reading: ReadFormat | undefined;
  let refused: Error | undefined;
  try {
    // The suites expect each line of a file to be read.
    const source = await openSource(file, { skipLines: 0, ...options });
    header = source.table.header;
    for await (const batch of source.batches)
      for (const row of batch) {
        cells.push(row.cells);
        issues.push(...(row.issues ?? []));
      }
    reading = source.reading();
  } catch (error) {
    refused = error as Error;
  }
  return { header, cells, issues, reading, refused };
}
