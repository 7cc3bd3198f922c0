import {
  againHint,
  ConfigError,
  type Issue,
  identifierIn,
  type Json,
  type JsonObject,
  noValueIn,
  originOf,
  type RecordWarning,
  type Row,
  type RuleUse,
  type SourceRecord,
  type Table,
} from '../../model/index.ts';
import type { EvalContext } from '../evaluate/eval-context.ts';
import type { Mapping } from '../mapping.ts';
import { columnsOf } from '../rows/columns.ts';
import { withFamilies } from '../rows/families.ts';
import { ID_COLUMN, KEY_COLUMN } from '../rows/own-columns.ts';
import { type EarlierRow, earlierRowIn } from '../rows/report-columns.ts';
import { canFill } from '../rows/used-columns.ts';
import { type LookupResolver, NO_LOOKUPS } from '../steps/index.ts';
import { optionCompleter } from './complete-options.ts';
import { disagreementFinder, type FindDisagreements } from './disagreements.ts';
import { wordsCheck } from './known-words.ts';
import { type Locate, type Locator, locator } from './locate.ts';
import { lackingColumns, meantColumns, missingColumns } from './missing-columns.ts';
import { type RowRules, rowRules } from './row-rules.ts';
import { createRowView, type RowView } from './row-view.ts';
import { totalsCheck } from './totals.ts';

/** A record with the payload that the mapping built from it. It must not be sent if it has issues. */
export interface Mapped {
  /** Paths that an update clears, since the file has the column and its cell is empty. A create ignores them. */
  readonly blanks?: readonly (readonly [path: string, value: Json])[];
  readonly record: SourceRecord;
  readonly payload: JsonObject;
  readonly issues: readonly Issue[];
  /** True if its rows could not be parsed, so nothing was mapped. */
  readonly unreadable: boolean;
  /** Value of the key column, see `FileBinding.keyColumn`. */
  readonly key?: string;
  /** Warnings of rules with `warn`, of `check` and of `words`. */
  readonly warnings?: readonly RecordWarning[];
  /** The store's identifier, if the file has the column `_id`. Never payload. */
  readonly id?: string;
}

/** A mapping resolved against the columns of one file. */
export interface FileBinding extends RowRules {
  map(record: SourceRecord, lookups?: LookupResolver): Mapped;
  /** Columns that an earlier report added to a row; undefined if the file is not a report. */
  readonly earlierRowOf?: (row: Row) => EarlierRow | undefined;
  /** Key by which rows are grouped into records; undefined if the mapping groups by no column. */
  readonly groupKeyOf?: (row: Row) => string;
  /** Position of the column with that key, if it is one column, and rows are cells and not objects. */
  readonly groupColumn?: number;
  /** Positions of the columns that are carried down, and the header that they are in; undefined if there are none. */
  readonly carried?: { readonly columns: readonly number[]; readonly header: readonly string[] };
  /** True if a row has no key and so belongs to the record above it; undefined if the mapping does not allow that. */
  readonly continuesAbove?: (row: Row) => boolean;
  /** Finds values that are lost because rows of one record differ; undefined if none can be lost. */
  readonly findDisagreements?: FindDisagreements;
  /** True if the rows of a record may be anywhere. */
  readonly isUnordered: boolean;
  /**
   * Position of the column that identifies a record whose payload has no key: the one that the mapping names, else
   * `_key`. undefined if the resource has a key, or if there is no such column.
   */
  readonly keyColumn?: number;
  /** Locates the value of a payload field, such as `images.2.src`, in the file. Used for messages. */
  readonly locate: Locate;
  readonly cellsOf: Locator['cellsOf'];
  /** Target paths, such as `['price', 'salePrice']`, that have a column in the file or a constant in the mapping. */
  readonly fillablePaths: readonly (readonly string[])[];
  /** Columns that the mapping uses and the file lacks. */
  readonly missing: readonly string[];
  /** For some of the missing columns, an unused column of nearly the same name that is probably meant. */
  readonly similarUnused: ReadonlyMap<string, string>;
  /** Columns of the file that the mapping does not use. Their data does not reach the store. */
  readonly unused: readonly string[];
  /** Fields left out of objects that are payloads already, since the API does not have these fields. */
  readonly leftOut?: readonly string[];
  /** Bits for each watched rule of the mapping, for `LookupResolver.ruleUse`; undefined if no rule is watched. */
  readonly ruleUse?: Uint8Array;
  /** Use of each watched rule. */
  ruleUses(): RuleUse[];
}

/**
 * Resolves a mapping's columns in a file's header. Throws ConfigError if a needed column is missing, or if it occurs
 * twice and choosing one would be a guess.
 *
 * `required`: top-level fields that a payload must have.
 */
