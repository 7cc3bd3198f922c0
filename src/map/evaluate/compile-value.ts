import { type Json, originOf, type Row } from '../../model/index.ts';
import { withoutNoise } from '../expression/decimals.ts';
import type { Across, MappingCondition, OnlyRows, ValueRule } from '../mapping.ts';
import { referred } from '../references.ts';
import { IN_LIST } from '../rows/item-paths.ts';
import { canFill, sourceColumns } from '../rows/used-columns.ts';
import { noteUse } from '../steps/step.ts';
import { compileSteps, type TextTransform } from './compile-steps.ts';
import {
  addIssue,
  addWarning,
  type EvalContext,
  type Evaluator,
  type NameResolver,
  type ReadText,
} from './eval-context.ts';
import { compileExpressionSource } from './expression-source.ts';
import { positionsOf, readColumns, readNamed, readTemplate } from './read-text.ts';
import { firstRowWhere, rowsWhere, withRows } from './select-rows.ts';

/** Compiles one value: its source, its steps, and its fallback if the source is empty. */
export function compileValue(rule: ValueRule, resolver: NameResolver, name: string): Evaluator {
  return listIn(rule) === undefined
    ? compileInRows(rule, resolver, name)
    : compileInItems(rule, resolver, name);
}

/** The list that the source is in: `variants` for `variants[].price`; undefined for an ordinary column. */
function listIn({ source }: ValueRule): string | undefined {
  const column = sourceColumns(source).find((each) => each.includes(IN_LIST));
  return column?.slice(0, column.lastIndexOf(IN_LIST));
}

function compileInRows(rule: ValueRule, resolver: NameResolver, name: string): Evaluator {
  const evaluate = compileWithFallback(rule, resolver, name);
  const when = rule.when && holds(rule.when, resolver);
  const otherwise = fixed(rule.otherwise, resolver);
  return inSelectedRows(
    rule.only,
    when ? (context) => (when(context) ? evaluate(context) : otherwise) : evaluate,
    resolver,
  );
}

/** Reads the value from all items of a list, as usual from all rows of a record. `when` selects items. */
function compileInItems(rule: ValueRule, resolver: NameResolver, name: string): Evaluator {
  const { resolver: ofItems, rowsOf } = resolver.resolveInList(listIn(rule) ?? '');
  // Keeps the parts of the enclosing lists.
  const inner: NameResolver = {
    ...ofItems,
    resolveReference: resolver.resolveReference,
    parts: resolver.parts,
  };
  const across = rule.across === 'own' ? 'first' : rule.across;
  const fromAll = compileWithFallback({ ...rule, across }, inner, name);
  const when = rule.when && holds({ ...rule.when, across: 'own' }, inner);
  const otherwise = fixed(rule.otherwise, resolver);
  const fromItems: Evaluator = when
    ? (context) => {
        const rows = rowsWhere(context, when);
        return rows.length > 0 ? withRows(context, rows, fromAll) : otherwise;
      }
    : fromAll;
  const evaluate = inSelectedRows(rule.only, fromItems, inner);
  return (context) => {
    const objects = resolver.ofItem ? [context.row] : context.rows;
    return withRows(context, objects.flatMap(rowsOf), evaluate);
  };
}

/** Evaluates a value, and its condition, as if the record had only the selected rows. */
function inSelectedRows(only: OnlyRows | undefined, evaluate: Evaluator, resolver: NameResolver): Evaluator {
  if (!only) return evaluate;
  const tests = only.conditions.map((condition) => holds(condition, resolver));
  const rowsOf = only.first ? firstRowWhere : rowsWhere;
  return (context) => {
    for (const test of tests) {
      const found = rowsOf(context, test);
      if (found.length > 0) return withRows(context, found, evaluate);
    }
    const { row, line, table } = context.row;
    return withRows(context, [{ table, row, line, cells: [] }], evaluate);
  };
}

/** A value that the mapping itself contains. */
function fixed(value: Json | undefined, resolver: NameResolver): Json | undefined {
  return typeof value === 'string' ? resolver.substitute(value) : value;
}

