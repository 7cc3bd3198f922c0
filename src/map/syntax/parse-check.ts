import type { FieldType, Resource } from '../../resources/index.ts';
import type { Rule, TotalsCheck } from '../mapping.ts';
import { asObject, below } from './document.ts';
import { refuseUnknownKeys } from './parse-source.ts';
import type { FieldsPlace } from './places.ts';
import { parseRule } from './rules/parse-rule.ts';

/** Keys of `check`. */
export const CHECK_KEYS = ['total', 'tax'];

const EXPECTED = 'check takes { total, tax }: the amounts of the file that each order is compared with.';
const AMOUNT: FieldType = { kind: 'number' };

/** The place of `check`. `resource` is undefined if the mapping names no valid one. */
interface CheckPlace extends Omit<FieldsPlace, 'resource'> {
  readonly resource: Resource | undefined;
}

/** Parses the amounts that orders are compared with. undefined if there are none. */
export function parseCheck(place: CheckPlace, value: unknown): TotalsCheck | undefined {
  const { document, path, resource } = place;
  if (value === undefined || !resource) return undefined;
  if (resource.name !== 'orders') {
    document.addError(
      path,
      `check is for orders: ${resource.name} have no total. Rules of your own are in checks.`,
    );
    return undefined;
  }
  const given = asObject(place, value, EXPECTED);
  if (given !== value) return undefined;
  refuseUnknownKeys(place, given, CHECK_KEYS);
  if (given.total === undefined) document.addError(path, EXPECTED);
  const ruleOf = (key: string): Rule | undefined => {
    const inner = below({ ...place, resource, type: AMOUNT, noun: 'column' as const, watched: [] }, key);
    return given[key] === undefined ? undefined : parseRule({ ...inner, target: `check.${key}` }, given[key]);
  };
  const [total, tax] = [ruleOf('total'), ruleOf('tax')];
  return total && { total, ...(tax ? { tax } : {}) };
}
