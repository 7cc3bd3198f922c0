import { isObject, type Json, type JsonObject, type Table } from '../../model/index.ts';
import type { FieldRule, ListRule, Mapping, Rule } from '../mapping.ts';
import { headerPattern } from './header-pattern.ts';

/** Depth to which names of fields inside objects are collected: deeper ones are data of other programs. */
const DEEPEST = 4;

/** Replaces lists over columns with a pattern by lists over the texts that the names of this file's columns have there. */
export function withFamilies(mapping: Mapping, table: Table): Mapping {
  if (!mapping.fields.some(({ rule }) => hasFamily(rule))) return mapping;
  const names =
    table.items === undefined
      ? table.header
      : [...new Set(table.items.flatMap((item) => [...pathsOf(item, '', 0)]))];
  return { ...mapping, fields: mapping.fields.map((field) => filled(field, names)) };
}

function listsIn(rule: Rule): readonly ListRule[] {
  return rule.kind === 'list' ? [rule] : rule.kind === 'joined' ? rule.lists : [];
}

function hasFamily(rule: Rule): boolean {
  return listsIn(rule).some(
    ({ each, item }) =>
      (each.over === 'numbers' && each.columns !== undefined) || item.some((field) => hasFamily(field.rule)),
  );
}

function filled({ path, rule }: FieldRule, names: readonly string[]): FieldRule {
  if (rule.kind === 'list') return { path, rule: filledList(rule, names) };
  if (rule.kind === 'joined')
    return { path, rule: { ...rule, lists: rule.lists.map((list) => filledList(list, names)) } };
  return { path, rule };
}

function filledList(list: ListRule, names: readonly string[]): ListRule {
  const { each, item } = list;
  const inner = { ...list, item: item.map((field) => filled(field, names)) };
  if (each.over !== 'numbers' || each.columns === undefined) return inner;
  const pattern = headerPattern(each.columns);
  const values = names.flatMap((name) => pattern.match(name)?.get(each.name) ?? []);
  return { ...inner, each: { ...each, values: [...new Set(values)] } };
}

/** Paths of the values in an object, as mappings name them. */
function* pathsOf(object: JsonObject, prefix: string, depth: number): Generator<string> {
  for (const [name, value] of Object.entries(object) as [string, Json][])
    if (isObject(value) && depth < DEEPEST) yield* pathsOf(value, `${prefix}${name}.`, depth + 1);
    else yield prefix + name;
}
