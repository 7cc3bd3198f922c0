import { cellText, isObject, type Json, type JsonObject, type Row } from '../../model/index.ts';
import { IN_LIST, ofAnyItem, pathReader, type ReadPath, ROOT_PREFIX } from './item-paths.ts';

/**
 * Presents objects of a JSON file as rows, with a cell for each path that the mapping names. All that a mapping can say
 * about columns thereby also works for fields.
 */
export interface ItemColumns {
  /** Position of the cell for a path. Adds it if it is new. */
  find(path: string): number;
  /** The paths requested so far, as messages name them. */
  readonly header: readonly string[];
  /** Adds a column that is read from the enclosing object, by its position there. Returns its position here. */
  outerColumn(position: number): number;
  /** Columns of a list's items, and a function that gives the items as rows. */
  list(path: string): { readonly within: ItemColumns; readonly rowsOf: (row: Row) => readonly ItemRow[] };
  /** `value` is an object or any other item of a list; `outer` is the object that contains the list. */
  rowOf(place: Row, value: Json, outer?: Row): ItemRow;
  /** Paths in these objects that were never requested. */
  unusedIn(items: readonly Json[]): Set<string>;
}

/** A row whose cells were read from a JSON value. */
export interface ItemRow extends Row {
  readonly value: Json;
  /** The values behind the cells; the cells hold them as text. */
  readonly values: readonly (Json | undefined)[];
}

export function isItem(row: Row): row is ItemRow {
  return 'values' in row;
}

/** Names of one column. Each object is read at the first of `paths` that it has; messages use `shown`. */
export interface ItemNames {
  readonly paths: readonly string[];
  readonly shown: string;
}

/** A requested column: paths in the value (`isMany`: through a list), or a position in the enclosing object. */
type RequestedColumn =
  | { readonly paths: readonly string[]; readonly readers: readonly ReadPath[]; readonly isMany: boolean }
  | { readonly outerColumn: number };

export interface ItemColumnsOptions {
  readonly file: string;
  /** Default: each column has one name. */
  readonly namesOf?: (column: string) => ItemNames;
  /** How messages name the place, such as `variants[].`. Default: none. */
  readonly prefix?: string;
  /** The columns of the enclosing object. */
  readonly outer?: Pick<ItemColumns, 'find' | 'header'>;
}

export function itemColumns({
  file,
  namesOf = onlyName,
  prefix = '',
  outer,
}: ItemColumnsOptions): ItemColumns {
  const header: string[] = [];
  const table = { file, header };
  const positions = new Map<string | number, number>();
  const columns: RequestedColumn[] = [];
  const lists = new Map<string, ItemColumns>();

  function positionOf(
    key: string | number,
    requested: () => { column: RequestedColumn; shown: string },
  ): number {
    const known = positions.get(key);
    if (known !== undefined) return known;
    const { column, shown } = requested();
    header.push(shown);
    positions.set(key, columns.push(column) - 1);
    return columns.length - 1;
  }

  function find(column: string): number {
    if (column.startsWith(ROOT_PREFIX))
      return outer ? outerColumn(outer.find(column)) : find(column.slice(ROOT_PREFIX.length));
    return positionOf(column, () => {
      const { paths, shown } = namesOf(column);
      const isMany = paths.some((path) => path.includes(IN_LIST));
      return { column: { paths, readers: paths.map(pathReader), isMany }, shown: prefix + shown };
    });
  }

  function outerColumn(position: number): number {
    return positionOf(position, () => ({
      column: { outerColumn: position },
      shown: outer?.header[position] ?? '',
    }));
  }

  function rowOf({ row, line }: Row, value: Json, outer?: Row): ItemRow {
    const object = outer && isItem(outer) ? outer : undefined;
    const values = columns.map((requested) =>
      'outerColumn' in requested
        ? object?.values[requested.outerColumn]
        : readFirst(requested.readers, value),
    );
    const cells = columns.map((requested, index) =>
      'outerColumn' in requested
        ? (object?.cells[requested.outerColumn] ?? '')
        : textOf(values[index], requested.isMany),
    );
    return { table, row, line, value, values, cells };
  }

  function list(path: string): ReturnType<ItemColumns['list']> {
    const within =
      lists.get(path) ?? itemColumns({ file, prefix: `${prefix}${path}[].`, outer: { find, header } });
    lists.set(path, within);
    const read = pathReader(path);
    return {
      within,
      rowsOf(row) {
        const items = row.value === undefined ? undefined : read(row.value);
        return Array.isArray(items) ? items.map((item) => within.rowOf(row, item, row)) : [];
      },
    };
  }

  function unusedIn(items: readonly Json[]): Set<string> {
    return new Set(items.filter(isObject).flatMap((item) => unusedOf(item, pathsIn(item), '')));
  }

  /** Paths at which an object is read. If it has none of a column's paths, every one of them counts as read. */
  function pathsIn(item: JsonObject): Set<string> {
    const read = columns.flatMap((requested) => {
      if ('outerColumn' in requested) return [];
      const { paths, readers } = requested;
      const first = readers.findIndex((reader) => reader(item) !== undefined);
      return first < 0 ? paths : paths.slice(first, first + 1);
    });
    return new Set(read.flatMap((path) => [path, ofAnyItem(path)]));
  }

  function unusedOf(object: JsonObject, read: ReadonlySet<string>, path: string): string[] {
    const listsAt = new Map([...lists].map(([list, within]) => [ofAnyItem(list), within]));
    /** True if a path or a list below this path is read. */
    const isReadBelow = (at: string) =>
      [...read, ...listsAt.keys()].some((each) => each.startsWith(`${at}.`));
    const unusedInList = (list: readonly Json[], at: string): string[] => {
      const within = listsAt.get(at);
      const each = `${at}[]`;
      if (read.has(each)) return [];
      const byList = within && [...within.unusedIn(list)].map((name) => `${each}.${name}`);
      const byPaths = isReadBelow(each)
        ? list.filter(isObject).flatMap((item) => unusedOf(item, read, `${each}.`))
        : undefined;
      return byList && byPaths ? inBoth(byList, byPaths) : (byList ?? byPaths ?? [at]);
    };
    return Object.entries(object).flatMap(([name, value]) => {
      const at = path + name;
      if (read.has(at) || value === null) return [];
      if (Array.isArray(value)) return unusedInList(value, at);
      return isObject(value) && isReadBelow(at) ? unusedOf(value, read, `${at}.`) : [at];
    });
  }

  return { header, find, outerColumn, list, rowOf, unusedIn };
}

/** Intersects two lists of paths, where each path also covers everything below it. */
function inBoth(some: readonly string[], others: readonly string[]): string[] {
  const isIn = (path: string, paths: readonly string[]) =>
    paths.some((each) => path === each || path.startsWith(`${each}.`));
  return [...some.filter((path) => isIn(path, others)), ...others.filter((path) => isIn(path, some))];
}

function onlyName(column: string): ItemNames {
  return { paths: [column], shown: column };
}

function readFirst(readers: readonly ReadPath[], value: Json): Json | undefined {
  for (const read of readers) {
    const found = read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Lists become JSON, which `split` and `json` recognise. With `readsThroughList` the text is that of the first value
 * that is not empty.
 */
function textOf(value: Json | undefined, readsThroughList = false): string {
  if (readsThroughList && Array.isArray(value))
    return value.map((each) => textOf(each)).find((text) => text.trim() !== '') ?? '';
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : cellText(value);
}
