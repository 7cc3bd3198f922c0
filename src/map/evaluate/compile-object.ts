import type { Json, JsonObject } from '../../model/index.ts';
import type { FieldRule, ListRule, Rule } from '../mapping.ts';
import { meansPart } from '../references.ts';
import { canFill } from '../rows/used-columns.ts';
import { allOf, firstOf, holds, takeValue, warn } from './compile-value.ts';
import type { Names, NamesInList, Scope, Take } from './scope.ts';
import { type Part, readPart } from './scope.ts';

/** The rules of an object as one function that builds it; undefined when nothing in it has a value. */
export function takeObject(
  fields: readonly FieldRule[],
  names: Names,
): (scope: Scope) => JsonObject | undefined {
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

function takeChild(rules: readonly FieldRule[], names: Names, name: string): Take {
  const [first] = rules;
  if (first && first.path.length === 0) return takeRule(first.rule, names, name);
  const isList = rules.every(({ path }) => /^\d+$/.test(path[0] ?? ''));
  const nested = prefixed(takeObject(rules, names), name);
  return isList ? inOrder(nested, name) : nested;
}

function prefixed(take: (scope: Scope) => JsonObject | undefined, name: string) {
  return (scope: Scope): JsonObject | undefined => {
    const outer = scope.prefix;
    scope.prefix = `${outer}${name}.`;
    const value = take(scope);
    scope.prefix = outer;
    return value;
  };
}

/** `images.0.src`, `images.2.src`: the numbers give the order, gaps close. */
function inOrder(take: (scope: Scope) => JsonObject | undefined, name: string): Take {
  return (scope) => {
    const byNumber = take(scope);
    if (!byNumber) return undefined;
    // Keys that are numbers come in their order, whatever the order in which they were set.
    scope.trace?.numbers.set(scope.prefix + name, Object.keys(byNumber));
    return Object.values(byNumber);
  };
}

/** How the value of one rule is taken; `name` is its place in the payload, for messages. */
export function takeRule(rule: Rule, names: Names, name: string): Take {
  if (rule.kind === 'value') return takeValue(rule, names, name);
  if (rule.kind === 'first')
    return (rule.all ? allOf : firstOf)(rule.values.map((value) => takeValue(value, names, name)));
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
    if (distinct && by && haveEqual(items, by)) warn(scope, distinct.warn);
    if (items.length > 0) return items;
    if (blank !== undefined && isThere && scope.issues.length === issues)
      scope.blanks.push([scope.prefix + name, blank]);
    return undefined;
  };
}

type TakeList = (scope: Scope, items: JsonObject[], seen: Set<string>) => void;

function takeList(list: ListRule, names: Names, name: string): TakeList {
  const unique = list.unique?.split('.');
  const needs = list.needs?.split('.');
  const add = (
    scope: Scope,
    item: (scope: Scope) => JsonObject | undefined,
    when: ((scope: Scope) => boolean) | undefined,
    items: JsonObject[],
    seen: Set<string>,
  ) => {
    if (when && !when(scope)) return;
    const outer = scope.prefix;
    scope.prefix = `${outer}${name}.${items.length}.`;
    const value = item(scope);
    scope.prefix = outer;
    if (!value || (needs && valueAt(value, needs) === undefined)) return;
    // Items without a value there have nothing in which they could be equal.
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
      return { item: takeObject(list.item, numbered), when: list.when && holds(list.when, numbered) };
    });
    return (scope, items, seen) => {
      for (const { item, when } of members) add(scope, item, when, items, seen);
    };
  }

  if (list.each.over === 'parts') {
    const { name: part, value } = list.each;
    const takeParts = takeValue(value, names, name);
    const current: Part = { item: null, number: 0, at: NOWHERE };
    const inside: Names = {
      ...names,
      refer: (inner) => (meansPart(inner, part) ? readPart(current, part, inner) : names.refer(inner)),
      parts: new Map([...names.parts, [part, current]]),
    };
    const item = takeObject(list.item, inside);
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
  const within = path === undefined ? undefined : names.inside(names.fill(path));
  // The parts that lists around this one are at.
  const { refer, parts } = names;
  const inner: Names = { ...names, ...within?.names, refer, parts, ofItem: true };
  const item = takeObject(list.item, inner);
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

/** Names in which `{placeholder}` stands for one number. */
function numberedNames(names: Names, placeholder: string, value: string): Names {
  const fill = (text: string) => text.replaceAll(`{${placeholder}}`, value);
  const inList = ({ names: inner, rowsOf }: NamesInList): NamesInList => ({
    names: numberedNames(inner, placeholder, value),
    rowsOf,
  });
  return {
    ...names,
    inside: (path) => inList(names.inside(fill(path))),
    among: (path) => inList(names.among(fill(path))),
    find: (column) => names.find(fill(column)),
    fill: (text) => names.fill(fill(text)),
    refer: (inner) => (inner === placeholder ? () => value : names.refer(fill(inner))),
  };
}

/** Before the first part is cut. */
const NOWHERE = { row: { table: { file: '', header: [] }, row: 0, line: 0, cells: [] }, column: -1 };

/** Whether two items have the same values there. Items without any have nothing in which they could be equal. */
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
