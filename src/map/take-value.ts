import { type Json, originOf, type Row } from '../model/index.ts';
import type { Across, Condition, ValueRule } from './mapping.ts';
import type { FindColumn, Scope, Take } from './scope.ts';

/** How one value is taken: its source, its steps, and what stands in when it is empty. */
export function takeValue(rule: ValueRule, find: FindColumn, name: string): Take {
  const read = takeSource(rule, find);
  const when = rule.when && holds(rule.when, find);
  const fallback = rule.default;
  const orElse: Take = rule.required
    ? (scope) => fallback ?? complainRequired(scope, rule, name)
    : () => fallback;
  return (scope) => {
    if (when && !when(scope)) return rule.otherwise;
    return read(scope, name) ?? orElse(scope);
  };
}

function complainRequired(scope: Scope, rule: ValueRule, name: string): undefined {
  const columns = rule.source.kind === 'columns' ? rule.source.names : [];
  scope.issues.push({
    code: 'required',
    message: `${name} is missing: fill this cell`,
    field: scope.prefix + name,
    ...(columns[0] === undefined ? {} : { column: columns[0] }),
    origin: originOf(scope.row),
  });
  return undefined;
}

function takeSource(rule: ValueRule, find: FindColumn): (scope: Scope, name: string) => Json | undefined {
  const { source } = rule;
  if (source.kind === 'constant') return () => source.value;
  const readText =
    source.kind === 'columns'
      ? readColumns(source.names, find, rule.trim, source.join)
      : readTemplate(source, find, rule.trim);
  const work = applySteps(rule);
  return ACROSS[rule.across](readText, work);
}

/** The text of one row: of the first of its columns that is not empty. Notes in the scope where it was read. */
type ReadText = (scope: Scope, row: Row) => string;
type Work = (scope: Scope, text: string, name: string) => Json | undefined;
type TakeText = (scope: Scope, name: string) => Json | undefined;

function readColumns(names: readonly string[], find: FindColumn, trim: boolean, join?: string): ReadText {
  const positions = names.map(find).filter((position) => position !== undefined);
  if (join !== undefined) {
    const readers = names.map((name) => readColumns([name], find, trim));
    return (scope, row) =>
      readers
        .map((read) => read(scope, row))
        .filter((text) => text !== '')
        .join(join);
  }
  return (scope, row) => {
    for (const position of positions) {
      const cell = row.cells[position];
      if (cell === undefined || cell === '') continue;
      const text = trim ? cell.trim() : cell;
      if (text === '') continue;
      scope.at.row = row;
      scope.at.column = position;
      return text;
    }
    return '';
  };
}

/** A template whose columns are all empty is absent; the fixed text alone says nothing. */
function readTemplate(
  source: { readonly parts: readonly (string | { readonly column: string })[] },
  find: FindColumn,
  trim: boolean,
): ReadText {
  const parts = source.parts.map((part) =>
    typeof part === 'string' ? part : readColumns([part.column], find, trim),
  );
  return (scope, row) => {
    let filled = false;
    const text = parts.map((part) => {
      if (typeof part === 'string') return part;
      const cell = part(scope, row);
      filled ||= cell !== '';
      return cell;
    });
    return filled ? text.join('').trim() : '';
  };
}

function applySteps({ split, steps }: ValueRule): Work {
  const one = (scope: Scope, text: string, name: string): Json | undefined => {
    let value: Json | undefined = text;
    for (const step of steps) {
      value = step(String(value), (code, message) => complain(scope, name, code, message));
      if (value === undefined) return undefined;
    }
    return value;
  };
  if (steps.length === 0 && !split) return (_scope, text) => text;
  if (!split) return one;
  return (scope, text, name) => {
    const parts = split(text, (code, message) => complain(scope, name, code, message)) as
      | string[]
      | undefined;
    const values = parts?.map((part) => one(scope, part, name)).filter((value) => value !== undefined);
    return values && values.length > 0 ? values : undefined;
  };
}

function complain(scope: Scope, name: string, code: string, message: string): undefined {
  const { row, column } = scope.at;
  const header = row.table.header[column];
  scope.issues.push({
    code,
    message,
    field: scope.prefix + name,
    ...(header === undefined ? {} : { column: header }),
    origin: originOf(row),
  });
  return undefined;
}

/** Which rows a value is read from, by the word in the mapping. */
const ACROSS: Readonly<Record<Across, (read: ReadText, work: Work) => TakeText>> = {
  own: (read, work) => (scope, name) => {
    const text = read(scope, scope.row);
    return text === '' ? undefined : work(scope, text, name);
  },
  first: (read, work) => (scope, name) => {
    for (const row of scope.rows) {
      const text = read(scope, row);
      if (text !== '') return work(scope, text, name);
    }
    return undefined;
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
export function holds(condition: Condition, find: FindColumn): (scope: Scope) => boolean {
  const tests = condition.tests.map((test) => ({ ...test, read: readColumns([test.column], find, true) }));
  const textOf = (scope: Scope, read: ReadText): string => {
    if (condition.across === 'own') return read(scope, scope.row);
    for (const row of scope.rows) {
      const text = read(scope, row);
      if (text !== '') return text;
    }
    return '';
  };
  return (scope) => tests.every(({ read, holds: test }) => test(textOf(scope, read)));
}
