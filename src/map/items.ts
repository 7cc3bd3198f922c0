import {
  ConfigError,
  cellText,
  isObject,
  type Json,
  type JsonObject,
  parseItem,
  type Row,
  valueReader,
} from '../model/index.ts';
import type { Columns } from './columns.ts';
import { aboutRow } from './references.ts';
import type { Names } from './scope.ts';
import type { Apply } from './steps/index.ts';

/**
 * Objects of a JSON file as a mapping sees them: rows with a cell for each path that it names. So all that a mapping can
 * say of columns it can say of fields.
 */
export interface ItemColumns extends Pick<Columns, 'find'> {
  /** The paths that were asked for so far, as messages name them. */
  readonly header: readonly string[];
  readonly inside: Names['inside'];
  /** `value`: an object, or whatever a list holds. `top`: the object of the file that it is in. */
  rowOf(place: Row, value: Json, top: JsonObject): ItemRow;
  /** Paths in these objects that nobody has asked for. */
  unusedIn(items: readonly Json[]): Set<string>;
}

/** A row whose cells were read out of a value. */
export interface ItemRow extends Row {
  readonly value: Json;
  readonly top: JsonObject;
}

/** The item itself, where a list holds plain values: `each: { in: images }`, and then `src: .` */
const ITSELF = '.';
/** Inside of a list, before the path of a field of the whole object: `$.title`. */
const FROM_TOP = '$.';

/** The names of a column: each object has it under the first of `paths` that it has. `shown`: the one for messages. */
export interface ItemNames {
  readonly paths: readonly string[];
  readonly shown: string;
}

/** A column that was asked for. */
interface Asked {
  readonly paths: readonly string[];
  readonly readers: readonly Reader[];
}

type Reader = (value: Json, top: JsonObject) => Json | undefined;

/** `prefix`: how messages name the place, such as `variants[].` */
export function itemColumns(file: string, namesOf = onlyName, prefix = ''): ItemColumns {
  const header: string[] = [];
  const table = { file, header };
  const positions = new Map<string, number>();
  const columns: Asked[] = [];
  const lists = new Map<string, ItemColumns>();

  function find(column: string): number {
    const known = positions.get(column);
    if (known !== undefined) return known;
    const { paths, shown } = namesOf(column);
    header.push(shown.startsWith(FROM_TOP) ? shown.slice(FROM_TOP.length) : prefix + shown);
    positions.set(column, columns.push({ paths, readers: paths.map(readerOf) }) - 1);
    return columns.length - 1;
  }

  function rowOf({ row, line }: Row, value: Json, top: JsonObject): ItemRow {
    return {
      table,
      row,
      line,
      value,
      top,
      cells: columns.map(({ readers }) => textOf(readFirst(readers, value, top))),
    };
  }

  function inside(path: string): ReturnType<Names['inside']> {
    const within = lists.get(path) ?? itemColumns(file, undefined, `${prefix}${path}[].`);
    lists.set(path, within);
    const read = readerOf(path);
    return {
      names: itemNames(within),
      rowsOf(row) {
        const { value, top } = row as ItemRow;
        const list = read(value, top);
        return Array.isArray(list) ? list.map((item) => within.rowOf(row, item, top)) : [];
      },
    };
  }

  function unusedIn(items: readonly Json[]): Set<string> {
    return new Set(items.filter(isObject).flatMap((item) => unusedOf(item, pathsIn(item), '')));
  }

  /** The paths by which an object is read; of one that has a column under none of its names, all of them. */
  function pathsIn(item: JsonObject): Set<string> {
    const read = columns.flatMap(({ paths, readers }) => {
      const first = readers.findIndex((reader) => reader(item, item) !== undefined);
      return first < 0 ? paths : paths.slice(first, first + 1);
    });
    // `variants.0.price` is one of `variants[].price`.
    return new Set(read.flatMap((path) => [path, path.replace(/\.\d+(?=\.|$)/g, '[]')]));
  }

  function unusedOf(object: JsonObject, read: ReadonlySet<string>, path: string): string[] {
    /** Whether a path below this one is read. */
    const leadsOn = (at: string) => [...read].some((each) => each.startsWith(`${at}.`));
    return Object.entries(object).flatMap(([name, value]) => {
      const at = path + name;
      if (read.has(at) || value === null) return [];
      const within = lists.get(at);
      const below =
        within && Array.isArray(value)
          ? [...within.unusedIn(value)]
          : isObject(value) && leadsOn(at)
            ? unusedOf(value, read, `${at}.`)
            : [prefix + at];
      return below.filter((each) => !read.has(each));
    });
  }

  return { header, find, inside, rowOf, unusedIn };
}

export function itemNames({ find, inside }: Pick<ItemColumns, 'find' | 'inside'>): Names {
  return { find, inside, fill: (text) => text, refer: aboutRow, parts: new Map(), exact: true };
}

function onlyName(column: string): ItemNames {
  return { paths: [column], shown: column };
}

function readFirst(readers: readonly Reader[], value: Json, top: JsonObject): Json | undefined {
  for (const read of readers) {
    const found = read(value, top);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readerOf(path: string): Reader {
  if (path === ITSELF) return (value) => value;
  if (path.startsWith(FROM_TOP)) {
    const read = valueReader(path.slice(FROM_TOP.length));
    return (_value, top) => read(top);
  }
  const read = valueReader(path);
  return (value) => (isObject(value) ? read(value) : undefined);
}

/** A list is JSON whatever it holds: `split` and `json` know it. */
function textOf(value: Json | undefined): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : cellText(value);
}

/** A step that cuts text, for text that may be a list in JSON, whose parts are known. */
export function listOr(split: Apply): Apply {
  return (text, complain, outside) => {
    const list = text.startsWith('[') ? listIn(text) : undefined;
    if (!list) return split(text, complain, outside);
    const words = list.filter((word) => typeof word !== 'object').map((word) => String(word).trim());
    const filled = words.filter((word) => word !== '');
    return filled.length > 0 ? filled : undefined;
  };
}

/** Undefined for text that only begins like a list. */
function listIn(text: string): Json[] | undefined {
  try {
    return JSON.parse(text) as Json[];
  } catch {
    return undefined;
  }
}

/** The object of a row of JSON. Rows that were kept have no more of it than its text; broken ones have none. */
export function objectIn({ value, cells, issues, table }: Row): JsonObject {
  if (value !== undefined) return value as JsonObject;
  return issues ? {} : (parseItem(cells[table.header.indexOf('json')] ?? '{}') as JsonObject);
}

/** The mapping looks for a list inside of objects, and the file has rows of cells. */
export function noObjects(file: string, mapping: string, path: string): ConfigError {
  return new ConfigError(
    `${file} has rows of cells, and the mapping ${mapping} looks for the list ${path} inside of JSON objects.`,
    ['Name another mapping with --mapping, or the JSON file that this one is meant for.'],
  );
}
