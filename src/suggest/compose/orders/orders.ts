import { type NumberArgs, numberSigns } from '../../../map/index.ts';
import type { MappingDraft } from '../../draft.ts';
import { type ColumnCandidate, LIKELY, type RoleMatch } from '../../match/candidate.ts';
import type { GroupingGuess } from '../../structure/grouping.ts';
import { matchesByRole } from '../by-role.ts';
import { createNotes } from '../notes.ts';
import { addNames } from '../people.ts';
import { numberRule, type RuleText, textRule } from '../rules.ts';
import { type OrderAmounts, orderAmounts } from './totals.ts';

/** Fields with the text of one column. */
const TEXTS: readonly (readonly [role: string, field: string])[] = [
  ['email', 'customer.email'],
  ['shippingAddress', 'shipping.address.address1'],
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
  const amounts = orderAmounts(allByRole, records);
  const ofLine = byRole('lineTotal');
  const fields = {
    ...(name ? { 'product.name': textRule(name.candidate) } : {}),
    ...(variant ? { 'variant.name': textRule(variant.candidate) } : {}),
    ...(quantity ? { quantity: numberRule(quantity.candidate) } : {}),
    ...linePrices({ price, quantity, ofLine, isOfPiece: amounts.isOfPiece }),
  };
  const lines = [name, variant, quantity, price, ofLine].flatMap((match) => match ?? []);
  const scores = lines.map(({ score }) => score);
  const doubt = priceDoubt(fields, { price, ofLine, amounts });
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
  const isGrouped = grouping.kind === 'key';
  const key = isGrouped ? grouping.key : byRole('number')?.candidate;
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

interface LinePrices {
  readonly price: RoleMatch | undefined;
  readonly quantity: RoleMatch | undefined;
  readonly ofLine: RoleMatch | undefined;
  readonly isOfPiece: boolean;
}

/** Why the prices of lines are uncertain, or are left out. */
function priceDoubt(
  fields: Readonly<Record<string, unknown>>,
  { price, ofLine, amounts }: Pick<LinePrices, 'price' | 'ofLine'> & { readonly amounts: OrderAmounts },
): string | undefined {
  if (!price || ofLine) return undefined;
  if (fields.price !== undefined) return amounts.doubt;
  return `${price.candidate.name} is of one piece, and its cells cannot be multiplied, so lines have no price`;
}

/** The store wants the price of the whole line. The price of one piece belongs to the product. */
function linePrices({ price, quantity, ofLine, isOfPiece }: LinePrices): Record<string, unknown> {
  const own = price && numberRule(price.candidate);
  if (ofLine)
    return { ...(own ? { 'product.price.salePrice': own } : {}), price: numberRule(ofLine.candidate) };
  if (!own || !price || !quantity || !isOfPiece) return own ? { price: own } : {};
  const product = productOf(price.candidate, quantity.candidate);
  return { 'product.price.salePrice': own, ...(product ? { price: product } : {}) };
}

/** The product of two columns; undefined if a column has currencies or a name that an expression cannot have. */
function productOf(price: ColumnCandidate, quantity: ColumnCandidate): RuleText | undefined {
  const [amount, count] = [price, quantity].map(numberExpression);
  if (amount === undefined || count === undefined) return undefined;
  // Other cells are issues of the price and the quantity themselves.
  const isNumber = { matches: DIGITS };
  return {
    expression: `$round(${count} * ${amount}, 4)`,
    when: { [quantity.name]: isNumber, [price.name]: isNumber },
  };
}

/** Matches a number in any format. */
const DIGITS = "^[-+]?\\d[\\d.,'’ \u00a0\u202f]*$";

/** An expression for the number in a cell, as the rule of the column reads it. */
function numberExpression(candidate: ColumnCandidate): string | undefined {
  const rule = numberRule(candidate) as { readonly number: NumberArgs } | undefined;
  if (rule === undefined || candidate.name.includes('`')) return undefined;
  const { decimal, thousands, hasCurrency } = numberSigns(rule.number);
  if (hasCurrency) return undefined;
  const text = `$trim(\`${candidate.name}\`)`;
  const bare = thousands === '' ? text : `$replace(${text}, /[${thousands}]/, "")`;
  return `$number(${decimal === ',' ? `$replace(${bare}, ",", ".")` : bare})`;
}
