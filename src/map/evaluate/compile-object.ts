import type { JsonObject } from '../../model/index.ts';
import type { FieldRule, ListRule, Rule } from '../mapping.ts';
import { canFill } from '../rows/used-columns.ts';
import { type CollectedItems, duplicateTest, listFinisher, valueAt } from './collected-items.ts';
import { compileGroups } from './compile-groups.ts';
import { compileParts } from './compile-parts.ts';
import { allOf, compileValue, firstOf, holds } from './compile-value.ts';
import type { EvalContext, Evaluator, ListItems, NameResolver } from './eval-context.ts';
import { withRows } from './select-rows.ts';

/** Compiles the rules of an object to one function that builds it; undefined if nothing in it has a value. */
export function compileObject(
  fields: readonly FieldRule[],
  resolver: NameResolver,
): (context: EvalContext) => JsonObject | undefined {
  const children = new Map<string, FieldRule[]>();
  for (const { path, rule } of fields) {
    const [head = '', ...rest] = path;
    children.set(head, [...(children.get(head) ?? []), { path: rest, rule }]);
  }
  const members = [...children].map(([name, rules]) => ({
    name,
    evaluate: compileMember(rules, resolver, name),
  }));
  return (context) => {
    let object: JsonObject | undefined;
    for (const member of members) {
      const value = member.evaluate(context);
      if (value === undefined) continue;
      object ??= {};
      object[member.name] = value;
    }
    return object;
  };
}

function compileMember(rules: readonly FieldRule[], resolver: NameResolver, name: string): Evaluator {
  const [first] = rules;
  if (first && first.path.length === 0) return compileRule(first.rule, resolver, name);
  const isList = rules.every(({ path }) => /^\d+$/.test(path[0] ?? ''));
  const nested = prefixed(compileObject(rules, resolver), name);
  return isList ? inOrder(nested, name) : nested;
}

type ObjectEvaluator = (context: EvalContext) => JsonObject | undefined;

/** Evaluates an object below the path `name`. */
function prefixed(evaluate: ObjectEvaluator, name: string): ObjectEvaluator {
  const ofRecord = `${name}.`;
  return (context) => {
    const outer = context.prefix;
    context.prefix = outer === '' ? ofRecord : outer + ofRecord;
    const value = evaluate(context);
    context.prefix = outer;
    return value;
  };
}

/** `images.0.src`, `images.2.src`: the numbers give the order, and gaps are closed. */
function inOrder(evaluate: ObjectEvaluator, name: string): Evaluator {
  return (context) => {
    const byNumber = evaluate(context);
    if (!byNumber) return undefined;
    // Integer keys are ordered by value, not by insertion.
    context.trace?.numbers.set(context.prefix + name, Object.keys(byNumber));
    return Object.values(byNumber);
  };
}

/** Compiles one rule. `name` is its place in the payload, for messages. */
export function compileRule(rule: Rule, resolver: NameResolver, name: string): Evaluator {
  if (rule.kind === 'value') return compileValue(rule, resolver, name);
  if (rule.kind === 'first')
    return (rule.all ? allOf : firstOf)(rule.values.map((value) => compileValue(value, resolver, name)));
  const lists = rule.kind === 'joined' ? rule.lists : [rule];
  const collectors = lists.map((list) => compileList(list, resolver, name));
  const blank = lists.find((list) => list.blank !== undefined)?.blank;
  const isThere = canFill(rule, (column) => resolver.find(column) !== undefined);
  const finish = listFinisher(lists, name);
  return (context) => {
    const collected: CollectedItems = { items: [], seen: undefined, sortValues: undefined };
    const issues = context.issues.length;
    for (const collect of collectors) collect(context, collected);
    finish?.(context, collected, issues);
    const { items } = collected;
    if (items.length > 0) return items;
    if (blank !== undefined && isThere && context.issues.length === issues)
      context.blanks.push([context.prefix + name, blank]);
    return undefined;
  };
}

type CollectItems = (context: EvalContext, collected: CollectedItems) => void;

