import { type FieldType, typeAt } from '../../resources/index.ts';
import type { FieldRule, Rule } from '../mapping.ts';

/** The fields of a payload, or of the items of a list in it. */
export interface KnownFields {
  readonly type: FieldType;
  /** The rules that make them. undefined if a value is used as it is, so that it may have any field. */
  readonly rules: readonly FieldRule[] | undefined;
  /** True for items of a list: the rules make all of their fields. */
  readonly areItems: boolean;
}

/**
 * Returns the fields at a path that reads lists item by item, as expressions do: `variants.price`. undefined if there is no
 * such path. Of items that may have any field, only those that the mapping makes are known: others are misspelt.
 */
export function fieldsAt(known: KnownFields, path: readonly string[]): KnownFields | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return known;
  if (known.type.kind === 'list') return fieldsAt({ ...known, type: known.type.item }, path);
  const type = typeAt(known.type, [name]);
  if (!type) return undefined;
  const below = known.rules?.filter((rule) => rule.path[0] === name);
  if (known.areItems && known.type.kind === 'anything' && below?.length === 0) return undefined;
  return fieldsAt({ type, ...inside(known, below) }, rest);
}

/** `rules`: the rules of one field. */
function inside(
  { areItems }: KnownFields,
  rules: readonly FieldRule[] | undefined,
): Omit<KnownFields, 'type'> {
  const whole = rules?.filter(({ path }) => path.length === 1) ?? [];
  if (!rules || whole.some(({ rule }) => !isList(rule))) return { rules: undefined, areItems };
  if (whole.length > 0) return { rules: whole.flatMap(({ rule }) => itemsOf(rule)), areItems: true };
  return { rules: rules.map(({ path, rule }) => ({ path: path.slice(1), rule })), areItems };
}

function isList({ kind }: Rule): boolean {
  return kind === 'list' || kind === 'joined';
}

function itemsOf(rule: Rule): readonly FieldRule[] {
  if (rule.kind === 'joined') return rule.lists.flatMap(({ item }) => item);
  return rule.kind === 'list' ? rule.item : [];
}

/** Names of the known fields, for hints. */
export function fieldNames({ type, rules = [] }: KnownFields): string[] {
  return [...new Set([...namesMade(rules), ...namesIn(type)])];
}

function namesIn(type: FieldType, prefix = ''): string[] {
  if (type.kind === 'list') return namesIn(type.item, prefix);
  if (type.kind !== 'object') return [];
  return [...type.fields].flatMap(([name, field]) => [prefix + name, ...namesIn(field, `${prefix}${name}.`)]);
}

function namesMade(rules: readonly FieldRule[], prefix = ''): string[] {
  return rules.flatMap(({ path, rule }) => {
    const name = prefix + path.join('.');
    return [name, ...namesMade(itemsOf(rule), `${name}.`)];
  });
}
