import type { Json, Row } from '../../model/index.ts';
import { withoutNoise } from '../expression/decimals.ts';
import type { Across, MappingCondition, OnlyRows, ValueRule } from '../mapping.ts';
import { referred } from '../references.ts';
import { IN_LIST } from '../rows/paths.ts';
import { canFill, sourceColumns } from '../rows/used-columns.ts';
import { noteUse } from '../steps/step.ts';
import { positionsOf, readColumns, readNamed, readTemplate } from './read-text.ts';
import type { EvalContext, Evaluator, NameResolver, ReadText } from './scope.ts';
import { takeExpression } from './take-expression.ts';
import { addIssue, applySteps, type TextTransform } from './work.ts';

/** Compiles one value: its source, its steps, and its fallback if the source is empty. */
export function compileValue(rule: ValueRule, names: NameResolver, name: string): Evaluator {
  const list = sourceColumns(rule.source).find((column) => column.includes(IN_LIST));
  return list === undefined
    ? takeHere(rule, names, name)
    : takeAmong(rule, names, name, list.slice(0, list.lastIndexOf(IN_LIST)));
}

function takeHere(rule: ValueRule, names: NameResolver, name: string): Evaluator {
  const take = takeFilled(rule, names, name);
  const when = rule.when && holds(rule.when, names);
  const otherwise = fixed(rule.otherwise, names);
  return takeOnly(rule.only, when ? (scope) => (when(scope) ? take(scope) : otherwise) : take, names);
}

/** Takes the value from all items of a list, as usual from all rows of a record. `when` selects items. */
function takeAmong(rule: ValueRule, names: NameResolver, name: string, list: string): Evaluator {
  const { names: found, rowsOf } = names.resolveInList(list);
  // Keeps the parts of the enclosing lists.
  const inner: NameResolver = { ...found, resolveReference: names.resolveReference, parts: names.parts };
  const across = rule.across === 'own' ? 'first' : rule.across;
  const all = takeFilled({ ...rule, across }, inner, name);
  const when = rule.when && holds({ ...rule.when, across: 'own' }, inner);
  const otherwise = fixed(rule.otherwise, names);
  const chosen: Evaluator = when
    ? (scope) => {
        const rows = rowsWhere(scope, when);
        return rows.length > 0 ? withRows(scope, rows, all) : otherwise;
      }
    : all;
  const take = takeOnly(rule.only, chosen, inner);
  return (scope) => {
    const objects = names.ofItem ? [scope.row] : scope.rows;
    return withRows(scope, objects.flatMap(rowsOf), take);
  };
}

/** Evaluates a value, and its condition, as if the record had only the selected rows. */
function takeOnly(only: OnlyRows | undefined, take: Evaluator, names: NameResolver): Evaluator {
  if (!only) return take;
  const tests = only.conditions.map((condition) => holds(condition, names));
  const rowsOf = only.first ? firstRowWhere : rowsWhere;
  return (scope) => {
    for (const test of tests) {
      const found = rowsOf(scope, test);
      if (found.length > 0) return withRows(scope, found, take);
    }
    const { row, line, table } = scope.row;
    return withRows(scope, [{ table, row, line, cells: [] }], take);
  };
}

const NO_ROWS: readonly Row[] = [];

/** Stops at the first match: products have tens of rows, and mostly the first one matches. */
function firstRowWhere(scope: EvalContext, holds: (scope: EvalContext) => boolean): readonly Row[] {
  const { row } = scope;
  const found = scope.rows.find((each) => {
    scope.row = each;
    return holds(scope);
  });
  scope.row = row;
  return found ? [found] : NO_ROWS;
}

function rowsWhere(scope: EvalContext, holds: (scope: EvalContext) => boolean): Row[] {
  const { row } = scope;
  const found = scope.rows.filter((each) => {
    scope.row = each;
    return holds(scope);
  });
  scope.row = row;
  return found;
}

