import type { MappingDraft } from '../../draft.ts';
import { LIKELY, type RoleMatch } from '../../match/candidate.ts';
import { severalCurrencies } from '../../profile/currencies.ts';
import type { GroupingGuess } from '../../structure/grouping.ts';
import { amountRule, productOf, whyNoAmount } from '../amounts.ts';
import { type MatchesByRole, matchesByRole } from '../by-role.ts';
import { createNotes, type Notes } from '../notes.ts';
import { addNames, addStreet } from '../people.ts';
import { leaveOutRule, numberRule, textRule } from '../rules.ts';
import { type OrderAmounts, orderAmounts } from './totals.ts';

/** Fields with the text of one column. */
const TEXTS: readonly (readonly [role: string, field: string])[] = [
  ['email', 'customer.email'],
  ['shipper', 'shipping.shipper.name'],
  ['shippingCity', 'shipping.address.city.name'],
  ['shippingCountry', 'shipping.address.country.name'],
  ['status', 'status'],
  ['method', 'method.name'],
  ['note', 'customerNote'],
];

/** Roles of the columns with the name of the person that an order goes to. */
const RECIPIENT = { first: 'shippingFirst', last: 'shippingLast', full: 'shippingName' };

/** Makes the mapping of orders: the rows with one number are the lines of one order. */
export function composeOrders(
  matches: readonly RoleMatch[],
  {
    grouping,
    records,
  }: { readonly grouping: GroupingGuess; readonly records: readonly (readonly number[])[] },
): MappingDraft {
  const notes = createNotes();
  const allByRole = matchesByRole(matches);
  const byRole = (role: string) => allByRole(role)[0];
  addNames(notes, allByRole, undefined, 'customer.');
  addNames(notes, allByRole, RECIPIENT, 'shipping.address.');
  addStreet(notes, allByRole, {
    street: 'shippingAddress',
    more: 'shippingAddress2',
    field: 'shipping.address.address1',
  });
  addNets(notes, allByRole);
  for (const [role, field] of TEXTS) {
    const match = byRole(role);
    if (match)
      notes.add(field, textRule(match.candidate), { candidates: [match.candidate], score: match.score });
  }
  const amounts = orderAmounts(allByRole, records);
  for (const [role, field] of [
    ['shippingPrice', 'shipping.price'],
    ['discount', 'discount.price'],
  ] as const) {
    const match = byRole(role);
    if (!match) continue;
    const why = role === 'discount' ? amounts.noDiscount : undefined;
    if (why !== undefined) notes.leave(match.candidate, why, field);
    else
      notes.add(field, amountRule(match.candidate, isNegative(match) ? { multiply: -1 } : {}), {
        candidates: [match.candidate],
        score: match.score,
        ...whyNoAmount([match.candidate]),
      });
  }
  const isGrouped = grouping.kind === 'key';
  const key = isGrouped ? grouping.key : byRole('number')?.candidate;
  const [name, variant, quantity, price] = ['lineName', 'lineVariant', 'lineQuantity', 'linePrice'].map(
    byRole,
  );
  const ofLine = byRole('lineTotal');
  const ofLines = { price, quantity, ofLine, amounts };
  const fields = {
    ...(name ? { 'product.name': textRule(name.candidate) } : {}),
    ...(variant ? { 'variant.name': textRule(variant.candidate) } : {}),
    ...(quantity ? { quantity: numberRule(quantity.candidate) } : {}),
    ...linePrices(ofLines),
  };
  const lines = [name, variant, quantity, price, ofLine].flatMap((match) => match ?? []);
  const scores = lines.map(({ score }) => score);
  const doubt = (key ? undefined : NO_KEY) ?? priceDoubt(fields, ofLines) ?? missingOfLine(fields);
  if (name || quantity)
    notes.add(
      'details',
      {
        each: 'row',
        fields: Object.fromEntries(Object.entries(fields).filter(([, rule]) => rule !== undefined)),
      },
      {
        candidates: lines.map(({ candidate }) => candidate),
        score: Math.min(...(doubt ? [LIKELY] : []), ...scores),
        doubt,
      },
    );
  for (const { candidate } of allByRole('total'))
    if (candidate !== amounts.total?.candidate)
      notes.leave(candidate, 'it is not the sum of the lines, shipping and discount');
  return {
    resource: 'orders',
    key: key?.name,
    group: isGrouped
      ? { by: grouping.key.name, ...(grouping.continues ? { empty: 'continues' } : {}) }
      : undefined,
    fields: notes.fields,
    ...(amounts.check ? { check: amounts.check } : {}),
    leftOut: notes.leftOut,
  };
}

