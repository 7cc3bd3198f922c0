import type { Json, JsonObject } from '../../model/index.ts';
import type { FieldRule, ListRule, Rule } from '../mapping.ts';
import { meansPart } from '../references.ts';
import { canFill } from '../rows/used-columns.ts';
import { addWarning, allOf, compileValue, firstOf, holds } from './compile-value.ts';
import {
  type EvalContext,
  type Evaluator,
  type ListNames,
  type NameResolver,
  type Part,
  readPart,
} from './scope.ts';

/** Compiles the rules of an object to one function that builds it; undefined if nothing in it has a value. */
export function compileObject(
  fields: readonly FieldRule[],
  names: NameResolver,
): (scope: EvalContext) => JsonObject | undefined {
  const children = new Map<string, FieldRule[]>();
  for (const { path, rule } of fields) {
    const [head = '', ...rest] = path;
    children.set(head, [...(children.get(head) ?? []), { path: rest, rule }]);
  }
  const takers = [...children].map(([name, rules]) => ({ name, take: takeChild(rules, names, name) }));
  return (scope) => {
    let object: JsonObject | undefined;
    for (const taker of takers) {
      const value = taker.take(scope);
      if (value === undefined) continue;
      object ??= {};
      object[taker.name] = value;
    }
    return object;
  };
}

function takeChild(rules: readonly FieldRule[], names: NameResolver, name: string): Evaluator {
  const [first] = rules;
  if (first && first.path.length === 0) return compileRule(first.rule, names, name);
  const isList = rules.every(({ path }) => /^\d+$/.test(path[0] ?? ''));
  const nested = prefixed(compileObject(rules, names), name);
  return isList ? inOrder(nested, name) : nested;
}

function prefixed(take: (scope: EvalContext) => JsonObject | undefined, name: string) {
  return (scope: EvalContext): JsonObject | undefined => {
    const outer = scope.prefix;
    scope.prefix = `${outer}${name}.`;
    const value = take(scope);
    scope.prefix = outer;
    return value;
  };
}

/** `images.0.src`, `images.2.src`: the numbers give the order, and gaps are closed. */
function inOrder(take: (scope: EvalContext) => JsonObject | undefined, name: string): Evaluator {
  return (scope) => {
    const byNumber = take(scope);
    if (!byNumber) return undefined;
    // Integer keys are ordered by value, not by insertion.
    scope.trace?.numbers.set(scope.prefix + name, Object.keys(byNumber));
    return Object.values(byNumber);
  };
}

/** Compiles one rule. `name` is its place in the payload, for messages. */
export function compileRule(rule: Rule, names: NameResolver, name: string): Evaluator {
  if (rule.kind === 'value') return compileValue(rule, names, name);
  if (rule.kind === 'first')
    return (rule.all ? allOf : firstOf)(rule.values.map((value) => compileValue(value, names, name)));
  const lists = rule.kind === 'joined' ? rule.lists : [rule];
  const takers = lists.map((list) => takeList(list, names, name));
  const blank = lists.find((list) => list.blank !== undefined)?.blank;
  const isThere = canFill(rule, (column) => names.find(column) !== undefined);
  const distinct = lists.find((list) => list.distinct !== undefined)?.distinct;
  const by = distinct?.by.map((field) => field.split('.'));
  return (scope) => {
    const items: JsonObject[] = [];
    const seen = new Set<string>();
    const issues = scope.issues.length;
    for (const take of takers) take(scope, items, seen);
    if (distinct && by && haveEqual(items, by)) addWarning(scope, distinct.warn);
    if (items.length > 0) return items;
    if (blank !== undefined && isThere && scope.issues.length === issues)
      scope.blanks.push([scope.prefix + name, blank]);
    return undefined;
  };
}

type TakeList = (scope: EvalContext, items: JsonObject[], seen: Set<string>) => void;

