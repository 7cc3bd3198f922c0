import { type FieldType, leafPaths, typeAt } from '../../../resources/index.ts';
import { didYouMean, nearest } from '../../did-you-mean.ts';
import type { FieldRule, ListRule, Rule } from '../../mapping.ts';
import { meansPart } from '../../references.ts';
import { parseCondition } from '../conditions/conditions.ts';
import { asObject, below, type Path } from '../document.ts';
import { overlapsIn } from '../overlaps.ts';
import { refuseBare } from '../parse-source.ts';
import type { FieldsPlace, ImportRulePlace } from '../places.ts';
import { parseEach } from './parse-each.ts';
import { parseValue, refuseOtherKeys, VALUE_KEYS } from './parse-value.ts';
import { parseBlank, parseDistinct, parseFieldNames } from './rule-keys.ts';

/** Keys of a list. */
export const LIST_KEYS = ['each', 'when', 'needs', 'unique', 'sort', 'limit', 'distinct', 'blank', 'fields'];

/** Keys that name the source of a value, and those of a rule. */
export const VALUE_SOURCES = ['from', 'const', 'template', 'expression'];
export const RULE_SOURCES = [...VALUE_SOURCES, 'each', 'all'];
/** Keys of rules of any kind. */
export const RULE_KEYS = [...new Set([...VALUE_KEYS, ...LIST_KEYS, 'all'])];

/** Parses target paths with their rules. `type` is used to look up paths; it is absent below lists of anything. */
export function parseFields(place: FieldsPlace, value: unknown, type: FieldType): FieldRule[] {
  const { document } = place;
  const given = asObject(place, value, 'fields takes a list of targets, each with its source.');
  const placed = parseTargets(place, given, { type, above: [] });
  const places = new Map<string, Path>();
  for (const { field, path } of placed) {
    const target = field.path.join('.');
    if (places.has(target)) document.addError(path, `${target} is given twice: keep one of the two.`);
    places.set(target, path);
  }
  const fields = placed.map(({ field }) => field);
  for (const { outer, inner } of overlapsIn(fields.map((field) => field.path)))
    document.addError(
      places.get(inner) ?? place.path,
      `"${inner}" is inside "${outer}", which is mapped as a whole.`,
    );
  return fields;
}

/** A field with its place in the document. */
interface PlacedField {
  readonly field: FieldRule;
  readonly path: Path;
}

/** Parses the targets of an object. `above` is the path of the object in `type`. */
function parseTargets(
  place: FieldsPlace,
  given: Readonly<Record<string, unknown>>,
  { type, above }: { readonly type: FieldType; readonly above: readonly string[] },
): PlacedField[] {
  const { document, resource } = place;
  return Object.entries(given).flatMap(([name, source]): PlacedField[] => {
    const targetPlace = below(place, name);
    const segments = [...above, ...name.split('.')];
    const target = segments.join('.');
    const targetType = typeAt(type, segments);
    if (!targetType) {
      document.addError(
        targetPlace.path,
        `${resource.singular} has no field "${target}".${didYouMean(target, leafPaths(type))}`,
      );
      return [];
    }
    const mayHaveFields = targetType.kind === 'object' || targetType.kind === 'anything';
    if (mayHaveFields && holdsFields(source, targetType))
      return parseTargets(targetPlace, source, { type, above: segments });
    const rule = parseRule(
      { ...targetPlace, target, type: targetType, mayHaveFields, noun: 'column', alternatives: undefined },
      source,
    );
    return rule ? [{ field: { path: segments, rule }, path: targetPlace.path }] : [];
  });
}

/**
 * True for the fields of an object, such as `{ salePrice: Price }` for `price`; false for a rule. A rule names a source.
 * An object without one holds fields, unless one of them is a key of rules, or may be a misspelt source, and the API
 * document does not name it.
 */
function holdsFields(value: unknown, type: FieldType): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  // The fields of an object are known, and it is no list.
  const sources = type.kind === 'object' ? VALUE_SOURCES : RULE_SOURCES;
  const isField = (key: string) => type.kind === 'object' && type.fields.has(key);
  const others = keys.filter((key) => !isField(key));
  const [misspelt = ''] = keys.length === 1 ? others : [];
  return (
    keys.length > 0 &&
    !keys.some((key) => sources.includes(key)) &&
    !others.some((key) => RULE_KEYS.includes(key)) &&
    nearest(misspelt, sources) === undefined
  );
}

/** Parses the rule of a target: a column's name, a value with steps, a list, or several of one kind. */
export function parseRule(place: ImportRulePlace, value: unknown): Rule | undefined {
  const { document, path } = place;
  if (typeof value === 'string') return parseValue(place, { from: value });
  if (Array.isArray(value)) {
    const several = { ...place, alternatives: {} };
    const rules = value.map((each, index) => parseRule(below(several, index), each));
    // The missing rule was already reported at its place.
    if (rules.includes(undefined)) return undefined;
    if (rules.length > 0 && rules.every((rule) => rule?.kind === 'list')) {
      if (rules.filter((rule) => rule?.limit !== undefined).length > 1)
        document.addError(path, 'limit is for all lists of a field together: give it once.');
      return { kind: 'joined', lists: rules };
    }
    if (rules.length > 0 && rules.every((rule) => rule?.kind === 'value'))
      return { kind: 'first', values: rules };
    document.addError(path, 'several entries for one field must all be values, or all be lists with each.');
    return undefined;
  }
  if (typeof value === 'object' && value !== null) {
    const given = value as Record<string, unknown>;
    if ('all' in given) return parseAll(place, given);
    return 'each' in given ? parseList(place, given) : parseValue(place, given);
  }
  refuseBare(place, value);
  return undefined;
}

