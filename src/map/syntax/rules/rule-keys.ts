import type { Json } from '../../../model/index.ts';
import type { FieldType } from '../../../resources/index.ts';
import { didYouMean } from '../../did-you-mean.ts';
import type { Across, ListRule, ValueRule } from '../../mapping.ts';
import type { ResultKind } from '../../steps/index.ts';
import { parseCondition } from '../conditions/conditions.ts';
import { asObject, below } from '../document.ts';
import { refuseUnknownKeys } from '../parse-source.ts';
import type { ImportRulePlace, RulePlace } from '../places.ts';

export const ACROSS: readonly Across[] = ['lead', 'first', 'last', 'sum', 'min', 'max', 'join'];

/** Parses `warn`, at the place of the value or list that has it. */
export function parseWarn({ document, path }: ImportRulePlace, value: unknown): Pick<ValueRule, 'warn'> {
  if (value === undefined) return {};
  if (typeof value === 'string' && value.trim() !== '') return { warn: value.trim() };
  document.addError([...path, 'warn'], 'warn takes a sentence, the warning if this value is used.');
  return {};
}

/** Parses `leave-out`, and refuses beside it what makes a value. */
export function parseLeaveOut(
  { document, path }: ImportRulePlace,
  given: Readonly<Record<string, unknown>>,
): Pick<ValueRule, 'leaveOut'> {
  const value = given['leave-out'];
  if (value === undefined) return {};
  for (const key of ['warn', 'default', 'required', 'blank', 'else'])
    if (given[key] !== undefined)
      document.addError([...path, key], `${key} has no meaning beside leave-out, which makes no value.`);
  if (typeof value === 'string' && value.trim() !== '') return { leaveOut: value.trim() };
  document.addError(
    [...path, 'leave-out'],
    'leave-out takes a sentence, the warning for a record whose cells are left out.',
  );
  return {};
}

export function parseAcross(place: ImportRulePlace, value: unknown): Across {
  if (value === undefined) return place.inRows ? 'own' : 'first';
  if (ACROSS.includes(value as Across)) return value as Across;
  const hint = didYouMean(String(value), ACROSS);
  place.document.addError([...place.path, 'across'], `across takes one of ${ACROSS.join(', ')}.${hint}`);
  return 'first';
}

/** Parses `row: Condition` or `rows: Condition`, or a list of conditions that are tried in turn. */
export function parseOnly(place: RulePlace, given: Record<string, unknown>): Pick<ValueRule, 'only'> {
  const { row, rows } = given;
  if (row === undefined && rows === undefined) return {};
  if (row !== undefined && rows !== undefined)
    place.document.addError([...place.path, 'rows'], 'row and rows both say which rows count: keep one.');
  const first = row !== undefined;
  const value = row ?? rows;
  const conditionPlace = below(place, first ? 'row' : 'rows');
  const alternatives = {};
  const conditions = Array.isArray(value)
    ? value.map((each, index) =>
        parseCondition({ ...below(conditionPlace, index), alternatives }, each, 'own'),
      )
    : [parseCondition(conditionPlace, value, 'own')];
  return { only: { conditions, first } };
}

/** Parses `distinct: { by: [size, colour], warn: "…" }`; fields may be objects in the item. */
export function parseDistinct(
  place: ImportRulePlace,
  given: unknown,
  names: readonly string[],
): ListRule['distinct'] {
  if (given === undefined) return undefined;
  const distinct = below(place, 'distinct');
  const { document, path } = distinct;
  const expected =
    'distinct takes { by: [field, …], warn: a sentence for items that are equal in all of them }.';
  const { by, ...others } = asObject(distinct, given, expected);
  refuseUnknownKeys(distinct, others, ['by', 'warn']);
  const fields = [by ?? []].flat().map(String);
  const { warn } = parseWarn(distinct, others.warn);
  if (fields.length === 0 || warn === undefined) {
    document.addError(path, expected);
    return undefined;
  }
  return { by: parseFieldNames(below(distinct, 'by'), fields, names), warn };
}

/** Parses one field of a list, or several; `names` are its fields. A name may also be that of an object of fields. */
export function parseFieldNames(
  { document, path }: ImportRulePlace,
  value: unknown,
  names: readonly string[],
): string[] {
  const fields = [value].flat().map(String);
  if (fields.length === 0) document.addError(path, 'This takes a field of the list, or several.');
  for (const field of fields)
    if (!names.some((name) => name === field || name.startsWith(`${field}.`)))
      document.addError(
        path,
        `${path.findLast((key) => KEYS_OF_FIELDS.has(key))} names no field of this list: "${field}".${didYouMean(field, names)}`,
      );
  return fields;
}

const KEYS_OF_FIELDS: ReadonlySet<string | number> = new Set(['needs', 'unique', 'distinct']);

/** The value that clears a field in the store; undefined if the field cannot be cleared. */
export function blankFor(type: FieldType, made: ResultKind | undefined): Json | undefined {
  switch (type.kind) {
    case 'number':
    case 'object':
      return null;
    case 'text':
      return '';
    case 'list':
      return [];
    case 'anything':
      return made === 'list' ? [] : made === undefined || made === 'text' ? '' : null;
    default:
      return undefined;
  }
}

/** The value with which an update clears the field if the source is empty; undefined if it does not clear it. */
export function parseBlank(
  { document, path, resource, target, inList }: ImportRulePlace,
  given: unknown,
  value: Json | undefined,
): Json | undefined {
  if (given === undefined || given === 'keep') return undefined;
  const refuse = (what: string): undefined => {
    document.addError([...path, 'blank'], what);
    return undefined;
  };
  if (given !== 'clear')
    return refuse(`blank takes keep or clear.${didYouMean(String(given), ['keep', 'clear'])}`);
  if (!resource.update)
    return refuse(`the store's API cannot update ${resource.name}, so nothing can be cleared.`);
  if (inList)
    return refuse('a list is replaced as a whole: what is blank in it is left out. Say blank for the list.');
  if (value === undefined)
    return refuse(`${target} cannot be cleared: it is one of a few words, or yes or no.`);
  const update = (resource.updateSchema ?? resource.schema).partial();
  const cleared = target.split('.').reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
  if (!update.safeParse(cleared).success)
    return refuse(`${target} cannot be cleared: the store takes no ${JSON.stringify(value)} there.`);
  return value;
}
