import type { MappingDraft } from '../../draft.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { isOnlyName } from '../../roles/orders.ts';
import { differsIn, type GroupingGuess } from '../../structure/grouping.ts';
import { type MatchesByRole, matchesByRole, withoutRoles } from '../by-role.ts';
import { createNotes, type Notes } from '../notes.ts';
import { addNames, addStreet } from '../people/people.ts';
import { amountRule, whyNoAmount } from '../prices/amounts.ts';
import { textRule } from '../rules.ts';
import { differsInOrders, whyNotOfPiece, withLineTotal } from './line-evidence.ts';
import { lineSlots, oneRowEach } from './line-slots.ts';
import { addLines } from './lines.ts';
import { onlyNetPrices } from './net-prices.ts';
import { orderAmounts } from './totals.ts';

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

interface OrderSample {
  readonly columns: readonly ColumnCandidate[];
  readonly grouping: GroupingGuess;
  readonly records: readonly (readonly number[])[];
}

/** Makes the mapping of orders: the rows with one number are the lines of one order. */
export function composeOrders(
  matches: readonly RoleMatch[],
  { columns, grouping, records }: OrderSample,
): MappingDraft {
  const notes = createNotes();
  const allByRole = ofLines(notes, matchesByRole(matches), { columns, records });
  const byRole = (role: string) => allByRole(role)[0];
  addNames(notes, allByRole, { under: 'customer.' });
  addNames(notes, allByRole, { roles: RECIPIENT, under: 'shipping.address.' });
  addStreet(notes, allByRole, {
    street: 'shippingAddress',
    more: 'shippingAddress2',
    field: 'shipping.address.address1',
    columns,
  });
  addNets(notes, allByRole);
  for (const [role, field] of TEXTS) {
    const match = byRole(role);
    if (match)
      notes.add(field, textRule(match.candidate), { candidates: [match.candidate], score: match.score });
  }
  const slots = lineSlots(allByRole, columns);
  const spread = oneRowEach(allByRole, slots, records);
  const ofLine = (['shippingPrice', 'discount'] as const).filter((role) => {
    const match = byRole(role);
    return match && differsInOrders(match.candidate, records);
  });
  const amounts = orderAmounts(withoutRoles(spread.byRole, ofLine), spread.records);
  for (const [role, field] of [
    ['shippingPrice', 'shipping.price'],
    ['discount', 'discount.price'],
  ] as const) {
    const match = byRole(role);
    if (!match) continue;
    const isOfLine = ofLine.includes(role);
    const why = isOfLine ? OF_LINE : role === 'discount' ? amounts.noDiscount : undefined;
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
  const onlyNets = onlyNetPrices(allByRole, columns);
  addLines(notes, { byRole: allByRole, amounts, slots, noKey: key ? undefined : NO_KEY, onlyNets });
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

/** The matches with what the cells show of lines. */
function ofLines(
  notes: Notes,
  found: MatchesByRole,
  { columns, records }: Pick<OrderSample, 'columns' | 'records'>,
): MatchesByRole {
  const [[whole], [product]] = [found('fullname'), found('lineName')];
  // Beside products that only a title or a description names, a column called `Name` may have them.
  const isProduct = whole && isOnlyName(whole.candidate) && !(product && isNamedProduct(product));
  // A column called `Name` with one text in all lines of an order has no products.
  const isOfOrder = product && isOnlyName(product.candidate) && isSameInOrders(product.candidate, records);
  const without = [...(isProduct ? ['fullname'] : []), ...(isOfOrder ? ['lineName'] : [])];
  const own = withoutRoles(found, without);
  const byRole = lineSlots(own, columns).length > 0 ? own : withLineTotal(own, columns, records);
  const why = whyNotOfPiece(byRole);
  const [price] = byRole('linePrice');
  if (why === undefined || !price) return byRole;
  notes.leave(price.candidate, why, 'details.product.price.salePrice');
  return withoutRoles(byRole, ['linePrice']);
}

function isSameInOrders({ cells = [] }: ColumnCandidate, records: OrderSample['records']): boolean {
  const several = records.filter((rows) => rows.length > 1);
  return several.length > 0 && !differsIn(several, cells);
}

function isNamedProduct({ candidate: { reading } }: RoleMatch): boolean {
  return says(reading, 'product') || says(reading, 'line');
}

/** Prices of lines without tax, which are not those that the customer paid. */
function addNets(notes: Notes, byRole: MatchesByRole): void {
  const [price] = byRole('linePrice');
  for (const { candidate } of byRole('lineNet'))
    if (price) notes.leave(candidate, `it is without tax, and ${price.candidate.name} is used`);
    else notes.leave(candidate, 'it is a price without tax', 'details.price');
}

const OF_LINE = 'rows of one order differ in it, so it may be of each line';
const NO_KEY = 'no column surely has the number of an order, so each row is an order of its own';

/** True for amounts that are taken off and written so: `-5.00`. The store's discounts are positive. */
function isNegative({ role, candidate }: RoleMatch): boolean {
  const amounts = candidate.profile.filled.filter((cell) => /[1-9]/.test(cell));
  return role === 'discount' && amounts.length > 0 && amounts.every((cell) => /^[^\d]*-/.test(cell));
}