/** Prices of lines without tax, which are not those that the customer paid. */
function addNets(notes: Notes, byRole: MatchesByRole): void {
  const [price] = byRole('linePrice');
  for (const { candidate } of byRole('lineNet'))
    if (price) notes.leave(candidate, `it is without tax, and ${price.candidate.name} is used`);
    else notes.leave(candidate, 'it is a price without tax', 'details.price');
}

const NO_KEY = 'no column surely has the number of an order, so each row is an order of its own';

function missingOfLine(fields: Readonly<Record<string, unknown>>): string | undefined {
  const isMissing = (field: string) => fields[field] === undefined;
  if (isMissing('product.name')) return 'no column surely has the product of a line';
  return isMissing('price') ? 'no column surely has the price of a line' : undefined;
}

/** True for amounts that are taken off and written so: `-5.00`. The store's discounts are positive. */
function isNegative({ role, candidate }: RoleMatch): boolean {
  const amounts = candidate.profile.filled.filter((cell) => /[1-9]/.test(cell));
  return role === 'discount' && amounts.length > 0 && amounts.every((cell) => /^[^\d]*-/.test(cell));
}

interface LinePrices {
  readonly price: RoleMatch | undefined;
  readonly quantity: RoleMatch | undefined;
  readonly ofLine: RoleMatch | undefined;
  readonly amounts: OrderAmounts;
}

/** Why the prices of lines are uncertain, or are left out. */
function priceDoubt(
  fields: Readonly<Record<string, unknown>>,
  { price, quantity, ofLine, amounts }: LinePrices,
): string | undefined {
  if (!price || ofLine) return undefined;
  const { name, profile } = price.candidate;
  if (fields.price !== undefined && !quantity && amounts.priceOf !== 'line')
    return 'no column surely says how many pieces a line has, so lines have no price';
  if (fields.price !== undefined) return amounts.doubt;
  const several = severalCurrencies(profile.filled, profile.currency);
  return several === undefined
    ? `${name} is of one piece, and its cells cannot be multiplied, so lines have no price`
    : `lines have no price, since ${name} is left out: ${several}`;
}

/** The store wants the price of the whole line. The price of one piece belongs to the product. */
function linePrices({ price, quantity, ofLine, amounts }: LinePrices): Record<string, unknown> {
  const own = price && amountRule(price.candidate);
  if (ofLine)
    return { ...(own ? { 'product.price.salePrice': own } : {}), price: amountRule(ofLine.candidate) };
  if (!own || !price) return {};
  if (amounts.priceOf === 'line') return { price: own };
  if (!quantity) {
    const why = 'no column surely says how many pieces a line has';
    return { 'product.price.salePrice': own, price: leaveOutRule(price.candidate, {}, why) };
  }
  if (amounts.priceOf === 'piece') {
    const product = productOf(price.candidate, quantity.candidate);
    return { 'product.price.salePrice': own, ...(product.length > 0 ? { price: product } : {}) };
  }
  // If a line has one piece, both are the same.
  const ofOne = { ...own, when: { [quantity.candidate.name]: { matches: ONE } } };
  const why = 'it may be the price of one piece or of the whole line';
  return {
    'product.price.salePrice': ofOne,
    price: [ofOne, leaveOutRule(price.candidate, {}, why)],
  };
}

/** Matches the number one in any format. */
const ONE = '^0*1(?:[.,]0{1,2})?$';