/** `some` has at least one row. */
function withRows(scope: EvalContext, some: readonly Row[], take: Evaluator): Json | undefined {
  const { rows, row } = scope;
  [scope.rows, scope.row] = [some, some[0] as Row];
  const value = take(scope);
  [scope.rows, scope.row] = [rows, row];
  return value;
}

/** A value that the mapping itself contains. */
function fixed(value: Json | undefined, names: NameResolver): Json | undefined {
  return typeof value === 'string' ? names.substitute(value) : value;
}

/** Compiles a value with its default, `required` or `blank`. */
function takeFilled(rule: ValueRule, names: NameResolver, name: string): Evaluator {
  const read = takeSource(rule, names);
  const value: Evaluator = (scope) => read(scope, name);
  const fallback = fixed(rule.default, names);
  const sure = fallback === undefined && !rule.required && rule.blank === undefined;
  return warning(rule.warn, sure ? value : firstOf([value, whenEmpty(rule, names, name, fallback)]));
}

/** Adds the warning if there is a value. */
function warning(message: string | undefined, take: Evaluator): Evaluator {
  if (message === undefined) return take;
  return (scope) => {
    const value = take(scope);
    if (value !== undefined) addWarning(scope, message);
    return value;
  };
}

export function addWarning(scope: EvalContext, message: string): void {
  scope.warnings ??= [];
  scope.warnings.push(message);
}

/** Compiles the fallback for an empty source. */
function whenEmpty(
  rule: ValueRule,
  names: NameResolver,
  name: string,
  fallback: Json | undefined,
): Evaluator {
  if (fallback !== undefined) return () => fallback;
  if (rule.required) return complainRequired(rule, names, name);
  const { blank } = rule;
  // If the file lacks the column, the store's value is kept: nothing says that it should be cleared.
  if (blank === undefined || !canFill(rule, (column) => names.find(column) !== undefined))
    return () => undefined;
  return (scope) => {
    scope.blanks.push([scope.prefix + name, blank]);
    return undefined;
  };
}

/** Uses the first alternative that has a value. One with issues also ends the search, so that no other hides them. */
export function firstOf(takers: readonly Evaluator[]): Evaluator {
  return (scope) => {
    const issues = scope.issues.length;
    const blanks = scope.blanks.length;
    for (const take of takers) {
      const value = take(scope);
      if (value === undefined && scope.issues.length === issues) continue;
      // Paths that earlier alternatives left blank have a value now.
      scope.blanks.length = blanks;
      return value;
    }
    return undefined;
  };
}

/** Collects the words of all alternatives in order, each once. */
export function allOf(takers: readonly Evaluator[]): Evaluator {
  return (scope) => {
    const blanks = scope.blanks.length;
    const words: Json[] = [];
    for (const take of takers)
      for (const word of [take(scope) ?? []].flat()) if (!words.includes(word)) words.push(word);
    if (words.length === 0) return undefined;
    scope.blanks.length = blanks;
    return words;
  };
}

/** Names the first of the columns that the file has; if it has none, names all of them. */
function complainRequired({ source }: ValueRule, names: NameResolver, name: string): Evaluator {
  const columns = source.kind === 'columns' ? source.names : [];
  const [column = -1] = columns.length > 0 ? positionsOf(columns, names) : [];
  const wanted = columns.map((each) => `"${each}"`).join(' or ');
  const what =
    column < 0 && wanted !== '' ? `the file has no column ${wanted} to take it from` : 'fill this cell';
  return (scope) => {
    scope.at = { row: scope.row, column };
    return addIssue(scope, name, 'required', `${scope.prefix}${name} is missing: ${what}`);
  };
}

function takeSource(
  rule: ValueRule,
  names: NameResolver,
): (scope: EvalContext, name: string) => Json | undefined {
  const { source } = rule;
  if (source.kind === 'constant') {
    const value = fixed(source.value, names);
    return () => value;
  }
  if (source.kind === 'expression') return takeExpression(source, rule, names);
  const readText =
    source.kind === 'columns'
      ? readColumns(source.names, names, rule.trim, source.join)
      : readTemplate(source, names, rule.trim);
  const work = applySteps(rule, names);
  return ACROSS[rule.across](readText, (scope, text, name) => {
    scope.trace?.places.set(scope.prefix + name, { ...scope.at });
    return work(scope, text, name);
  });
}

