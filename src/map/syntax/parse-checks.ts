import { fieldType, type Resource } from '../../resources/index.ts';
import { fieldNames, fieldsAt, type KnownFields } from '../checks/known-fields.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { Expression } from '../expression/expression.ts';
import type { CheckRule, FieldRule } from '../mapping.ts';
import { asObject, below, type DocumentPlace } from './document.ts';
import { readExpression, refuseUnknownKeys } from './parse-source.ts';

/** Keys of an entry of `checks`. */
export const CHECKS_KEYS = ['that', 'each', 'message', 'warn'];

/** The variable that has the whole payload in checks of items. */
export const RECORD = 'record';

const EXAMPLE = 'price.salePrice > price.buyingPrice';
const EXPECTED = `checks takes a list of rules, such as [{ that: "${EXAMPLE}", message: "The price is below the cost." }].`;

/** The place of `checks`. */
interface ChecksPlace extends DocumentPlace {
  /** undefined if the mapping names no valid one. */
  readonly resource: Resource | undefined;
  /** The fields that the mapping makes. */
  readonly fields: readonly FieldRule[];
}

/** The place of one check. */
interface CheckPlace extends DocumentPlace {
  readonly resource: Resource;
  readonly payload: KnownFields;
}

/** Parses the rules that each record must meet. */
export function parseChecks({ resource, fields, ...place }: ChecksPlace, value: unknown): CheckRule[] {
  if (value === undefined || !resource) return [];
  if (!Array.isArray(value) || value.length === 0) {
    place.document.addError(place.path, EXPECTED);
    return [];
  }
  const payload = { type: fieldType(resource.schema), rules: fields, areItems: false };
  return value.flatMap((each, index) => parseOne({ ...below(place, index), resource, payload }, each) ?? []);
}

function parseOne(place: CheckPlace, value: unknown): CheckRule | undefined {
  const { document, path } = place;
  const given = asObject(place, value, EXPECTED);
  if (given !== value) return undefined;
  refuseUnknownKeys(place, given, CHECKS_KEYS);
  if (given.message !== undefined && given.warn !== undefined)
    document.addError(
      path,
      'a check has message (the record is not sent) or warn (it is sent, with a warning): keep one of them.',
    );
  for (const key of ['message', 'warn'])
    if (given[key] !== undefined && (typeof given[key] !== 'string' || given[key].trim() === ''))
      document.addError([...path, key], `${key} takes a sentence, such as "The price is below the cost."`);
  const list = parseList(below(place, 'each'), given.each);
  if (given.that === undefined) {
    document.addError(path, `a check needs that: the rule that a record must meet, such as "${EXAMPLE}".`);
    return undefined;
  }
  const that = below(place, 'that');
  const expression = readExpression(that, given.that, { known: [RECORD], given: [RECORD], example: EXAMPLE });
  if (!expression) return undefined;
  refuseUnknownFields(that, expression, list?.items ?? place.payload);
  const text = given.warn ?? given.message;
  return {
    expression,
    ...(list ? { each: list.path } : {}),
    source: String(given.that).trim().replaceAll(/\s+/g, ' '),
    ...(typeof text === 'string' ? { message: text.trim().replace(/\.$/, '') } : {}),
    isWarning: given.warn !== undefined,
  };
}

/** Parses `each`: the list whose items are checked. */
function parseList(
  place: CheckPlace,
  value: unknown,
): { readonly path: readonly string[]; readonly items: KnownFields } | undefined {
  const { document, path, payload } = place;
  if (value === undefined) return undefined;
  if (typeof value !== 'string') {
    document.addError(
      path,
      'each takes the name of a list of the record, such as variants or options.values.',
    );
    return undefined;
  }
  const steps = value.split('.');
  const items = fieldsAt(payload, steps);
  if (!items) document.addError(path, unknownField(place, { name: value, among: payload }));
  else if (items.type.kind !== 'list' && items.type.kind !== 'anything')
    document.addError(path, `${value} is not a list: leave each out, and name ${value} in that.`);
  else return { path: steps, items };
  return undefined;
}

/** A wrong name would make a check that never applies. `items`: the fields that names without `$record` begin with. */
function refuseUnknownFields(place: CheckPlace, expression: Expression, items: KnownFields): void {
  const said = new Set<string>();
  for (const { from, steps } of expression.reads) {
    const among = from === RECORD ? place.payload : items;
    const name = steps.join('.');
    if (fieldsAt(among, steps) || said.has(name)) continue;
    said.add(name);
    place.document.addError(place.path, unknownField(place, { name, among }));
  }
}

function unknownField(
  { resource: { singular } }: CheckPlace,
  { name, among }: { readonly name: string; readonly among: KnownFields },
): string {
  const names = fieldNames(among);
  const hint = didYouMean(name, names) || ` There are ${names.slice(0, 5).join(', ')}, and others.`;
  return `${singular} has no field "${name}" here.${hint}`;
}