export function bind(given: Mapping, table: Table, required: readonly string[]): FileBinding {
  const mapping = withFamilies(given, table);
  const view = createRowView(mapping, table);
  const { find, has, build } = view;
  const idColumn = find(ID_COLUMN);
  const earlier = earlierRowIn(columnsOf(table, mapping.aliases));
  const rules = rowRules(mapping, view);
  const { groupBy = [] } = mapping;
  const groupKeyOf = groupBy.length === 0 ? undefined : keyReader(groupBy, view);
  const [groupName = ''] = groupBy;
  const carried = carriedColumns(mapping, table, view);
  const checkWords = wordsCheck(mapping, view);
  const completeOptions = optionCompleter(mapping);
  const checkTotals = mapping.check && totalsCheck(mapping.check, view.resolver);
  // The raw cells of a column that is carried down do not have its values.
  const isInCells = groupBy.length === 1 && table.items === undefined && !mapping.carry?.includes(groupName);
  const groupColumn = isInCells ? find(groupName) : undefined;
  const continuesAbove =
    mapping.emptyContinues && groupKeyOf ? (row: Row) => groupKeyOf(row) === '' : undefined;
  const keyName = mapping.keyBy ?? KEY_COLUMN;
  const hasKey = mapping.keyBy !== undefined || has(KEY_COLUMN);
  // Later objects may have a key even if the first ones have none.
  const keyAt =
    mapping.resource.key === undefined && (hasKey || table.items !== undefined) ? find(keyName) : undefined;
  const keyColumn = hasKey ? keyAt : undefined;
  // Each object has fields of its own, so only a table of cells can lack columns as a whole.
  const lacking = table.items === undefined ? lackingColumns(mapping, required, view) : [];
  if (lacking.length > 0)
    throw new ConfigError(`${table.file} lacks columns that the mapping ${mapping.name} needs.`, [
      ...lacking,
      ...updateCure(mapping, view),
      ...(mapping.joined ?? []).map(({ title }) => `It may be in ${title}: name that file too.`),
    ]);
  const ambiguous = view.ambiguous();
  if (ambiguous !== undefined)
    throw new ConfigError(
      `${table.file} has the column "${ambiguous}" more than once, and the mapping ${mapping.name} needs it.`,
      ['Rename or remove all but the one that is meant.'],
    );

  const rivals = view.rivals();
  if (rivals)
    throw new ConfigError(
      `${table.file} has the columns ${rivals.map((name) => `"${name}"`).join(' and ')}, and the mapping ${mapping.name} needs one of them.`,
      ['Rename or remove all but the one that is meant.'],
    );

  const findDisagreements = disagreementFinder(mapping, view);
  // A report on a file of objects contains only some of them, so it cannot show which fields the file lacks.
  const missing = table.items !== undefined && earlier !== undefined ? [] : missingColumns(mapping, has);
  const unused = view.unused();
  const { locate, cellsOf } = locator(mapping, view, completeOptions);
  // A report contains only some rows of a file, so a rule that never applies there proves nothing.
  const watched = earlier ? [] : mapping.watchedRules;
  const ruleUse = watched.length > 0 ? new Uint8Array(watched.length) : undefined;
  return {
    map(record, lookups = NO_LOOKUPS) {
      const [lead] = record.rows;
      if (!lead) throw new Error('a record has at least one row');
      const issues: Issue[] = [...(record.issues ?? [])];
      for (const row of record.rows) if (row.issues) issues.push(...row.issues);
      // The cells of a row that could not be parsed may be in other columns than the header says.
      if (issues.length > 0) return { record, payload: {}, issues, unreadable: true };
      if (continuesAbove?.(lead)) issues.push(nothingAbove(lead, groupName));
      const rows = view.rowsOf(record.rows);
      const [row = lead] = rows;
      // Written out: this runs for every record, and spreading costs more than the rest of it.
      const context: EvalContext = {
        rows,
        row,
        prefix: '',
        at: { row, column: 0 },
        issues,
        blanks: [],
        lookups,
        warnings: undefined,
      };
      const id = idColumn === undefined ? undefined : identifierIn(row, idColumn);
      const key = keyAt === undefined ? undefined : firstFilled(rows, keyAt);
      if (keyColumn !== undefined && (key === '' || noValueIn(key ?? '') !== undefined))
        issues.push(noKey(row, view.header[keyColumn] ?? '', key));
      const payload = build(context) ?? {};
      completeOptions?.(payload);
      checkTotals?.(context, payload);
      checkWords?.(context, payload);
      return {
        record,
        payload,
        issues,
        unreadable: false,
        ...(key ? { key } : {}),
        ...(id ? { id } : {}),
        ...(context.blanks.length > 0 ? { blanks: context.blanks } : {}),
        ...(context.warnings ? { warnings: context.warnings.map(ofRecord(lead)) } : {}),
      };
    },
    ...(earlier === undefined ? {} : { earlierRowOf: earlier }),
    ...(groupKeyOf === undefined ? {} : { groupKeyOf }),
    ...(groupColumn === undefined ? {} : { groupColumn }),
    ...(carried === undefined ? {} : { carried }),
    ...(continuesAbove === undefined ? {} : { continuesAbove }),
    ...(findDisagreements === undefined ? {} : { findDisagreements }),
    isUnordered: mapping.isUnordered === true,
    ...rules,
    ...(keyColumn === undefined ? {} : { keyColumn }),
    // Later objects may have fields that the first ones lack.
    fillablePaths: mapping.fields
      .filter(({ rule }) => table.items !== undefined || canFill(rule, has))
      .map(({ path }) => path),
    locate,
    cellsOf,
    missing,
    similarUnused: meantColumns(missing, unused),
    unused,
    ...(mapping.isNativeJson ? { leftOut: unused } : {}),
    ...(ruleUse === undefined ? {} : { ruleUse }),
    ruleUses: () => watched.map((rule, index) => ({ ...rule, use: ruleUse?.[index] ?? 0 })),
  };
}

