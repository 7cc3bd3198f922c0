import type { FieldRule, ListRule, MappingCondition, Rule, ValueSource } from '../mapping.ts';
import { referred } from '../references.ts';
import { IN_LIST, ROOT_PREFIX, SELF } from './item-paths.ts';

/** Columns that a value may be read from, in the order in which they are tried. */
export function sourceColumns(source: ValueSource): string[] {
  const names =
    source.kind === 'columns'
      ? source.names
      : source.kind === 'template'
        ? source.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.column]))
        : [];
  return names.filter((name) => referred(name) === undefined);
}

/** Every column name in a mapping, with families of columns expanded. Used by `mapping show`. */
export function columnsIn(fields: readonly FieldRule[]): string[] {
  return [...new Set(alternativesIn(fields).flat())];
}

/** Columns that a mapping reads, each together with its alternatives. */
export function alternativesIn(fields: readonly FieldRule[]): string[][] {
  return readIn(fields).map((names) => names.map(nameOutside));
}

/** Same as `alternativesIn`, but paths of the whole object keep the form that they have inside lists. */
function readIn(fields: readonly FieldRule[]): string[][] {
  const ofCondition = (condition?: MappingCondition): string[][] =>
    condition?.tests
      .flatMap(({ column, other = '' }) => [column, other])
      .filter((name) => name !== '' && referred(name) === undefined)
      .map((name) => [name]) ?? [];
  const ofRule = (rule: Rule): string[][] => {
    if (rule.kind === 'value')
      return [
        ...alternativesOf(rule.source),
        ...ofCondition(rule.when),
        ...(rule.only?.conditions ?? []).flatMap(ofCondition),
      ];
    if (rule.kind === 'first') return rule.values.flatMap(ofRule);
    if (rule.kind === 'joined') return rule.lists.flatMap(ofRule);
    const inner = [...ofCondition(rule.when), ...readIn(rule.item), ...(rule.sort ? ofRule(rule.sort) : [])];
    const { each } = rule;
    if (each.over === 'rows') return inner;
    if (each.over === 'groups') return [...each.by.map((name) => [name]), ...inner];
    if (each.over === 'items')
      return [[each.path], ...inner.map((names) => names.map((name) => nameInside(rule, name)))];
    if (each.over === 'parts') return [...each.parts.flatMap(({ value }) => ofRule(value)), ...inner];
    const numbered = (value: string) =>
      inner.map((names) => names.map((name) => name.replaceAll(`{${each.name}}`, value)));
    return each.values.flatMap(numbered);
  };
  return fields.flatMap(({ rule }) => ofRule(rule)).filter((names) => names.length > 0);
}

/** True if a mapping reads lists inside objects, which rows of cells do not have. */
export function looksInObjects(fields: readonly FieldRule[]): boolean {
  return readIn(fields).some((names) => names.some((name) => name.includes(IN_LIST)));
}

/** The lists that contain a field, outermost first: `a[].b[].c` → `a`, `a[].b`. */
export function listsAround(name: string): string[] {
  const steps = name.split(IN_LIST);
  return steps.slice(1).map((_step, index) => steps.slice(0, index + 1).join(IN_LIST));
}

/** Converts a name inside a list to its form in the enclosing list. */
function nameInside({ each }: ListRule, name: string): string {
  return each.over !== 'items' || name.startsWith(ROOT_PREFIX) ? name : `${each.path}${IN_LIST}${name}`;
}

/** Converts it to its form outside all lists: `$.` is dropped, and a plain value is named by its list. */
function nameOutside(name: string): string {
  if (name.startsWith(ROOT_PREFIX)) return name.slice(ROOT_PREFIX.length);
  return name.endsWith(IN_LIST + SELF) ? name.slice(0, -(IN_LIST + SELF).length) : name;
}

/** Columns whose texts are concatenated are not alternatives of each other. */
function alternativesOf(source: ValueSource): string[][] {
  if (source.kind === 'expression') return source.expression.columns.map((name) => [name]);
  const together = source.kind === 'template' || (source.kind === 'columns' && source.join !== undefined);
  const names = sourceColumns(source);
  return together ? names.map((name) => [name]) : [names];
}

/**
 * Columns that a payload field, or something inside it, may be mapped from. Searches through lists. Columns of families
 * are left out.
 */
export function columnsFor(fields: readonly FieldRule[], path: readonly string[]): string[] {
  const related = fields.filter(({ path: target }) =>
    target.every((step, index) => index >= path.length || path[index] === step),
  );
  return related.flatMap(({ path: target, rule }) => {
    const rest = path.slice(target.length);
    const rules = rule.kind === 'joined' ? rule.lists : rule.kind === 'first' ? rule.values : [rule];
    return rules
      .flatMap((each) =>
        each.kind === 'value'
          ? sourceColumns(each.source)
          : [
              ...columnsFor(each.item, rest.slice(1)).map((name) => nameInside(each, name)),
              ...(each.each.over === 'parts'
                ? each.each.parts.flatMap(({ value }) => sourceColumns(value.source))
                : []),
            ],
      )
      .filter((name) => !name.includes('{'));
  });
}

/** True if a rule can have a value in a file with the columns of `has`. One column or a constant is enough. */
export function canFill(rule: Rule, has: (column: string) => boolean): boolean {
  if (rule.kind === 'value') {
    if (rule.leaveOut !== undefined) return false;
    const names = sourceColumns(rule.source);
    return rule.default !== undefined || names.length === 0 || names.some(has);
  }
  if (rule.kind === 'first') return rule.values.some((value) => canFill(value, has));
  if (rule.kind === 'joined') return rule.lists.some((list) => canFillItem(list, has));
  return canFillItem(rule, has);
}

function canFillItem({ each, item }: ListRule, has: (column: string) => boolean): boolean {
  if (each.over === 'parts' && !each.parts.some(({ value }) => canFill(value, has))) return false;
  if (each.over === 'groups' && !each.by.some(has)) return false;
  if (each.over !== 'numbers') return item.some(({ rule }) => canFill(rule, has));
  return each.values.some((value) =>
    item.some(({ rule }) => canFill(rule, (name) => has(name.replaceAll(`{${each.name}}`, value)))),
  );
}
