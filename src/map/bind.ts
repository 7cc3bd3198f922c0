import {
  ConfigError,
  type Issue,
  identifierIn,
  isOwnColumn,
  type Json,
  type JsonObject,
  originOf,
  type Row,
  type SourceRecord,
  type Table,
} from '../model/index.ts';
import { type Columns, columnsOf, fold } from './columns.ts';
import { type EarlierRow, earlierRowIn } from './earlier.ts';
import { type Locate, locator } from './locate.ts';
import type { Mapping } from './mapping.ts';
import { ID_COLUMN, KEY_COLUMN } from './native.ts';
import { ABOUT_ROWS, type ReadText } from './references.ts';
import type { Scope } from './scope.ts';
import { NOTHING_OUTSIDE, type Outside } from './steps/index.ts';
import { takeObject } from './take.ts';
import { alternativesIn, canFill, sourceColumns } from './used-columns.ts';

/** A record with the payload that its mapping made of it. With issues, it is not to be sent. */
export interface Mapped {
  /** What an update is to clear, path by path: the file has the column, and nothing in it. A create leaves it out. */
  readonly blanks?: readonly (readonly [path: string, value: Json])[];
  readonly record: SourceRecord;
  readonly payload: JsonObject;
  readonly issues: readonly Issue[];
  /** Its rows could not be read as they stand, so nothing was mapped. */
  readonly unreadable: boolean;
  /** What the key column says, see `Binding.keyColumn`. */
  readonly key?: string;
  /** The store's identifier, where the file has the column `_id`: never payload. */
  readonly id?: string;
}

/** A mapping tied to the columns of one file. */
export interface Binding {
  map(record: SourceRecord, outside?: Outside): Mapped;
  /** What an earlier run wrote beside a row; undefined where the file is no report that comes back. */
  readonly earlier?: (row: Row) => EarlierRow | undefined;
  /** Position of the column that groups rows; undefined when each row is a record. */
  readonly groupColumn?: number;
  /**
   * Position of the column that identifies a record whose payload has no key: the one that the mapping names, else
   * `_key`. Undefined where the resource has a key, or there is no such column.
   */
  readonly keyColumn?: number;
  /** Where the value of a payload field, such as `images.2.src`, stands in the file; for messages. */
  readonly locate: Locate;
  /** Target paths, such as `['price', 'salePrice']`, for which the file has a column or the mapping a constant. */
  readonly given: readonly (readonly string[])[];
  /** Columns that the mapping would use and the file lacks. */
  readonly missing: readonly string[];
  /** Columns of the file that the mapping does not use: their data does not reach the store. */
  readonly unused: readonly string[];
}

/**
 * Finds a mapping's columns in a file's header. Throws ConfigError where a column is needed and not there, or is
 * there twice, so that which of the two is meant would be a guess.
 *
 * `required`: top-level fields that a payload must have.
 */
export function bind(mapping: Mapping, table: Table, required: readonly string[]): Binding {
  const columns = columnsOf(table, mapping.aliases);
  const used = new Set<number>();
  const find: Columns['find'] = (name) => {
    const index = columns.find(name);
    if (index !== undefined) used.add(index);
    return index;
  };

  const build = takeObject(mapping.fields, {
    find,
    fill: (text) => text,
    refer: (inner) => referTo(inner, columns, find),
    parts: new Map(),
  });
  const idColumn = columns.find(ID_COLUMN);
  if (idColumn !== undefined) used.add(idColumn);
  const earlier = earlierRowIn(columns);
  const groupColumn = mapping.groupBy === undefined ? undefined : find(mapping.groupBy);
  const keyColumn = mapping.resource.key === undefined ? find(mapping.keyBy ?? KEY_COLUMN) : undefined;
  const lacking = lackingColumns(mapping, required, columns.find);
  if (lacking.length > 0)
    throw new ConfigError(
      `${table.file} does not have the columns that the mapping ${mapping.name} cannot do without.`,
      lacking,
    );
  const twice = [...used]
    .map((index) => table.header[index] ?? '')
    .filter((name) => columns.repeated.has(fold(name)));
  if (twice.length > 0)
    throw new ConfigError(
      `${table.file} has the column "${twice[0]}" more than once, and the mapping ${mapping.name} needs it.`,
      ['Rename or remove all but the one that is meant.'],
    );

  const [rivals] = [...used].flatMap((index) => {
    const others = columns.rivals(index);
    return others.length > 0 ? [[table.header[index] ?? '', ...others]] : [];
  });
  if (rivals)
    throw new ConfigError(
      `${table.file} has the columns ${rivals.map((name) => `"${name}"`).join(' and ')}, and the mapping ${mapping.name} needs one of them.`,
      ['Rename or remove all but the one that is meant.'],
    );

  return {
    map(record, outside = NOTHING_OUTSIDE) {
      const [lead] = record.rows;
      if (!lead) throw new Error('a record has at least one row');
      const issues: Issue[] = [...(record.issues ?? [])];
      for (const row of record.rows) if (row.issues) issues.push(...row.issues);
      // Cells of a row that could not be read as it stands are not where the header says: nothing to map.
      if (issues.length > 0) return { record, payload: {}, issues, unreadable: true };
      // Written out: this runs for every record, and spreading costs more than the rest of it.
      const scope: Scope = {
        rows: record.rows,
        row: lead,
        prefix: '',
        at: { row: lead, column: 0 },
        issues,
        blanks: [],
        outside,
      };
      const id = idColumn === undefined ? undefined : identifierIn(lead, idColumn);
      const key = keyColumn === undefined ? undefined : firstFilled(record.rows, keyColumn);
      if (key === '') issues.push(noKey(lead, table.header[keyColumn as number] ?? ''));
      const payload = build(scope) ?? {};
      return {
        record,
        payload,
        issues,
        unreadable: false,
        ...(key ? { key } : {}),
        ...(id ? { id } : {}),
        ...(scope.blanks.length > 0 ? { blanks: scope.blanks } : {}),
      };
    },
    ...(earlier === undefined ? {} : { earlier }),
    ...(groupColumn === undefined ? {} : { groupColumn }),
    ...(keyColumn === undefined ? {} : { keyColumn }),
    given: mapping.fields
      .filter(({ rule }) => canFill(rule, (name) => columns.find(name) !== undefined))
      .map(({ path }) => path),
    locate: locator(mapping.fields, table, columns, build),
    missing: missingColumns(mapping, columns.find),
    unused: table.header.filter(
      (name, index) => !used.has(index) && name.trim() !== '' && !isOwnColumn(name),
    ),
  };
}

