import type { Issue, Json, Row } from '../../model/index.ts';
import { ABOUT_ROWS } from '../references.ts';
import type { LookupResolver } from '../steps/index.ts';

/**
 * What the takers of one record share while its payload is built. One object a record, changed in place: a
 * closure or a copy a cell would cost more than the mapping itself.
 */
export interface EvalContext {
  rows: readonly Row[];
  /** The row of the list item that is being built; else the lead row. */
  row: Row;
  /** Path of the list item that is being built, such as `variants.3.`; else empty. */
  prefix: string;
  /** Where the text that is being worked on was read. */
  at: { row: Row; column: number };
  readonly issues: Issue[];
  /** What an update is to clear: path and value. */
  readonly blanks: [path: string, value: Json][];
  readonly outside: LookupResolver;
  /** What rules with `warn` said; undefined until one of them does. */
  warnings: string[] | undefined;
  readonly trace?: Trace;
}

/** Where the parts of a payload were read; noted only when something is wrong with one of them. */
export interface Trace {
  /** `variants.3.price` → the cell that it was read from, `variants.3` → the row that it was built from. */
  readonly places: Map<string, { readonly row: Row; readonly column?: number }>;
  /** `images` → the numbers of its items as the columns have them, before gaps were closed. */
  readonly numbers: Map<string, readonly string[]>;
}

/** Takes one value out of a record. Undefined means absent, never empty text. */
export type Evaluator = (scope: EvalContext) => Json | undefined;

/** What a mapping's names and words stand for in one file; inside a family of columns, with its number filled in. */
export interface NameResolver {
  /** Position of a column; undefined where the file lacks it. */
  find(column: string): number | undefined;
  /** Text that the mapping writes itself, such as a default. */
  substitute(text: string): string;
  /** What stands in a list inside of the object that a row is: its names, and a row for each item. Throws ConfigError. */
  resolveNested(path: string): ListNames;
  /** The same by the names of outside, `variants[].price` for what an item has; a list without items has an empty one. */
  resolveInList(path: string): ListNames;
  /** A row is an item of a list: what is read out of lists is read out of its own, and not out of those of all rows. */
  readonly ofItem?: boolean;
  /** Texts are as somebody wrote them, and not cells of a spreadsheet, which an export may have defused. */
  readonly exact?: boolean;
  /** How a name in braces is read; undefined for one that means nothing here. */
  resolveReference(inner: string): ReadText | undefined;
  /** The parts that lists are at, for expressions. */
  readonly parts: ReadonlyMap<string, { readonly item: Json }>;
}

export interface ListNames {
  readonly names: NameResolver;
  rowsOf(row: Row): readonly Row[];
}

/** Reads one text out of a row, and notes in the scope where it was read. */
export type ReadText = (scope: EvalContext, row: Row) => string;

/** `{row number}`, `{file name}`; undefined for another name. */
export function aboutRow(inner: string): ReadText | undefined {
  const about = Object.hasOwn(ABOUT_ROWS, inner) ? ABOUT_ROWS[inner] : undefined;
  if (!about) return undefined;
  return (scope, row) => {
    scope.at = { row, column: -1 };
    return about(row);
  };
}

/** The part of a list that is being worked on. */
export interface Part {
  item: Json;
  /** From 1 on. */
  number: number;
  /** Where the text that it was cut from was read. */
  at: EvalContext['at'];
}

/** `{part}`, `{part#}` or `{part.key}` as text. */
export function readPart(part: Part, name: string, inner: string): ReadText {
  const found = (): Json | undefined => {
    if (inner === `${name}#`) return part.number;
    return inner === name ? part.item : under(part.item, inner.slice(name.length + 1));
  };
  return (scope) => {
    const text = textOf(found());
    if (text !== '') scope.at = { ...part.at };
    return text;
  };
}

/** A key with dots in it is a key first, and a path else. */
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
