import { openSource } from '../../src/read/index.ts';

/** A table to suggest a mapping for. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The row of the original that each row is; -1 for one that was added. */
  readonly origins: readonly number[];
  /** Lines above the header. */
  readonly above?: readonly (readonly string[])[];
}

/** Rows that are taken from a file: enough to see what its columns hold. */
const MOST_ROWS = 150;

/** Reads the first rows of a file, without those that are blank or could not be read. Undefined if it is no table. */
export async function readTable(file: string): Promise<Table | undefined> {
  const source = await openSource(file, { onWarning: () => {} });
  const rows: string[][] = [];
  try {
    if (source.table.items !== undefined) return undefined;
    for await (const batch of source.batches) {
      for (const row of batch)
        if (row.issues === undefined && row.cells.some((cell) => cell.trim() !== ''))
          rows.push([...row.cells]);
      if (rows.length >= MOST_ROWS) break;
    }
  } finally {
    await source.close();
  }
  const { header } = source.table;
  const most = rows.slice(0, MOST_ROWS).map((row) => header.map((_, column) => row[column] ?? ''));
  return { header, rows: most, origins: most.map((_, row) => row) };
}
