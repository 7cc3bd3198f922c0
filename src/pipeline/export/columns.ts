import { didYouMean } from '../../map/did-you-mean.ts';
import { type Cells, compileColumn, type ExportMapping, shownPaths } from '../../map/index.ts';
import { ConfigError, cellText, itemIdentifier, type JsonObject, valueReader } from '../../model/index.ts';
import { fieldType, nativeColumns, REST_COLUMN, type Resource } from '../../resources/index.ts';
import { type Column, pathColumn, type TableFormat } from '../../write/index.ts';
import { type UnseenFields, unseenFields, unseenReader } from './unseen-fields.ts';

export interface ColumnChoice {
  readonly resource: Resource;
  readonly format: TableFormat;
  /** Comma-separated dotted paths, or `*` for the rest; undefined for the native columns. CSV only. */
  readonly columns?: string | undefined;
  /** Used in place of `columns`, in every format. */
  readonly mapping?: ExportMapping | undefined;
}

/** Converts items to the rows of an export, and counts what is lost. */
export interface TableColumns {
  readonly columns: readonly Column[];
  /** Names of the columns; null if items are written whole, so that each may have other fields. */
  readonly header: readonly string[] | null;
  /** Converts items to rows. Must be called once for each item, in the order of the file, since it counts. */
  rowsOf(items: readonly JsonObject[]): readonly JsonObject[];
  counts(): {
    /** Fields that no column shows, with the number of items that have them. */
    readonly not_in_columns: Readonly<Record<string, number>>;
    /** Columns of a mapping with the number of cells that could not be converted. Those have the store's value. */
    readonly not_converted: Readonly<Record<string, number>>;
  };
  /** One line for each column with unconverted cells, with an example. */
  warnings(): string[];
}

/** Throws ConfigError if a named column does not exist. */
export function tableColumns(choice: ColumnChoice): TableColumns {
  return choice.mapping ? mappedColumns(choice.mapping, choice.resource) : fieldColumns(choice);
}

/** Shows the store's own fields: JSON has items whole, CSV a cell for each path. */
function fieldColumns({ resource, format, columns }: ColumnChoice): TableColumns {
  const paths = chosenColumns(resource, columns);
  const rest = unseenReader(paths);
  // Named columns show all that is in them. Without names, the CSV is the native form, which can be imported again.
  const isNative = resource.create !== undefined && columns === undefined;
  const unseen = unseenFields(paths, isNative ? fieldType(resource.schema) : undefined);
  return {
    columns: paths.map((path) => (path === REST_COLUMN ? { name: path, value: rest } : pathColumn(path))),
    header: format === 'csv' ? paths : null,
    rowsOf: (items) => (format === 'csv' ? items.map(unseen.look) : items),
    counts: () => ({ not_in_columns: countsOf(paths, unseen), not_converted: {} }),
    warnings: () => [],
  };
}

/** Cells of one column that could not be converted. */
interface Unconverted {
  count: number;
  readonly example: string;
}

/** Maps items to objects with a value for each column, in every format. A missing value is null. */
function mappedColumns(mapping: ExportMapping, { singular, list }: Resource): TableColumns {
  const paths = shownPaths(mapping);
  const rest = unseenReader(paths);
  const cells: Cells = {
    reader: (path) => (path === REST_COLUMN ? rest : valueReader(path)),
    text: cellText,
  };
  const unseen = unseenFields(paths);
  const unconverted = new Map<string, Unconverted>();
  let row = 0;

  const nameOf = (item: JsonObject): string =>
    `${singular} ${itemIdentifier(item, list?.id) ?? `no. ${row}`}`;
  const takers = mapping.columns.map((column) => {
    const take = compileColumn(column, cells, (item, message) => {
      const known = unconverted.get(column.name);
      if (known) known.count++;
      else unconverted.set(column.name, { count: 1, example: `${nameOf(item)}: ${message}` });
    });
    return [column.name, take] as const;
  });
  return {
    columns: mapping.columns.map(({ name }) => ({ name, value: (shown) => shown[name] })),
    header: mapping.columns.map(({ name }) => name),
    rowsOf: (items) =>
      items.map((item) => {
        row++;
        unseen.look(item);
        return Object.fromEntries(takers.map(([name, take]) => [name, take(item) ?? null]));
      }),
    counts: () => ({
      not_in_columns: countsOf(paths, unseen),
      not_converted: Object.fromEntries([...unconverted].map(([name, { count }]) => [name, count])),
    }),
    warnings: () => [...unconverted].map(([name, trouble]) => warningOf(name, trouble)),
  };
}

/** Removes line breaks, since the example may have some and a warning is one line. */
function warningOf(column: string, { count, example }: Unconverted): string {
  const items = count === 1 ? '1 item' : `${count} items`;
  const text = `column "${column}" could not be converted in ${items}, where it holds what the store gave; for example ${example}.`;
  return text.replace(/\s+/g, ' ');
}

/** No counts if there is a column `*`, which shows all other fields. */
function countsOf(paths: readonly string[], { counts }: UnseenFields): Record<string, number> {
  return paths.includes(REST_COLUMN) ? {} : Object.fromEntries(counts);
}

/** Parses the columns that the user named. Throws ConfigError if the resource lacks one that is not `*`. */
export function chosenColumns(resource: Resource, names: string | undefined): readonly string[] {
  const columns = nativeColumns(resource);
  if (names === undefined) return columns;
  const chosen = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = chosen.filter(
    (name) => name !== REST_COLUMN && !columns.some((column) => overlaps(column, name)),
  );
  if (chosen.length === 0 || unknown.length > 0)
    throw new ConfigError(
      `--columns ${names}: ${resource.name} have no "${unknown[0] ?? ''}".${didYouMean(unknown[0] ?? '', columns)}`,
      [`There are: ${columns.join(', ')}; and ${REST_COLUMN} for all that no other column shows.`],
    );
  return chosen;
}

/** True if a name selects a whole column (`product`), or a field inside a JSON cell (`details.0`). */
function overlaps(column: string, name: string): boolean {
  return column === name || column.startsWith(`${name}.`) || name.startsWith(`${column}.`);
}