/** Compiles a value with its default, `required` or `blank`. */
function compileWithFallback(rule: ValueRule, resolver: NameResolver, name: string): Evaluator {
  const read = compileSource(rule, resolver);
  const value: Evaluator = (context) => read(context, name);
  if (rule.leaveOut !== undefined) return leavingOut(rule.leaveOut, value);
  const hasFallback = rule.default !== undefined || rule.required || rule.blank !== undefined;
  const whole = hasFallback ? firstOf([value, compileFallback(rule, resolver, name)]) : value;
  return withWarning(rule.warn, whole);
}

/** Adds the warning if there is a value. */
function withWarning(message: string | undefined, evaluate: Evaluator): Evaluator {
  if (message === undefined) return evaluate;
  return (context) => {
    context.at.row = context.row;
    const value = evaluate(context);
    if (value !== undefined) warnAtCell(context, message);
    return value;
  };
}

/** Adds the warning if there is a value, and leaves it out. */
function leavingOut(message: string, evaluate: Evaluator): Evaluator {
  return (context) => {
    context.at.row = context.row;
    if (evaluate(context) !== undefined) warnAtCell(context, message);
    return undefined;
  };
}

/** Adds a warning with the row of the cell that was read. A value of no cell has the row of its record or item. */
function warnAtCell(context: EvalContext, message: string): void {
  addWarning(context, { message, row: originOf(context.at.row).row });
}

/** Compiles the fallback for an empty source. */
function compileFallback(rule: ValueRule, resolver: NameResolver, name: string): Evaluator {
  const fallback = fixed(rule.default, resolver);
  if (fallback !== undefined) return () => fallback;
  if (rule.required) return reportMissing(rule, resolver, name);
  const { blank } = rule;
  // If the file lacks the column, the store's value is kept: nothing says that it should be cleared.
  if (blank === undefined || !canFill(rule, (column) => resolver.find(column) !== undefined))
    return () => undefined;
  return (context) => {
    context.blanks.push([context.prefix + name, blank]);
    return undefined;
  };
}

/** Uses the first alternative that has a value. One with issues also ends the search, so that no other hides them. */
export function firstOf(evaluators: readonly Evaluator[]): Evaluator {
  return (context) => {
    const issues = context.issues.length;
    const blanks = context.blanks.length;
    for (const evaluate of evaluators) {
      const value = evaluate(context);
      if (value === undefined && context.issues.length === issues) continue;
      // Paths that earlier alternatives left blank have a value now.
      context.blanks.length = blanks;
      return value;
    }
    return undefined;
  };
}

/** Collects the words of all alternatives in order, each once. */
export function allOf(evaluators: readonly Evaluator[]): Evaluator {
  return (context) => {
    const blanks = context.blanks.length;
    const words: Json[] = [];
    for (const evaluate of evaluators)
      for (const word of [evaluate(context) ?? []].flat()) if (!words.includes(word)) words.push(word);
    if (words.length === 0) return undefined;
    context.blanks.length = blanks;
    return words;
  };
}

/** Adds an issue that names the first of the columns that the file has; if it has none, all of them. */
function reportMissing({ source }: ValueRule, resolver: NameResolver, name: string): Evaluator {
  const columns = source.kind === 'columns' ? source.names : [];
  const [column = -1] = columns.length > 0 ? positionsOf(columns, resolver) : [];
  const names = columns.map((each) => `"${each}"`).join(' or ');
  const advice = column < 0 && names !== '' ? `the file has no column ${names}` : 'fill this cell';
  return (context) => {
    context.at = { row: context.row, column };
    return addIssue(context, name, {
      code: 'required',
      message: `${context.prefix}${name} is missing: ${advice}`,
    });
  };
}

/** Evaluates the source of the field `name`, with its steps. */
type SourceEvaluator = (context: EvalContext, name: string) => Json | undefined;