function takeList(list: ListRule, names: NameResolver, name: string): TakeList {
  const unique = list.unique?.split('.');
  const needs = list.needs?.split('.');
  const add = (
    scope: EvalContext,
    item: (scope: EvalContext) => JsonObject | undefined,
    when: ((scope: EvalContext) => boolean) | undefined,
    items: JsonObject[],
    seen: Set<string>,
  ) => {
    if (when && !when(scope)) return;
    const outer = scope.prefix;
    scope.prefix = `${outer}${name}.${items.length}.`;
    const value = item(scope);
    scope.prefix = outer;
    if (!value || (needs && valueAt(value, needs) === undefined)) return;
    // An item without a value there is never a duplicate.
    const mark = unique && valueAt(value, unique);
    if (mark !== undefined) {
      const text = JSON.stringify(mark);
      if (seen.has(text)) return;
      seen.add(text);
    }
    scope.trace?.places.set(`${outer}${name}.${items.length}`, { row: scope.row });
    items.push(value);
  };

  if (list.each.over === 'numbers') {
    const { name: placeholder, values } = list.each;
    const members = values.map((value) => {
      const numbered = numberedNames(names, placeholder, value);
      return { item: compileObject(list.item, numbered), when: list.when && holds(list.when, numbered) };
    });
    return (scope, items, seen) => {
      for (const { item, when } of members) add(scope, item, when, items, seen);
    };
  }

  if (list.each.over === 'parts') {
    const { name: part, value } = list.each;
    const takeParts = compileValue(value, names, name);
    const current: Part = { item: null, number: 0, at: NOWHERE };
    const inside: NameResolver = {
      ...names,
      resolveReference: (inner) =>
        meansPart(inner, part) ? readPart(current, part, inner) : names.resolveReference(inner),
      parts: new Map([...names.parts, [part, current]]),
    };
    const item = compileObject(list.item, inside);
    const when = list.when && holds(list.when, inside);
    return (scope, items, seen) => {
      const parts = takeParts(scope);
      if (parts === undefined) return;
      current.at = { ...scope.at };
      for (const [index, each] of [parts].flat().entries()) {
        current.item = each;
        current.number = index + 1;
        add(scope, item, when, items, seen);
      }
    };
  }

  const { path } = list.each.over === 'items' ? list.each : {};
  const from = list.each.over === 'rows' && list.each.exceptLead ? 1 : 0;
  const within = path === undefined ? undefined : names.resolveNested(names.substitute(path));
  // Keeps the parts of the enclosing lists.
  const { resolveReference, parts } = names;
  const inner: NameResolver = { ...names, ...within?.names, resolveReference, parts, ofItem: true };
  const item = compileObject(list.item, inner);
  const when = list.when && holds(list.when, inner);
  return (scope, items, seen) => {
    const { rows, row: outer } = scope;
    if (within) scope.rows = within.rowsOf(outer);
    for (const row of from === 0 ? scope.rows : scope.rows.slice(from)) {
      scope.row = row;
      add(scope, item, when, items, seen);
    }
    [scope.rows, scope.row] = [rows, outer];
  };
}

/** Resolves names after replacing `{placeholder}` by one number. */
function numberedNames(names: NameResolver, placeholder: string, value: string): NameResolver {
  const fill = (text: string) => text.replaceAll(`{${placeholder}}`, value);
  const inList = ({ names: inner, rowsOf }: ListNames): ListNames => ({
    names: numberedNames(inner, placeholder, value),
    rowsOf,
  });
  return {
    ...names,
    resolveNested: (path) => inList(names.resolveNested(fill(path))),
    resolveInList: (path) => inList(names.resolveInList(fill(path))),
    find: (column) => names.find(fill(column)),
    substitute: (text) => names.substitute(fill(text)),
    resolveReference: (inner) => (inner === placeholder ? () => value : names.resolveReference(fill(inner))),
  };
}

/** Place before the first part is read. */
const NOWHERE = { row: { table: { file: '', header: [] }, row: 0, line: 0, cells: [] }, column: -1 };

/** True if two items have the same values at these paths. Items without any of them are not compared. */
function haveEqual(items: readonly JsonObject[], by: readonly (readonly string[])[]): boolean {
  if (items.length < 2) return false;
  const marks = items
    .map((item) => by.map((path) => valueAt(item, path)))
    .filter((values) => values.some((value) => value !== undefined))
    .map((values) => JSON.stringify(values));
  return new Set(marks).size < marks.length;
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) found = (found as JsonObject | undefined)?.[step];
  return found;
}
