import type { FieldType, Resource } from '../../resources/index.ts';
import type { GroupRules, LinkRules, Mapping, MappingCondition, Rule, SkipRule } from '../mapping.ts';
import { parseCondition } from './conditions/conditions.ts';
import { asObject, below, type DocumentPlace } from './document.ts';
import { refuseUnknownKeys } from './parse-source.ts';
import type { FieldsPlace } from './places.ts';
import { parseRule } from './rules/parse-rule.ts';

/** The place of `group`. `resource` is undefined if the mapping names no valid one. */
interface GroupPlace extends Omit<FieldsPlace, 'resource'> {
  readonly resource: Resource | undefined;
}

const BY = 'by takes the name of a column, or a list of names: rows with the same text there are one record.';
const KINDS =
  'group takes { by: Column } (rows with the same text there are one record), or { name, parent } (rows that name each other).';
/** Keys of `group`. */
export const GROUP_KEYS = ['by', 'empty', 'order', 'lead', 'name', 'parent', 'parts', 'shared'];

const TEXT: FieldType = { kind: 'text' };
const TEXTS: FieldType = { kind: 'list', item: TEXT };

/** Parses how rows become records: `{ by, empty, order, lead }` by a shared key, `{ name, parent, parts }` by links. */
export function parseGroup(place: GroupPlace, value: unknown): GroupRules {
  if (value === undefined) return {};
  const group = asObject(place, value, KINDS);
  // `asObject` has added an error if it returns another object.
  if (group !== value) return {};
  refuseUnknownKeys(place, group, GROUP_KEYS);
  if ((group.by === undefined) === (group.name === undefined)) place.document.addError(place.path, KINDS);
  return group.name === undefined ? parseSharedKey(place, group) : parseLinks(place, group);
}

function parseSharedKey(place: GroupPlace, group: Record<string, unknown>): GroupRules {
  const { document, path } = place;
  const { by, empty, order, lead } = group;
  for (const key of ['parent', 'parts', 'shared'])
    if (group[key] !== undefined)
      document.addError([...path, key], `${key} needs name, by which rows are known, in place of by.`);
  const columns = [by ?? []].flat();
  if (by !== undefined && (columns.length === 0 || columns.some((name) => typeof name !== 'string')))
    document.addError([...path, 'by'], BY);
  if (order !== undefined && order !== 'any')
    document.addError(
      [...path, 'order'],
      'order takes any: the rows of a record may be anywhere in the files.',
    );
  if (empty !== undefined && empty !== 'continues')
    document.addError(
      [...path, 'empty'],
      'empty takes continues: a row with nothing in that column belongs to the record above it.',
    );
  if (empty !== undefined && columns.length > 1)
    document.addError(
      [...path, 'empty'],
      'empty goes with one column in by: with several, a row could have some of them.',
    );
  if (empty !== undefined)
    for (const key of ['order', 'lead'])
      if (group[key] !== undefined)
        document.addError(
          [...path, key],
          `${key} does not go with empty: a row that continues a record is below the row that leads it.`,
        );
  return {
    groupBy: columns.map(String),
    ...(empty === 'continues' ? { emptyContinues: true } : {}),
    ...(order === 'any' ? { isUnordered: true } : {}),
    ...(lead === undefined ? {} : { lead: parseRowCondition(below(place, 'lead'), lead) }),
  };
}

function parseLinks(place: GroupPlace, group: Record<string, unknown>): GroupRules {
  const { document, path, resource } = place;
  for (const key of ['empty', 'order', 'lead'])
    if (group[key] !== undefined)
      document.addError(
        [...path, key],
        `${key} goes with by. Rows that name each other may be anywhere in the files, and the parent leads.`,
      );
  if (group.parent === undefined && group.parts === undefined)
    document.addError(path, 'name needs parent (what a row is part of) or parts (what is part of it).');
  const { shared } = group;
  if (shared !== undefined && typeof shared !== 'boolean')
    document.addError(
      [...path, 'shared'],
      'shared takes true or false: whether a row may be part of several.',
    );
  if (shared === true && group.parts === undefined)
    document.addError([...path, 'shared'], 'shared goes with parts: several rows may name the same part.');
  // Its rules are checked against the resource, so they need one.
  if (!resource) return { isUnordered: true };
  const ruleAt = (keys: readonly (string | number)[], value: unknown, type: FieldType): Rule | undefined => {
    const inner = below({ ...place, resource, type, noun: 'column' as const, inRows: true }, ...keys);
    return parseRule({ ...inner, target: inner.path.join('.') }, value);
  };
  const names = [group.name].flat().map((name, index) => ruleAt(['name', index], name, TEXT));
  const parent = group.parent === undefined ? undefined : ruleAt(['parent'], group.parent, TEXT);
  const parts = group.parts === undefined ? undefined : ruleAt(['parts'], group.parts, TEXTS);
  const links: LinkRules = {
    names: names.filter((each) => each !== undefined),
    ...(parent ? { parent } : {}),
    ...(parts ? { parts } : {}),
    ...(shared === true ? { shared } : {}),
  };
  return { isUnordered: true, links };
}

export const SKIP_KEYS: readonly string[] = ['when', 'alone'];

/** `skip: { when: … }`, or a list of these. */
export function parseSkip(place: DocumentPlace, value: unknown): Pick<Mapping, 'skip'> {
  if (value === undefined) return {};
  const rules = Array.isArray(value)
    ? value.map((each, index) => parseSkipRule(below(place, index), each))
    : [parseSkipRule(place, value)];
  const skip = rules.filter((rule) => rule !== undefined);
  return skip.length === 0 ? {} : { skip };
}

function parseSkipRule(place: DocumentPlace, value: unknown): SkipRule | undefined {
  const { document, path } = place;
  const expected =
    'skip takes { when: … } or a list of these. Rows that match one of them are left out, and counted.';
  const rule = asObject(place, value, expected);
  if (rule !== value) return undefined;
  refuseUnknownKeys(place, rule, SKIP_KEYS);
  const { when, alone = false } = rule;
  if (typeof alone !== 'boolean') document.addError([...path, 'alone'], 'alone takes true or false.');
  if (when !== undefined)
    return { when: parseRowCondition(below(place, 'when'), when), alone: alone === true };
  document.addError(path, expected);
  return undefined;
}

/** Parses a condition on a single row. Braces are plain text there, and its use is not counted. */
function parseRowCondition({ document, path }: DocumentPlace, value: unknown): MappingCondition {
  return parseCondition({ document, path, noun: 'column' }, value, 'own');
}
