import { type Json, type JsonObject, valueReader } from '../model/index.ts';

/** A column of a table: its name, and the value of an item in it, which `cellText` turns into the cell. */
export interface Column {
  readonly name: string;
  readonly value: (item: JsonObject) => Json | undefined;
}

/** Creates the column for a dotted path, see `valueReader`. */
export function pathColumn(path: string): Column {
  return { name: path, value: valueReader(path) };
}
