import { type Json, type Row, restore } from '../model/index.ts';
import type { Across, Condition, OnlyRows, ValueRule } from './mapping.ts';
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
  const take: Take = when ? (scope) => (when(scope) ? value(scope) : otherwise) : value;
  return rule.only ? takeOnly(rule.only, take, names) : take;
}

/** Takes a value, and asks its condition, as if a record had only some of its rows. */
function takeOnly({ first, conditions }: OnlyRows, take: Take, names: Names): Take {
  const tests = conditions.map((condition) => holds(condition, names));
  return (scope) => {
    const { rows, row } = scope;
    const held = (test: (scope: Scope) => boolean) =>
      rows.filter((each) => {
        scope.row = each;
        return test(scope);
      });
    const found = tests.map(held).find((some) => some.length > 0) ?? [{ ...row, cells: [] }];
    scope.rows = first ? found.slice(0, 1) : found;
    scope.row = found[0] as Row;
    const value = take(scope);
    [scope.rows, scope.row] = [rows, row];
    return value;
  };
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

/** Names the first of the columns that the file has, or those that it would have to have. */
function complainRequired({ source }: ValueRule, names: Names, name: string): Take {
  const columns = source.kind === 'columns' ? source.names : [];
  const [column = -1] = columns.length > 0 ? positionsOf(columns, names) : [];
  const wanted = columns.map((each) => `"${each}"`).join(' or ');
  const what =
    column < 0 && wanted !== '' ? `the file has no column ${wanted} to take it from` : 'fill this cell';
  return (scope) => {
    scope.at = { row: scope.row, column };
    return complain(scope, name, 'required', `${scope.prefix}${name} is missing: ${what}`);
  };
}

function takeSource(rule: ValueRule, names: Names): (scope: Scope, name: string) => Json | undefined {
  const { source } = rule;
  const list = listIn(source);
  if (list !== undefined) return takeInside(rule, names, list);
  if (source.kind === 'constant') {
    const value = typeof source.value === 'string' ? names.fill(source.value) : source.value;
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

const IN_LIST = '[].';

/** `variants[].price`: the list that a column is in. */
function listIn(source: ValueRule['source']): string | undefined {
  const [first = ''] = source.kind === 'columns' ? source.names : [];
  const at = first.indexOf(IN_LIST);
  return at < 0 ? undefined : first.slice(0, at);
}

/** Out of all items of a list, as otherwise out of all rows of a record. */
function takeInside(
  rule: ValueRule,
  names: Names,
  list: string,
): (scope: Scope, name: string) => Json | undefined {
  const { names: inner, rowsOf } = names.inside(list);
  const source = withoutList(rule.source, `${list}${IN_LIST}`);
  const take = takeSource({ ...rule, source, across: rule.across === 'own' ? 'first' : rule.across }, inner);
  return (scope, name) => {
    const { rows, row } = scope;
    const items = rowsOf(row);
    const [first] = items;
    if (first === undefined) return undefined;
    [scope.rows, scope.row] = [items, first];
    const value = take(scope, name);
    [scope.rows, scope.row] = [rows, row];
    return value;
  };
}

/** Names that are not in the list are those of the whole object. */
function withoutList(source: ValueRule['source'], list: string): ValueRule['source'] {
  if (source.kind !== 'columns') return source;
  const names = source.names.map((name) => (name.startsWith(list) ? name.slice(list.length) : `$.${name}`));
  return { ...source, names };
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
      const text = names.exact ? cell : restore(cell);
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
  const textOf = (column: string): ((scope: Scope) => string) => {
    const read = readNamed(column, names, true);
    return condition.across === 'own' ? (scope) => read(scope, scope.row) : (scope) => firstText(scope, read);
  };
  const tests = condition.tests.map(({ column, other, holds: test }) => {
    if (referred(column) === undefined && names.find(column) === undefined) {
      const held = test(undefined);
      return () => held;
    }
    const text = textOf(column);
    const beside = other === undefined ? undefined : textOf(other);
    return beside ? (scope: Scope) => test(text(scope), beside(scope)) : (scope: Scope) => test(text(scope));
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