/** The cure for a file of changes: updates need only the key and the fields that they change. Empty if it lacks more. */
function updateCure(mapping: Mapping, view: RowView): string[] {
  const { key = [], update } = mapping.resource;
  const hasKey = key.some((field) => lackingColumns(mapping, [field], view).length === 0);
  if (update === undefined || !hasKey) return [];
  return [
    'A new record must have it. If this is a file of changes to records that the store has: add --mode update.',
    ...againHint({ mode: 'update' }),
  ];
}

/**
 * Reads the key of a row: the text of one column, or `Acme | Pen` for several. It is '' if any of them is empty.
 * undefined if the file lacks a column, which is reported with the other missing columns.
 */
function keyReader(names: readonly string[], { find, rowsOf }: RowView): ((row: Row) => string) | undefined {
  const columns = names.map(find);
  if (!columns.every((column) => column !== undefined)) return undefined;
  const [first = 0, ...others] = columns;
  return (read) => {
    const [row = read] = rowsOf([read]);
    const text = identifierIn(row, first);
    if (others.length === 0) return text;
    const texts = [text, ...others.map((column) => identifierIn(row, column))];
    return texts.includes('') ? '' : texts.map(withoutBars).join(' | ');
  };
}

/** Throws ConfigError for JSON objects: their fields have no cells above them. */
function carriedColumns(
  { carry, name }: Mapping,
  { items, file }: Table,
  view: RowView,
): FileBinding['carried'] {
  if (carry === undefined) return undefined;
  if (items !== undefined)
    throw new ConfigError(
      `${file} holds JSON objects, and the mapping ${name} carries the cells of rows down.`,
      ['Remove carry from the mapping: each object has all of its values.'],
    );
  return { columns: carry.map(view.find).filter((column) => column !== undefined), header: view.header };
}

/** Escapes the bars in a text, so that no two lists of texts become the same key. */
function withoutBars(text: string): string {
  return text.replace(/[\\|]/g, '\\$&');
}

/** The first cell of the record that is not empty, as for fields. */
function firstFilled(rows: readonly Row[], column: number): string {
  for (const row of rows) {
    const text = identifierIn(row, column);
    if (text !== '') return text;
  }
  return '';
}

/** A warning about the first row of its record is one about the record. */
function ofRecord(lead: Row): (warning: RecordWarning) => RecordWarning {
  return (warning) =>
    typeof warning === 'object' && warning.found === undefined && warning.row === lead.row
      ? warning.message
      : warning;
}

/** Without its key, nobody can find out later whether this record was sent. */
function noKey(row: Row, column: string, key = ''): Issue {
  const what = key === '' ? 'the key is missing' : `"${key}" says that there is no key`;
  const message = `${what}: fill this cell, so that later runs recognise the record`;
  return { code: key === '' ? 'required' : 'no-value', message, column, origin: originOf(row) };
}

/** The first row of a record must have the key. */
function nothingAbove(row: Row, column: string): Issue {
  const message = 'no row above it has a value here, so there is no record to continue';
  return { code: 'required', message: `${message}: fill this cell`, column, origin: originOf(row) };
}
