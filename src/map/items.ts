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
  /** Paths below `prefix` in these objects that nobody has asked for. */
  unusedIn(items: readonly Json[], prefix?: string): Set<string>;
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

/** `nameIn`: which of its names a column goes by. `prefix`: how messages name the place, such as `variants[].` */
export function itemColumns(file: string, nameIn = (column: string) => column, prefix = ''): ItemColumns {
  const header: string[] = [];
  const table = { file, header };
  const positions = new Map<string, number>();
  const readers: ((value: Json, top: JsonObject) => Json | undefined)[] = [];
  const lists = new Map<string, ItemColumns>();

  function find(column: string): number {
    const path = nameIn(column);
    const known = positions.get(path);
    if (known !== undefined) return known;
    const isFromTop = path.startsWith(FROM_TOP);
    header.push(isFromTop ? path.slice(FROM_TOP.length) : prefix + path);
    positions.set(path, readers.push(readerOf(path)) - 1);
    return readers.length - 1;
  }

  function rowOf({ row, line }: Row, value: Json, top: JsonObject): ItemRow {
    return { table, row, line, value, top, cells: readers.map((read) => textOf(read(value, top))) };
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

  /** Whether a path below this one was asked for. */
  const leadsOn = (path: string) => [...positions.keys()].some((asked) => asked.startsWith(`${path}.`));

  function unusedIn(items: readonly Json[], path = ''): Set<string> {
    const unused = new Set<string>();
    // `variants.0.price` is one of `variants[].price`.
    const asked = new Set([...positions.keys()].map((each) => each.replace(/\.\d+(?=\.|$)/g, '[]')));
    for (const item of items) {
      if (!isObject(item)) continue;
      for (const [name, value] of Object.entries(item)) {
        const at = path + name;
        if (positions.has(at) || value === null) continue;
        const within = lists.get(at);
        const below =
          within && Array.isArray(value)
            ? within.unusedIn(value)
            : isObject(value) && leadsOn(at)
              ? unusedIn([value], `${at}.`)
              : [prefix + at];
        for (const each of below) if (!asked.has(each)) unused.add(each);
      }
    }
    return unused;
  }

  return { header, find, inside, rowOf, unusedIn };
}

export function itemNames({ find, inside }: Pick<ItemColumns, 'find' | 'inside'>): Names {
  return { find, inside, fill: (text) => text, refer: aboutRow, parts: new Map(), exact: true };
}

function readerOf(path: string): (value: Json, top: JsonObject) => Json | undefined {
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