function compileSource(rule: ValueRule, resolver: NameResolver): SourceEvaluator {
  const { source } = rule;
  if (source.kind === 'constant') {
    const value = fixed(source.value, resolver);
    return () => value;
  }
  if (source.kind === 'expression') return compileExpressionSource(source, rule, resolver);
  const readText =
    source.kind === 'columns'
      ? readColumns(source, resolver, rule.trim)
      : readTemplate(source, resolver, rule.trim);
  const transform = compileSteps(rule, resolver);
  return ACROSS[rule.across](readText, (context, text, name) => {
    context.trace?.places.set(context.prefix + name, { ...context.at });
    return transform(context, text, name);
  });
}

/** Reads a value from the rows that `across` selects. */
const ACROSS: Readonly<Record<Across, (read: ReadText, transform: TextTransform) => SourceEvaluator>> = {
  own: (read, transform) => (context, name) => {
    const text = read(context, context.row);
    return text === '' ? undefined : transform(context, text, name);
  },
  lead: (read, transform) => (context, name) => {
    const text = read(context, context.rows[0] as Row);
    return text === '' ? undefined : transform(context, text, name);
  },
  first: (read, transform) => (context, name) => {
    const text = firstText(context, read);
    return text === '' ? undefined : transform(context, text, name);
  },
  last: (read, transform) => (context, name) => {
    for (let index = context.rows.length - 1; index >= 0; index--) {
      const text = read(context, context.rows[index] as Row);
      if (text !== '') return transform(context, text, name);
    }
    return undefined;
  },
  join: (read, transform) => (context, name) => {
    const texts = context.rows.map((row) => read(context, row)).filter((text) => text !== '');
    return texts.length > 0 ? transform(context, texts.join(', '), name) : undefined;
  },
  sum: (read, transform) => fold(read, transform, (a, b) => withoutNoise(a + b)),
  min: (read, transform) => fold(read, transform, Math.min),
  max: (read, transform) => fold(read, transform, Math.max),
};

function fold(
  read: ReadText,
  transform: TextTransform,
  combine: (a: number, b: number) => number,
): SourceEvaluator {
  return (context, name) => {
    let total: number | undefined;
    for (const row of context.rows) {
      const text = read(context, row);
      if (text === '') continue;
      const value = transform(context, text, name);
      if (typeof value !== 'number') return undefined;
      total = total === undefined ? value : combine(total, value);
    }
    return total;
  };
}

/** Compiles a condition to a test on the item's own row, or on the first filled cell of the record. */
export function holds(
  condition: MappingCondition,
  resolver: NameResolver,
): (context: EvalContext) => boolean {
  const textOf = (column: string): ((context: EvalContext) => string) => {
    const read = readNamed(column, resolver, true);
    return condition.across === 'own'
      ? (context) => read(context, context.row)
      : (context) => firstText(context, read);
  };
  const isThere = (column: string) => referred(column) !== undefined || resolver.find(column) !== undefined;
  const tests = condition.tests.map(({ column, other, holds: test }) => {
    if (!isThere(column)) {
      const holdsAlways = test(undefined);
      return () => holdsAlways;
    }
    const text = textOf(column);
    const otherText = other === undefined ? undefined : textOf(other);
    return otherText
      ? (context: EvalContext) => test(text(context), otherText(context))
      : (context: EvalContext) => test(text(context));
  });
  const allHold = (context: EvalContext) => tests.every((test) => test(context));
  const columns = condition.tests.map(({ column }) => column);
  // A missing column is reported before the first record, so its conditions are not watched.
  if (condition.watch === undefined || !columns.every(isThere)) return allHold;
  return countingUse(allHold, condition.watch, columns.map(textOf));
}

/** Counts when a condition holds, and when it does not although its cells are filled. */
function countingUse(
  holds: (context: EvalContext) => boolean,
  watch: number,
  texts: readonly ((context: EvalContext) => string)[],
): (context: EvalContext) => boolean {
  return (context) => {
    const { lookups } = context;
    const applies = holds(context);
    const known = lookups.ruleUse?.[watch];
    if (known === 0 && !applies && texts.every((text) => text(context) === '')) return applies;
    if (known !== undefined) noteUse(lookups, watch, applies);
    return applies;
  };
}

function firstText(context: EvalContext, read: ReadText): string {
  for (const row of context.rows) {
    const text = read(context, row);
    if (text !== '') return text;
  }
  return '';
}
