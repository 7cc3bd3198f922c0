import { type Json, type JsonObject, valueReader } from '../model/index.ts';

/** A column of a table: its name, and what an item has in it, of which `cellText` makes the cell. */
export interface Column {
  readonly name: string;
  readonly value: (item: JsonObject) => Json | undefined;
}

/** The column that shows what stands at a dotted path, see `valueReader`. */
export function pathColumn(path: string): Column {
  return { name: path, value: valueReader(path) };
}
