import type { Json, JsonObject } from '../model/index.ts';
import type { FieldRule, ListRule, Rule } from './mapping.ts';
import type { FindColumn, Scope, Take } from './scope.ts';
import { holds, takeValue } from './take-value.ts';

/** The rules of an object as one function that builds it; undefined when nothing in it has a value. */
export function takeObject(
  fields: readonly FieldRule[],
  find: FindColumn,
): (scope: Scope) => JsonObject | undefined {
  const children = new Map<string, FieldRule[]>();
  for (const { path, rule } of fields) {
    const [head = '', ...rest] = path;
    children.set(head, [...(children.get(head) ?? []), { path: rest, rule }]);
  }
  const takers = [...children].map(([name, rules]) => [name, takeChild(rules, find, name)] as const);
  return (scope) => {
    let object: JsonObject | undefined;
    for (const [name, take] of takers) {
      const value = take(scope);
      if (value === undefined) continue;
      object ??= {};
      object[name] = value;
    }
    return object;
  };
}

function takeChild(rules: readonly FieldRule[], find: FindColumn, name: string): Take {
  const [first] = rules;
  if (first && first.path.length === 0) return takeRule(first.rule, find, name);
  const isList = rules.every(({ path }) => /^\d+$/.test(path[0] ?? ''));
  const nested = prefixed(takeObject(rules, find), name);
  // `images.0.src`, `images.2.src`: the numbers give the order, gaps close.
  return isList ? (scope) => inOrder(nested(scope)) : nested;
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

function inOrder(byNumber: JsonObject | undefined): Json[] | undefined {
  return (
    byNumber &&
    Object.keys(byNumber)
      .sort((a, b) => Number(a) - Number(b))
      .map((key) => byNumber[key] as Json)
  );
}

function takeRule(rule: Rule, find: FindColumn, name: string): Take {
  if (rule.kind === 'value') return takeValue(rule, find, name);
  if (rule.kind === 'first') {
    const takers = rule.values.map((value) => takeValue(value, find, name));
    return (scope) => firstOf(takers, scope);
  }
  const lists = rule.kind === 'joined' ? rule.lists : [rule];
  const takers = lists.map((list) => takeList(list, find, name));
  return (scope) => {
    const items: JsonObject[] = [];
    const seen = new Set<string>();
    for (const take of takers) take(scope, items, seen);
    return items.length > 0 ? items : undefined;
  };
}

function firstOf(takers: readonly Take[], scope: Scope): Json | undefined {
  const issues = scope.issues.length;
  for (const take of takers) {
    const value = take(scope);
    // A way that found something wrong has an answer: the next one would paper over it.
    if (value !== undefined || scope.issues.length > issues) return value;
  }
  return undefined;
}

type TakeList = (scope: Scope, items: JsonObject[], seen: Set<string>) => void;

function takeList(list: ListRule, find: FindColumn, name: string): TakeList {
  const unique = list.unique?.split('.');
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
    if (!value) return;
    if (unique) {
      const mark = JSON.stringify(valueAt(value, unique) ?? null);
      if (seen.has(mark)) return;
      seen.add(mark);
    }
    items.push(value);
  };

  if (list.each.over === 'numbers') {
    const { name: placeholder, values } = list.each;
    const members = values.map((value) => {
      const findNumbered: FindColumn = (column) => find(column.replaceAll(`{${placeholder}}`, value));
      return {
        item: takeObject(list.item, findNumbered),
        when: list.when && holds(list.when, findNumbered),
      };
    });
    return (scope, items, seen) => {
      for (const { item, when } of members) add(scope, item, when, items, seen);
    };
  }

  const item = takeObject(list.item, find);
  const when = list.when && holds(list.when, find);
  return (scope, items, seen) => {
    const outer = scope.row;
    for (const row of scope.rows) {
      scope.row = row;
      add(scope, item, when, items, seen);
    }
    scope.row = outer;
  };
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) found = (found as JsonObject | undefined)?.[step];
  return found;
}