/** How one item is built, and the condition on which it is. */
interface ItemRules {
  readonly build: ObjectEvaluator;
  readonly when: ((context: EvalContext) => boolean) | undefined;
  /** The value by which the item is sorted. */
  readonly sort: Evaluator | undefined;
}

function compileList(list: ListRule, resolver: NameResolver, name: string): CollectItems {
  const isDuplicate = list.unique && duplicateTest(list.unique);
  const needs = list.needs?.split('.');
  const rulesWith = (inner: NameResolver): ItemRules => ({
    build: compileObject(list.item, inner),
    when: list.when && holds(list.when, inner),
    sort: list.sort && untraced(compileRule(list.sort, inner, 'sort')),
  });
  const add = (context: EvalContext, { build, when, sort }: ItemRules, collected: CollectedItems) => {
    if (when && !when(context)) return;
    const { items } = collected;
    const outer = context.prefix;
    context.prefix = `${outer}${name}.${items.length}.`;
    const value = build(context);
    const isKept =
      value !== undefined &&
      (needs === undefined || valueAt(value, needs) !== undefined) &&
      !isDuplicate?.(collected, value);
    if (isKept && sort) {
      collected.sortValues ??= [];
      collected.sortValues[items.length] = sort(context);
    }
    context.prefix = outer;
    if (!isKept) return;
    context.trace?.places.set(`${outer}${name}.${items.length}`, { row: context.row });
    items.push(value);
  };

  if (list.each.over === 'numbers') {
    const { name: placeholder, values } = list.each;
    const numbered = values.map((value) => rulesWith(numberedNames(resolver, placeholder, value)));
    return (context, collected) => {
      for (const rules of numbered) add(context, rules, collected);
    };
  }

  if (list.each.over === 'parts') {
    const { each, inner } = compileParts(list.each.parts, resolver, name);
    const rules = rulesWith(inner);
    return (context, collected) => each(context, () => add(context, rules, collected));
  }

  if (list.each.over === 'groups') {
    const groupsOf = compileGroups(list.each.by, resolver);
    const rules = rulesWith(resolver);
    return (context, collected) => {
      const addGroup = () => void add(context, rules, collected);
      for (const rows of groupsOf(context)) withRows(context, rows, addGroup);
    };
  }

  const { path } = list.each.over === 'items' ? list.each : {};
  const firstIndex = list.each.over === 'rows' && list.each.exceptLead ? 1 : 0;
  const nested = path === undefined ? undefined : resolver.resolveNested(resolver.substitute(path));
  // Keeps the parts of the enclosing lists.
  const { resolveReference, parts } = resolver;
  const rules = rulesWith({ ...resolver, ...nested?.resolver, resolveReference, parts, ofItem: true });
  return (context, collected) => {
    const { rows, row: outer } = context;
    if (nested) context.rows = nested.rowsOf(outer);
    for (const row of firstIndex === 0 ? context.rows : context.rows.slice(firstIndex)) {
      context.row = row;
      add(context, rules, collected);
    }
    [context.rows, context.row] = [rows, outer];
  };
}

/** The value is not in the payload, so its place is not recorded. */
function untraced(evaluate: Evaluator): Evaluator {
  return (context) => evaluate(context.trace ? { ...context, trace: undefined } : context);
}

/** Resolves names after replacing `{placeholder}` by one number. */
function numberedNames(resolver: NameResolver, placeholder: string, value: string): NameResolver {
  const fill = (text: string) => text.replaceAll(`{${placeholder}}`, value);
  const inList = ({ resolver: inner, rowsOf }: ListItems): ListItems => ({
    resolver: numberedNames(inner, placeholder, value),
    rowsOf,
  });
  return {
    ...resolver,
    resolveNested: (path) => inList(resolver.resolveNested(fill(path))),
    resolveInList: (path) => inList(resolver.resolveInList(fill(path))),
    find: (column) => resolver.find(fill(column)),
    substitute: (text) => resolver.substitute(fill(text)),
    resolveReference: (inner) =>
      inner === placeholder ? () => value : resolver.resolveReference(fill(inner)),
  };
}