type TakeText = (scope: EvalContext, name: string) => Json | undefined;

/** Reads a value from the rows that `across` selects. */
const ACROSS: Readonly<Record<Across, (read: ReadText, work: TextTransform) => TakeText>> = {
  own: (read, work) => (scope, name) => {
    const text = read(scope, scope.row);
    return text === '' ? undefined : work(scope, text, name);
  },
  lead: (read, work) => (scope, name) => {
    const text = read(scope, scope.rows[0] as Row);
    return text === '' ? undefined : work(scope, text, name);
  },
  first: (read, work) => (scope, name) => {
    const text = firstText(scope, read);
    return text === '' ? undefined : work(scope, text, name);
  },
  last: (read, work) => (scope, name) => {
    for (let index = scope.rows.length - 1; index >= 0; index--) {
      const text = read(scope, scope.rows[index] as Row);
      if (text !== '') return work(scope, text, name);
    }
    return undefined;
  },
  join: (read, work) => (scope, name) => {
    const texts = scope.rows.map((row) => read(scope, row)).filter((text) => text !== '');
    return texts.length > 0 ? work(scope, texts.join(', '), name) : undefined;
  },
  sum: (read, work) => fold(read, work, (a, b) => withoutNoise(a + b)),
  min: (read, work) => fold(read, work, Math.min),
  max: (read, work) => fold(read, work, Math.max),
};

function fold(read: ReadText, work: TextTransform, combine: (a: number, b: number) => number): TakeText {
  return (scope, name) => {
    let total: number | undefined;
    for (const row of scope.rows) {
      const text = read(scope, row);
      if (text === '') continue;
      const value = work(scope, text, name);
      if (typeof value !== 'number') return undefined;
      total = total === undefined ? value : combine(total, value);
    }
    return total;
  };
}

/** Compiles a condition to a test on the item's own row, or on the first filled cell of the record. */
export function holds(condition: MappingCondition, names: NameResolver): (scope: EvalContext) => boolean {
  const textOf = (column: string): ((scope: EvalContext) => string) => {
    const read = readNamed(column, names, true);
    return condition.across === 'own' ? (scope) => read(scope, scope.row) : (scope) => firstText(scope, read);
  };
  const isThere = (column: string) => referred(column) !== undefined || names.find(column) !== undefined;
  const tests = condition.tests.map(({ column, other, holds: test }) => {
    if (!isThere(column)) {
      const held = test(undefined);
      return () => held;
    }
    const text = textOf(column);
    const beside = other === undefined ? undefined : textOf(other);
    return beside
      ? (scope: EvalContext) => test(text(scope), beside(scope))
      : (scope: EvalContext) => test(text(scope));
  });
  const all = (scope: EvalContext) => tests.every((test) => test(scope));
  const columns = condition.tests.map(({ column }) => column);
  // A missing column is reported before the first record, so its conditions are not watched.
  if (condition.watch === undefined || !columns.every(isThere)) return all;
  return noted(all, condition.watch, columns.map(textOf));
}

/** Counts when a condition holds, and when it does not although its cells are filled. */
function noted(
  holds: (scope: EvalContext) => boolean,
  watch: number,
  texts: readonly ((scope: EvalContext) => string)[],
): (scope: EvalContext) => boolean {
  return (scope) => {
    const { outside } = scope;
    const so = holds(scope);
    const known = outside.held?.[watch];
    if (known === 0 && !so && texts.every((text) => text(scope) === '')) return so;
    if (known !== undefined) noteUse(outside, watch, so);
    return so;
  };
}

function firstText(scope: EvalContext, read: ReadText): string {
  for (const row of scope.rows) {
    const text = read(scope, row);
    if (text !== '') return text;
  }
  return '';
}
