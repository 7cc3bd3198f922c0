import type { MappingDraft } from '../draft.ts';
import { LIKELY, type RoleMatch } from '../match/candidate.ts';
import { createNotes } from './notes.ts';
import { numberRule, textRule } from './rules.ts';

/** Fields with the text of one column. */
const TEXTS: readonly (readonly [role: string, field: string])[] = [
  ['email', 'customer.email'],
  ['firstname', 'customer.firstname'],
  ['lastname', 'customer.lastname'],
  ['shippingFirst', 'shipping.address.firstname'],
  ['shippingLast', 'shipping.address.lastname'],
  ['shippingAddress', 'shipping.address.address1'],
  ['shippingCity', 'shipping.address.city.name'],
  ['shippingCountry', 'shipping.address.country.name'],
  ['status', 'status'],
  ['method', 'method.name'],
  ['note', 'customerNote'],
];

/** Makes the mapping of orders: the rows with one number are the lines of one order. */
export function composeOrders(matches: readonly RoleMatch[]): MappingDraft {
  const notes = createNotes();
  const byRole = (role: string) => matches.find((match) => match.role === role);
  for (const [role, field] of TEXTS) {
    const match = byRole(role);
    if (match)
      notes.add(field, textRule(match.candidate), { candidates: [match.candidate], score: match.score });
  }
  for (const [role, field] of [
    ['shippingPrice', 'shipping.price'],
    ['discount', 'discount.price'],
  ] as const) {
    const match = byRole(role);
    if (match)
      notes.add(field, numberRule(match.candidate), { candidates: [match.candidate], score: match.score });
  }
  const [name, variant, quantity, price] = ['lineName', 'lineVariant', 'lineQuantity', 'linePrice'].map(
    byRole,
  );
  const fields = {
    ...(name ? { 'product.name': textRule(name.candidate) } : {}),
    ...(variant ? { 'variant.name': textRule(variant.candidate) } : {}),
    ...(quantity ? { quantity: numberRule(quantity.candidate) } : {}),
    ...(price ? { price: numberRule(price.candidate) } : {}),
  };
  const lines = [name, variant, quantity, price].flatMap((match) => match ?? []);
  if (name || quantity)
    notes.add(
      'details',
      {
        each: 'row',
        fields: Object.fromEntries(Object.entries(fields).filter(([, rule]) => rule !== undefined)),
      },
      {
        candidates: lines.map(({ candidate }) => candidate),
        score: Math.min(...lines.map(({ score }) => score)),
      },
    );
  const number = byRole('number');
  const repeats = number !== undefined && number.candidate.profile.distinctRate < 1;
  return {
    resource: 'orders',
    key: number?.candidate.name,
    group: repeats ? { by: number.candidate.name } : undefined,
    fields: notes.fields,
    leftOut: notes.leftOut,
  };
}

/** The column whose text is the same in all rows of an order. */
export function orderNumber(matches: readonly RoleMatch[]): RoleMatch | undefined {
  return matches.find(({ role, score }) => role === 'number' && score >= LIKELY);
}
