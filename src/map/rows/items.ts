import {
  ConfigError,
  cellText,
  isObject,
  type Json,
  type JsonObject,
  parseItem,
  type Row,
  valueReader,
} from '../../model/index.ts';
import type { Apply } from '../steps/index.ts';
import { IN_LIST, ROOT_PREFIX, SELF } from './paths.ts';

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

/** A requested column. `outerColumn` is its position in the enclosing object. */
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

/** `variants.0.price` → `variants[].price`: an index becomes any item. */
function ofAnyItem(path: string): string {
  return path.replace(/\.\d+(?=\.|$)/g, '[]');
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

type ReadPath = (value: Json) => Json | undefined;

/** Reads one path. A path into a list, such as `variants[].price`, gives the values of all items. */
function pathReader(path: string): ReadPath {
  if (path === SELF) return (value) => value;
  const at = path.indexOf(IN_LIST);
  if (at < 0) {
    const read = valueReader(path);
    return (value) => (isObject(value) ? read(value) : undefined);
  }
  const [list, rest] = [pathReader(path.slice(0, at)), path.slice(at + IN_LIST.length)];
  const inner = pathReader(rest);
  return (value) => {
    const items = list(value);
    if (!Array.isArray(items)) return undefined;
    const found = items.map(inner).filter((each) => each !== undefined);
    return rest.includes(IN_LIST) ? found.flat() : found;
  };
}

/** True if the objects have this path, as far as they show. Empty lists show nothing about their items. */
export function haveField(items: readonly Json[], path: string): boolean {
  const at = path.indexOf(IN_LIST);
  if (at < 0) return items.some((item) => pathReader(path)(item) !== undefined);
  const lists = items
    .map(pathReader(path.slice(0, at)))
    .filter((list) => list === null || Array.isArray(list));
  const inner = lists.flatMap((list) => list ?? []);
  return lists.length > 0 && (inner.length === 0 || haveField(inner, path.slice(at + IN_LIST.length)));
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

/** Wraps a step that splits text: a list in JSON already has its parts. */
export function splitUnlessJsonList(split: Apply): Apply {
  return (text, addIssue, lookups) => {
    const list = text.startsWith('[') ? listIn(text) : undefined;
    if (!list) return split(text, addIssue, lookups);
    const words = list.filter((word) => typeof word !== 'object').map((word) => String(word).trim());
    const filled = words.filter((word) => word !== '');
    return filled.length > 0 ? filled : undefined;
  };
}

/** undefined for text that only looks like a list at its beginning. */
function listIn(text: string): Json[] | undefined {
  try {
    return parseItem(text) as Json[];
  } catch {
    return undefined;
  }
}

/** The object of a JSON row. Rows restored from disk have only its text; rows with issues give `{}`. */
export function objectIn({ value, cells, issues, table }: Row): JsonObject {
  if (value !== undefined) return value as JsonObject;
  return issues ? {} : (parseItem(cells[table.header.indexOf('json')] ?? '{}') as JsonObject);
}

/** The error if a mapping reads a list inside objects and the file has rows of cells. */
export function noObjects(file: string, mapping: string, path: string): ConfigError {
  return new ConfigError(
    `${file} has rows of cells, and the mapping ${mapping} looks for the list ${path} inside of JSON objects.`,
    ['Name another mapping with --mapping, or the JSON file that this one is meant for.'],
  );
}