/** Parses `{ all: [{ from: Tags, split: "," }, Season] }`: words of several sources, each with its own steps. */
function parseAll(place: ImportRulePlace, given: Record<string, unknown>): Rule | undefined {
  refuseOtherKeys(place, given, ['all']);
  const sources = below(place, 'all');
  const { document, path, target, type } = sources;
  const isOfWords = type.kind === 'anything' || (type.kind === 'list' && type.item.kind !== 'object');
  if (!isOfWords) {
    document.addError(path, `${target} is not a list of words, so it cannot take all.`);
    return undefined;
  }
  if (!Array.isArray(given.all) || given.all.length === 0) {
    document.addError(path, 'all takes a list of sources, such as [{ from: Tags, split: "," }, Season].');
    return undefined;
  }
  const item: FieldType = type.kind === 'list' ? type.item : type;
  const values = given.all.map((each: unknown, index) => {
    const cuts = typeof each === 'object' && each !== null && 'split' in each;
    return parseRule({ ...below(sources, index), type: cuts ? type : item }, each);
  });
  if (!values.every((value) => value?.kind === 'value')) return undefined;
  return { kind: 'first', values, all: true };
}

function parseList(place: ImportRulePlace, given: Record<string, unknown>): ListRule | undefined {
  const { document, path, target, type } = place;
  refuseOtherKeys(place, given, LIST_KEYS);
  if (type.kind !== 'list' && type.kind !== 'anything') {
    document.addError(path, `${target} is not a list, so it cannot take each.`);
    return undefined;
  }
  const each = parseEach(below(place, 'each'), given.each);
  const itemType: FieldType = type.kind === 'list' ? type.item : type;
  if (itemType.kind !== 'object' && itemType.kind !== 'anything') {
    document.addError(path, `${target} is a list of plain values: use split on a column instead of each.`);
    return undefined;
  }
  const inside: ImportRulePlace = {
    ...place,
    inRows: each.over !== 'groups' && (place.inRows || each.over === 'rows' || each.over === 'items'),
    inList: true,
    ...(each.over === 'parts'
      ? { parts: [...(place.parts ?? []), ...each.parts.map(({ name }) => name)] }
      : {}),
    knowsReference: (inner) =>
      (each.over === 'parts' && each.parts.some(({ name }) => meansPart(inner, name))) ||
      (each.over === 'numbers' && inner === each.name) ||
      place.knowsReference(inner),
  };
  const item = parseFields(below(inside, 'fields'), given.fields, itemType);
  const names = item.map((field) => field.path.join('.'));
  const fieldsNamed = (key: 'needs' | 'unique', value: unknown) =>
    value === undefined ? [] : parseFieldNames(below(place, key), value, names);
  const [needs] = fieldsNamed('needs', given.needs && String(given.needs));
  const unique = fieldsNamed('unique', given.unique);
  const distinct = parseDistinct(place, given.distinct, names);
  const blank = parseBlank(place, given.blank, []);
  return {
    kind: 'list',
    each,
    ...(given.when === undefined
      ? {}
      : { when: parseCondition(below(inside, 'when'), given.when, inside.inRows ? 'own' : 'first') }),
    ...(needs === undefined ? {} : { needs }),
    ...(unique.length === 0 ? {} : { unique }),
    ...parseSort(below(inside, 'sort'), given.sort),
    ...parseLimit(below(place, 'limit'), given.limit),
    ...(distinct ? { distinct } : {}),
    ...(blank === undefined ? {} : { blank }),
    item,
  };
}

/** Parses `sort`: a column, or a value with its source and steps. */
function parseSort(place: ImportRulePlace, value: unknown): Pick<ListRule, 'sort'> {
  if (value === undefined) return {};
  const { document, path } = place;
  const rule = parseRule({ ...place, target: 'sort', type: ANYTHING, mayHaveFields: false }, value);
  if (rule?.kind === 'list' || rule?.kind === 'joined' || (rule?.kind === 'first' && rule.all)) {
    document.addError(path, 'sort takes one value for each item, such as the column that has its position.');
    return {};
  }
  return rule ? { sort: rule } : {};
}

function parseLimit({ document, path }: ImportRulePlace, value: unknown): Pick<ListRule, 'limit'> {
  if (value === undefined) return {};
  if (Number.isSafeInteger(value) && Number(value) > 0) return { limit: Number(value) };
  document.addError(path, 'limit takes the number of items that are kept, from 1 on.');
  return {};
}

const ANYTHING: FieldType = { kind: 'anything' };
