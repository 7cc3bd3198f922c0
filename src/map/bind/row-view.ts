import {
  ConfigError,
  isOwnColumn,
  type JsonObject,
  parseItem,
  type Row,
  restore,
  type Table,
} from '../../model/index.ts';
import { compileObject } from '../evaluate/compile-object.ts';
import { aboutRow, type EvalContext, type NameResolver, type ReadText } from '../evaluate/eval-context.ts';
import type { Mapping } from '../mapping.ts';
import { columnsOf, fold } from '../rows/columns.ts';
import { haveField } from '../rows/item-paths.ts';
import { itemColumns } from '../rows/items.ts';
import { META_COLUMNS } from '../rows/own-columns.ts';
import { itemNames } from './item-names.ts';
import { mergedObjects, nativeObjects, unknownFields } from './native-objects.ts';

/** Gives a mapping access to the rows of one file: to cells, or to the fields of JSON objects. */
export interface RowView {
  /** The rows of a record as the mapping sees them, with a cell for each of its names. */
  rowsOf(rows: readonly Row[]): readonly Row[];
  /** Names of these cells. */
  readonly header: readonly string[];
  readonly resolver: NameResolver;
  /** Position of the cell for a name, which then counts as used; undefined if the file cannot have it. */
  find(name: string): number | undefined;
  /** True if the file has the name, judging by its header or its first objects. */
  has(name: string): boolean;
  build(context: EvalContext): JsonObject | undefined;
  /** Columns or fields of the file that the mapping does not use. */
  unused(): string[];
  /** A used name that occurs more than once in the header. */
  ambiguous(): string | undefined;
  /** Columns that match the same name of the mapping. */
  rivals(): readonly string[] | undefined;
}

export function createRowView(mapping: Mapping, table: Table): RowView {
  return table.items === undefined ? viewOfCells(mapping, table) : viewOfObjects(mapping, table, table.items);
}

function viewOfCells(mapping: Mapping, table: Table): RowView {
  const { header, file } = table;
  const columns = columnsOf(table, mapping.aliases);
  const used = new Set<number>();
  const find = (name: string) => {
    const index = columns.find(name);
    if (index !== undefined) used.add(index);
    return index;
  };
  const resolveNested = (path: string) => {
    throw noObjects(file, mapping.name, path);
  };
  /** `{Weight.unit}`: text in the gap of the header that was found for the column. */
  const resolveReference = (inner: string): ReadText | undefined => {
    const dot = inner.lastIndexOf('.');
    const [name, gap] = [inner.slice(0, dot), inner.slice(dot + 1)];
    const position = dot < 0 ? undefined : find(name);
    const text = position === undefined ? undefined : columns.gap(name, gap);
    if (text === undefined || position === undefined) return aboutRow(inner);
    return (context, row) => {
      context.at = { row, column: position };
      return text;
    };
  };
  const resolver: NameResolver = {
    find,
    resolveNested,
    resolveInList: resolveNested,
    resolveReference,
    substitute: (text) => text,
    parts: new Map(),
  };
  return {
    ...{ header, find, resolver },
    rowsOf: (rows) => rows,
    has: (name) => columns.find(name) !== undefined,
    build: compileObject(mapping.fields, resolver),
    unused: () =>
      header.filter((name, index) => !used.has(index) && name.trim() !== '' && !isOwnColumn(name)),
    ambiguous: () =>
      [...used].map((index) => header[index] ?? '').find((name) => columns.repeated.has(fold(name))),
    rivals: () =>
      [...used]
        .map((index) => [header[index] ?? '', ...columns.rivals(index)])
        .find((rivals) => rivals.length > 1),
  };
}

function viewOfObjects(mapping: Mapping, { file, leftOut }: Table, items: readonly JsonObject[]): RowView {
  const isIn = (path: string) => haveField(items, path);
  const pathsOf = (name: string) => [name, ...(mapping.aliases.get(name) ?? [])];
  const columns = itemColumns({
    file,
    namesOf(name) {
      const paths = pathsOf(name);
      return { paths, shown: paths.find(isIn) ?? name };
    },
  });
  const resolver = itemNames(columns);
  const fields = compileObject(mapping.fields, resolver);
  const native = mapping.isNativeJson
    ? nativeObjects(mapping.resource, META_COLUMNS, leftOut ?? unknownFields(items, mapping.resource))
    : undefined;
  return {
    header: columns.header,
    find: columns.find,
    resolver,
    has: (name) => pathsOf(name).some(isIn),
    rowsOf: (rows) =>
      rows.map((row) => {
        const item = objectIn(row);
        return columns.rowOf(row, item);
      }),
    build: (context) =>
      native ? mergedObjects(native.payloadOf(objectIn(context.row)), fields(context)) : fields(context),
    unused: () =>
      native ? [...native.leftOut] : [...columns.unusedIn(items)].filter((name) => !META_COLUMNS.has(name)),
    ambiguous: () => undefined,
    rivals: () => undefined,
  };
}

/** The header that recognition uses: the columns, or the top-level fields of the first objects. */
export function headerOf(table: Table): Table {
  const { file, items } = table;
  return items === undefined
    ? table
    : { file, header: [...new Set(items.flatMap((item) => Object.keys(item)))] };
}

/** The object of a JSON row. Rows restored from disk have only its text; rows with issues give `{}`. */
function objectIn({ value, cells, issues, table }: Row): JsonObject {
  if (value !== undefined) return value as JsonObject;
  return issues ? {} : (parseItem(restore(cells[table.header.indexOf('json')] ?? '{}')) as JsonObject);
}

/** The error if a mapping reads a list inside objects and the file has rows of cells. */
function noObjects(file: string, mapping: string, path: string): ConfigError {
  return new ConfigError(
    `${file} has rows of cells, and the mapping ${mapping} looks for the list ${path} inside JSON objects.`,
    ['Name another mapping with --mapping, or the JSON file that this one is meant for.'],
  );
}
