import type { Row } from '../../model/index.ts';
import { aboutRow, type ListNames, type NameResolver } from '../evaluate/scope.ts';
import type { ItemColumns } from '../rows/items.ts';
import { IN_LIST } from '../rows/paths.ts';

/** Resolves a mapping's names in JSON objects. */
export function itemNames(columns: ItemColumns): NameResolver {
  return {
    find: columns.find,
    resolveNested(path) {
      const { within, rowsOf } = columns.list(path);
      return { names: itemNames(within), rowsOf };
    },
    resolveInList: (path) => amongItems(columns, path),
    substitute: (text) => text,
    resolveReference: aboutRow,
    parts: new Map(),
    exact: true,
  };
}

/** Names are as outside the list. Nested lists are flattened in order. */
function amongItems(columns: ItemColumns, path: string): ListNames {
  let find: NameResolver['find'] = columns.find;
  let rowsOf = (row: Row): readonly Row[] => [row];
  let inner = columns;
  let prefix = '';
  for (const step of path.split(IN_LIST)) {
    const { within, rowsOf: itemsOf } = inner.list(step);
    const [findAround, rowsAround] = [find, rowsOf];
    const own = `${prefix}${step}${IN_LIST}`;
    find = (name) => {
      if (name.startsWith(own)) return within.find(name.slice(own.length));
      const position = findAround(name);
      return position === undefined ? undefined : within.around(position);
    };
    rowsOf = (row) =>
      rowsAround(row).flatMap((each) => {
        const items = itemsOf(each);
        return items.length > 0 ? items : [within.rowOf(each, null, each)];
      });
    [inner, prefix] = [within, own];
  }
  return { names: { ...itemNames(inner), find }, rowsOf };
}
