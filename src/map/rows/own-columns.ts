import type { Table } from '../../model/index.ts';

/** Column of any file that holds the store's identifier: what an update is addressed to, never payload. */
export const ID_COLUMN = '_id';

/** Column of any file that identifies a record whose payload has no key: never payload either. */
export const KEY_COLUMN = '_key';

export const META_COLUMNS: ReadonlySet<string> = new Set([ID_COLUMN, KEY_COLUMN]);

/** Whether rows, or the first objects, have one. */
export function hasIdColumn(table: Table): boolean {
  return table.items
    ? table.items.some((item) => Object.hasOwn(item, ID_COLUMN))
    : table.header.some((name) => name.trim() === ID_COLUMN);
}
