import { stringify } from 'csv-stringify/sync';
import { isObject, type Json, type JsonObject } from '../../src/model/index.ts';
import { openSource } from '../../src/read/index.ts';

/** A table to suggest a mapping for. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The row of the original that each row is; -1 for one that was added. */
  readonly origins: readonly number[];
  /** Lines above the header. */
  readonly above?: readonly (readonly string[])[];
  /** For a file of JSON objects: the values that are no strings, by the text that a cell has for them. */
  readonly values?: ReadonlyMap<string, Json>;
}

/** A table as a file of the same kind. */
export function fileOf({ above = [], header, rows, values }: Table): {
  readonly name: string;
  readonly text: string;
} {
  if (values === undefined)
    return { name: 'table.csv', text: stringify([...above, header, ...rows] as string[][]) };
  const objects = rows.map((cells) =>
    Object.fromEntries(
      header.flatMap((name, column): [string, Json][] => {
        const cell = cells[column] ?? '';
        return cell === '' ? [] : [[name, values.get(cell) ?? cell]];
      }),
    ),
  );
  return { name: 'table.json', text: JSON.stringify(objects) };
}

/** The objects of a file as a table: a column for each key, a cell for each value. */
function tableOfObjects(objects: readonly JsonObject[]): Table {
  const header = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const values = new Map<string, Json>();
  const rows = objects.map((object) =>
    header.map((name) => {
      const value = object[name];
      if (value === undefined || value === null) return '';
      if (typeof value === 'string') return value;
      const text = JSON.stringify(value);
      values.set(text, value);
      return text;
    }),
  );
  return { header, rows, origins: rows.map((_, row) => row), values };
}

/** Rows that are taken from a file: enough to see what its columns hold. */
const MOST_ROWS = 150;

/** Reads the first rows of a file, without those that are blank or could not be read. */
export async function readTable(file: string): Promise<Table> {
  const source = await openSource(file, { onWarning: () => {} });
  const isJson = source.table.items !== undefined;
  const rows: string[][] = [];
  const objects: JsonObject[] = [];
  try {
    for await (const batch of source.batches) {
      for (const { issues, value, cells } of batch)
        if (issues === undefined && isObject(value)) objects.push(value);
        else if (issues === undefined && cells.some((cell) => cell.trim() !== '')) rows.push([...cells]);
      if (rows.length + objects.length >= MOST_ROWS) break;
    }
  } finally {
    await source.close();
  }
  if (isJson) return tableOfObjects(objects.slice(0, MOST_ROWS));
  const { header } = source.table;
  const most = rows.slice(0, MOST_ROWS).map((row) => header.map((_, column) => row[column] ?? ''));
  return { header, rows: most, origins: most.map((_, row) => row) };
}
