import {
  type Issue,
  type Json,
  originOf,
  ownValue,
  type RecordWarning,
  type Row,
} from '../../model/index.ts';
import { ABOUT_ROWS } from '../references.ts';
import type { LookupResolver } from '../steps/index.ts';

/**
 * State shared by the evaluators of one record while its payload is built. There is one object for each record, and it
 * is mutated: a closure or a copy for each cell would cost more than the mapping itself.
 */
export interface EvalContext {
  rows: readonly Row[];
  /** The row of the list item that is being built; otherwise the lead row. */
  row: Row;
  /** Path of the list item that is being built, such as `variants.3.`; otherwise empty. */
  prefix: string;
  /** The cell of the text that is being processed. */
  at: { row: Row; column: number };
  readonly issues: Issue[];
  /** Paths that an update clears, with the values that clear them. */
  readonly blanks: [path: string, value: Json][];
  readonly lookups: LookupResolver;
  /** undefined until there is one. */
  warnings: RecordWarning[] | undefined;
  readonly trace?: Trace | undefined;
}

/** The cells from which a payload was read. Recorded only for records with issues. */
export interface Trace {
  /** `variants.3.price` → the cell that it was read from, `variants.3` → the row that it was built from. */
  readonly places: Map<string, { readonly row: Row; readonly column?: number }>;
  /** `images` → the numbers of its items in the columns, before gaps are closed. */
  readonly numbers: Map<string, readonly string[]>;
}

/** Adds an issue of the field `name`, at the cell that is being processed. */
export function addIssue(
  { at: { row, column }, prefix, issues }: EvalContext,
  name: string,
  { code, message }: Pick<Issue, 'code' | 'message'>,
): undefined {
  const header = row.table.header[column];
  issues.push({
    code,
    message,
    field: prefix + name,
    ...(header === undefined ? {} : { column: header }),
    origin: originOf(row),
  });
  return undefined;
}

export function addWarning(context: EvalContext, warning: RecordWarning): void {
  context.warnings ??= [];
  context.warnings.push(warning);
}

/** Evaluates one value of a record. undefined means absent; empty text is never returned. */
export type Evaluator = (context: EvalContext) => Json | undefined;

/** Resolves a mapping's names in one file. Inside a family of columns, the number is already substituted. */
export interface NameResolver {
  /** Position of a column; undefined if the file lacks it. */
  find(column: string): number | undefined;
  /** Substitutes numbers in text that the mapping itself contains, such as a default. */
  substitute(text: string): string;
  /** Resolves a list inside the object of a row: its names, and a row for each item. Throws ConfigError for cells. */
  resolveNested(path: string): ListItems;
  /** Same, with names from outside the list (`variants[].price`). A list without items has one empty item. */
  resolveInList(path: string): ListItems;
  /** The row is an item of a list, so paths into lists are read in this item only, not in all rows. */
  readonly ofItem?: boolean;
  /** Texts are exact, unlike cells of a spreadsheet, which an export may have defused. */
  readonly exact?: boolean;
  /** Reader of a reference in braces; undefined if it has no meaning here. */
  resolveReference(inner: string): ReadText | undefined;
  /** Current parts of the enclosing lists, for expressions. */
  readonly parts: ReadonlyMap<string, { readonly item: Json }>;
}

export interface ListItems {
  readonly resolver: NameResolver;
  rowsOf(row: Row): readonly Row[];
}

/** Reads one text from a row, and records its place in the context. */
export type ReadText = (context: EvalContext, row: Row) => string;

/** Reader of `{row number}` or `{file name}`; undefined for another name. */
export function aboutRow(inner: string): ReadText | undefined {
  const about = ownValue(ABOUT_ROWS, inner);
  if (!about) return undefined;
  return (context, row) => {
    context.at = { row, column: -1 };
    return about(row);
  };
}

/** The current part of a list over parts. */
export interface Part {
  item: Json;
  /** Counted from 1. */
  number: number;
  /** The cell that the part was split from. */
  at: EvalContext['at'];
}

/** Reads `{part}`, `{part#}` or `{part.key}` as text. */
export function readPart(part: Part, name: string, inner: string): ReadText {
  const found = (): Json | undefined => {
    if (inner === `${name}#`) return part.number;
    return inner === name ? part.item : under(part.item, inner.slice(name.length + 1));
  };
  return (context) => {
    const text = textOf(found());
    if (text !== '') context.at = { ...part.at };
    return text;
  };
}

/** Looks up a key that contains dots as a whole first, and then as a path. */
function under(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, key)) return (value as Record<string, Json>)[key];
  const dot = key.indexOf('.');
  if (dot < 0 || !Object.hasOwn(value, key.slice(0, dot))) return undefined;
  return under((value as Record<string, Json>)[key.slice(0, dot)], key.slice(dot + 1));
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
