import type { Table } from '../../model/index.ts';

/** Column of any file with the store's identifier. It addresses an update and is never payload. */
export const ID_COLUMN = '_id';

/** Column of any file that identifies a record whose payload has no key. It is never payload. */
export const KEY_COLUMN = '_key';

export const META_COLUMNS: ReadonlySet<string> = new Set([ID_COLUMN, KEY_COLUMN]);

/** True if the rows, or the first objects, have an identifier column. */
export function hasIdColumn(table: Table): boolean {
  return table.items
    ? table.items.some((item) => Object.hasOwn(item, ID_COLUMN))
    : table.header.some((name) => name.trim() === ID_COLUMN);
}
