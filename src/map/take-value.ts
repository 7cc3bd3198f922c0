import { type Json, type Row, restore } from '../model/index.ts';
import type { Across, Condition, ValueRule } from './mapping.ts';
import { type ReadText, referred } from './references.ts';
import type { Names, Scope, Take } from './scope.ts';
import { takeExpression } from './take-expression.ts';
import { templateText } from './template-text.ts';
import { canFill } from './used-columns.ts';
import { applySteps, complain, type Work } from './work.ts';

/** How one value is taken: its source, its steps, and what stands in when it is empty. */
export function takeValue(rule: ValueRule, names: Names, name: string): Take {
  const read = takeSource(rule, names);
  const when = rule.when && holds(rule.when, names);
  const written = (value: Json | undefined) => (typeof value === 'string' ? names.fill(value) : value);
  const fallback = written(rule.default);
  const otherwise = written(rule.otherwise);
  const orElse: Take = whenEmpty(rule, names, name, fallback);
  const { blank } = rule;
  const sure = fallback === undefined && !rule.required && blank === undefined;
  const value: Take = sure ? (scope) => read(scope, name) : firstOf([(scope) => read(scope, name), orElse]);
  return when ? (scope) => (when(scope) ? value(scope) : otherwise) : value;
}

/** What happens when every source is empty. */
function whenEmpty(rule: ValueRule, names: Names, name: string, fallback: Json | undefined): Take {
  if (fallback !== undefined) return () => fallback;
  if (rule.required) return complainRequired(rule, names, name);
  const { blank } = rule;
  // A column that the file lacks says nothing of what the store has.
  if (blank === undefined || !canFill(rule, (column) => names.find(column) !== undefined))
    return () => undefined;
  return (scope) => {
    scope.blanks.push([scope.prefix + name, blank]);
    return undefined;
  };
}

/** The first way to a value that has one. A way that found something wrong counts: the next would paper over it. */
export function firstOf(takers: readonly Take[]): Take {
  return (scope) => {
    const issues = scope.issues.length;
    const blanks = scope.blanks.length;
    for (const take of takers) {
      const value = take(scope);
      if (value === undefined && scope.issues.length === issues) continue;
      // What one way left blank, another has filled.
      scope.blanks.length = blanks;
      return value;
    }
    return undefined;
  };
}

/** Names the first of the columns that the file has. */
function complainRequired({ source }: ValueRule, names: Names, name: string): Take {
  const positions = source.kind === 'columns' ? positionsOf(source.names, names) : [];
  const column = positions[0] ?? -1;
  return (scope) => {
    scope.at = { row: scope.row, column };
    return complain(scope, name, 'required', `${scope.prefix}${name} is missing: fill this cell`);
  };
}

function takeSource(rule: ValueRule, names: Names): (scope: Scope, name: string) => Json | undefined {
  const { source } = rule;
  if (source.kind === 'constant') {
    const value = typeof source.value === 'string' ? names.fill(source.value) : source.value;
    return () => value;
  }
  if (source.kind === 'expression') return takeExpression(source, rule, names);
  const readText =
    source.kind === 'columns'
      ? readColumns(source.names, names, rule.trim, source.join)
      : readTemplate(source, names, rule.trim);
  const work = applySteps(rule);
  return ACROSS[rule.across](readText, (scope, text, name) => {
    scope.trace?.places.set(scope.prefix + name, { ...scope.at });
    return work(scope, text, name);
  });
}

type TakeText = (scope: Scope, name: string) => Json | undefined;

function positionsOf(columns: readonly string[], names: Names): number[] {
  return columns.map((column) => names.find(column)).filter((position) => position !== undefined);
}

/**
 * The text of one row, as it was before an export defused it: of the first of its columns that is not empty. One of
 * nothing but blanks is empty, trimmed or not. Notes in the scope where it was read.
 */
function readColumns(columns: readonly string[], names: Names, trim: boolean, join?: string): ReadText {
  const positions = positionsOf(columns, names);
  if (join !== undefined) {
    const readers = columns.map((column) => readColumns([column], names, trim));
    return (scope, row) =>
      readers
        .map((read) => read(scope, row))
        .filter((text) => text !== '')
        .join(join);
  }
  if (columns.some((column) => referred(column) !== undefined))
    return readFirst(columns.map((column) => readNamed(column, names, trim)));
  return (scope, row) => {
    for (const position of positions) {
      const cell = row.cells[position];
      if (cell === undefined || cell === '') continue;
      const text = restore(cell);
      const trimmed = text.trim();
      if (trimmed === '') continue;
      scope.at.row = row;
      scope.at.column = position;
      return trim ? trimmed : text;
    }
    return '';
  };
}

function readFirst(readers: readonly ReadText[]): ReadText {
  return (scope, row) => {
    for (const read of readers) {
      const text = read(scope, row);
      if (text !== '') return text;
    }
    return '';
  };
}

/** A column, or what a name in braces stands for. */
function readNamed(column: string, names: Names, trim: boolean): ReadText {
  const inner = referred(column);
  const read = inner === undefined ? undefined : names.refer(inner);
  if (!read) return inner === undefined ? readColumns([column], names, trim) : readColumns([], names, trim);
  return (scope, row) => {
    const text = read(scope, row);
    const trimmed = text.trim();
    return trim || trimmed === '' ? trimmed : text;
  };
}

function readTemplate(
  source: { readonly parts: readonly (string | { readonly column: string })[] },
  names: Names,
  trim: boolean,
): ReadText {
  return templateText(
    source.parts.map((part) =>
      typeof part === 'string' ? names.fill(part) : readNamed(part.column, names, trim),
    ),
  );
}

/** Which rows a value is read from, by the word in the mapping. */
const ACROSS: Readonly<Record<Across, (read: ReadText, work: Work) => TakeText>> = {
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
  sum: (read, work) => fold(read, work, plus),
  min: (read, work) => fold(read, work, Math.min),
  max: (read, work) => fold(read, work, Math.max),
};

/** 0.1 + 0.2 is 0.3: what a sum of decimals adds beyond 15 digits is noise. */
function plus(a: number, b: number): number {
  return Number((a + b).toPrecision(15));
}

function fold(read: ReadText, work: Work, combine: (a: number, b: number) => number): TakeText {
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

/** A condition as a test on the item's own row, or on the first filled cell of the record. */
export function holds(condition: Condition, names: Names): (scope: Scope) => boolean {
  const tests = condition.tests.map(({ column, holds: test }) => {
    if (referred(column) === undefined && names.find(column) === undefined) {
      const held = test(undefined);
      return () => held;
    }
    const read = readNamed(column, names, true);
    if (condition.across === 'own') return (scope: Scope) => test(read(scope, scope.row));
    return (scope: Scope) => test(firstText(scope, read));
  });
  return (scope) => tests.every((test) => test(scope));
}

function firstText(scope: Scope, read: ReadText): string {
  for (const row of scope.rows) {
    const text = read(scope, row);
    if (text !== '') return text;
  }
  return '';
}
