import type { Row } from '../../model/index.ts';
import { aboutRow, type ListItems, type NameResolver } from '../evaluate/eval-context.ts';
import { IN_LIST } from '../rows/item-paths.ts';
import type { ItemColumns } from '../rows/items.ts';

/** Resolves a mapping's names in JSON objects. */
export function itemNames(columns: ItemColumns): NameResolver {
  return {
    find: columns.find,
    resolveNested(path) {
      const { within, rowsOf } = columns.list(path);
      return { resolver: itemNames(within), rowsOf };
    },
    resolveInList: (path) => namesInList(columns, path),
    substitute: (text) => text,
    resolveReference: aboutRow,
    parts: new Map(),
    exact: true,
  };
}

/**
 * Resolves names written from the root of the record (`variants[].price`), with one row for each innermost item. An
 * object without items has one empty row. `path` is that of the innermost list (`variants[].images`).
 */
function namesInList(columns: ItemColumns, path: string): ListItems {
  let find: NameResolver['find'] = columns.find;
  let rowsOf = (row: Row): readonly Row[] => [row];
  let inner = columns;
  let prefix = '';
  for (const step of path.split(IN_LIST)) {
    const { within, rowsOf: itemsOf } = inner.list(step);
    const findOutside = find;
    const rowsOutside = rowsOf;
    const listPrefix = `${prefix}${step}${IN_LIST}`;
    find = (name) => {
      if (name.startsWith(listPrefix)) return within.find(name.slice(listPrefix.length));
      const position = findOutside(name);
      return position === undefined ? undefined : within.outerColumn(position);
    };
    rowsOf = (row) =>
      rowsOutside(row).flatMap((each) => {
        const items = itemsOf(each);
        return items.length > 0 ? items : [within.rowOf(each, null, each)];
      });
    inner = within;
    prefix = listPrefix;
  }
  return { resolver: { ...itemNames(inner), find }, rowsOf };
}
