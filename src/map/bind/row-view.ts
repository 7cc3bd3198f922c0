import { isOwnColumn, type JsonObject, type Row, type Table } from '../../model/index.ts';
import { compileObject } from '../evaluate/compile-object.ts';
import { aboutRow, type EvalContext, type NameResolver, type ReadText } from '../evaluate/scope.ts';
import type { Mapping } from '../mapping.ts';
import { columnsOf, fold } from '../rows/columns.ts';
import { haveField, itemColumns, noObjects, objectIn } from '../rows/items.ts';
import { META_COLUMNS } from '../rows/own-columns.ts';
import { itemNames } from './item-names.ts';
import { mergedObjects, unknownFields, wholeObjects } from './native-objects.ts';

/** Gives a mapping access to the rows of one file: to cells, or to the fields of JSON objects. */
export interface RowView {
  /** The rows of a record as the mapping sees them, with a cell for each of its names. */
  rowsOf(rows: readonly Row[]): readonly Row[];
  /** Names of these cells. */
  readonly header: readonly string[];
  readonly names: NameResolver;
  /** Position of the cell for a name, which then counts as used; undefined if the file cannot have it. */
  find(name: string): number | undefined;
  /** True if the file has the name, judging by its header or its first objects. */
  has(name: string): boolean;
  build(scope: EvalContext): JsonObject | undefined;
  /** Columns or fields of the file that the mapping does not use. */
  unused(): string[];
  /** A used name that occurs more than once in the header. */
  ambiguous(): string | undefined;
  /** Columns that match the same name of the mapping. */
  rivals(): readonly string[] | undefined;
}

export function createRowView(mapping: Mapping, table: Table): RowView {
  return table.items === undefined ? atCells(mapping, table) : atItems(mapping, table, table.items);
}

function atCells(mapping: Mapping, table: Table): RowView {
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
    return (scope, row) => {
      scope.at = { row, column: position };
      return text;
    };
  };
  const names: NameResolver = {
    find,
    resolveNested,
    resolveInList: resolveNested,
    resolveReference,
    substitute: (text) => text,
    parts: new Map(),
  };
  return {
    ...{ header, find, names },
    rowsOf: (rows) => rows,
    has: (name) => columns.find(name) !== undefined,
    build: compileObject(mapping.fields, names),
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

function atItems(mapping: Mapping, { file, leftOut }: Table, items: readonly JsonObject[]): RowView {
  const isIn = (path: string) => haveField(items, path);
  const pathsOf = (name: string) => [name, ...(mapping.aliases.get(name) ?? [])];
  const columns = itemColumns(file, (name) => {
    const paths = pathsOf(name);
    return { paths, shown: paths.find(isIn) ?? name };
  });
  const names = itemNames(columns);
  const fields = compileObject(mapping.fields, names);
  const whole = mapping.isWhole
    ? wholeObjects(mapping.resource, META_COLUMNS, leftOut ?? unknownFields(items, mapping.resource))
    : undefined;
  return {
    header: columns.header,
    find: columns.find,
    names,
    has: (name) => pathsOf(name).some(isIn),
    rowsOf: (rows) =>
      rows.map((row) => {
        const item = objectIn(row);
        return columns.rowOf(row, item);
      }),
    build: (scope) =>
      whole ? mergedObjects(whole.payloadOf(objectIn(scope.row)), fields(scope)) : fields(scope),
    unused: () =>
      whole ? [...whole.leftOut] : [...columns.unusedIn(items)].filter((name) => !META_COLUMNS.has(name)),
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