/** `{row number}`, or `{Weight.unit}`: what stands in the gap of the name under which the file has a column. */
function referTo(inner: string, columns: Columns, find: Columns['find']): ReadText | undefined {
  const about = Object.hasOwn(ABOUT_ROWS, inner) ? ABOUT_ROWS[inner] : undefined;
  if (about)
    return (scope, row) => {
      scope.at = { row, column: -1 };
      return about(row);
    };
  const dot = inner.lastIndexOf('.');
  const [name, gap] = [inner.slice(0, dot), inner.slice(dot + 1)];
  const position = dot < 0 ? undefined : find(name);
  const text = position === undefined ? undefined : columns.gap(name, gap);
  if (text === undefined || position === undefined) return undefined;
  return (scope, row) => {
    scope.at = { row, column: position };
    return text;
  };
}

/** Of the rows of a record the first cell that is not empty, as fields are taken too. */
function firstFilled(rows: readonly Row[], column: number): string {
  for (const row of rows) {
    const text = identifierIn(row, column);
    if (text !== '') return text;
  }
  return '';
}

/** Without its key nobody can tell later whether this record was sent. */
function noKey(row: Row, column: string): Issue {
  const message = 'the key is missing: fill this cell, so that the record is known when it comes again';
  return { code: 'required', message, column, origin: originOf(row) };
}

/** The first name of each column that the file has under none of its names. */
function missingColumns(mapping: Mapping, find: Columns['find']): string[] {
  const missing = alternativesIn(mapping.fields).filter((names) =>
    names.every((name) => find(name) === undefined),
  );
  return [...new Set(missing.map(([name = '']) => name))];
}

/** One line for each field (or the grouping) that no column of the file can fill. */
function lackingColumns(mapping: Mapping, required: readonly string[], find: Columns['find']): string[] {
  const lines: string[] = [];
  if (mapping.groupBy !== undefined && find(mapping.groupBy) === undefined)
    lines.push(`Missing: "${mapping.groupBy}", by which rows belong together.`);
  if (mapping.keyBy !== undefined && find(mapping.keyBy) === undefined)
    lines.push(`Missing: "${mapping.keyBy}", the key of each record.`);
  for (const { path, rule } of mapping.fields) {
    if (rule.kind !== 'value' || rule.source.kind === 'constant' || rule.default !== undefined) continue;
    if (!rule.required && !(path.length === 1 && required.includes(path[0] ?? ''))) continue;
    const names = sourceColumns(rule.source);
    if (names.length > 0 && names.every((name) => find(name) === undefined))
      lines.push(
        `Missing: ${names.map((name) => `"${name}"`).join(' or ')}, for the field ${path.join('.')}.`,
      );
  }
  for (const field of required)
    if (!mapping.fields.some(({ path }) => path[0] === field))
      lines.push(`Missing: anything for the field ${field}.`);
  return lines;
}
