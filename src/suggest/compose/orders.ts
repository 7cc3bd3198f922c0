import type { MappingDraft } from '../draft.ts';
import { type ColumnCandidate, LIKELY, type RoleMatch } from '../match/candidate.ts';
import type { GroupingGuess } from '../structure/grouping.ts';
import { createNotes } from './notes.ts';
import { type OrderAmounts, orderAmounts } from './order-totals.ts';
import { numberRule, type RuleText, textRule } from './rules.ts';

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
export function composeOrders(
  matches: readonly RoleMatch[],
  { grouping }: { readonly grouping: GroupingGuess },
): MappingDraft {
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
  const key = grouping.kind === 'key' ? grouping.key : byRole('number')?.candidate;
  const amounts = orderAmounts((role) => matches.filter((match) => match.role === role), key);
  const [ofLine] = matches.filter((match) => match.role === 'lineTotal');
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
  for (const { candidate } of matches.filter(({ role }) => role === 'total'))
    if (candidate !== amounts.total?.candidate)
      notes.leave(candidate, 'it is not the sum of the lines, shipping and discount');
  return {
    resource: 'orders',
    key: key?.name,
    group:
      grouping.kind === 'key'
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

/** The price of a line is that of all its pieces; the price of one piece is that of its product. */
function linePrices({ price, quantity, ofLine, isOfPiece }: LinePrices): Record<string, unknown> {
  const own = price && numberRule(price.candidate);
  if (ofLine)
    return { ...(own ? { 'product.price.salePrice': own } : {}), price: numberRule(ofLine.candidate) };
  if (!own || !price || !quantity || !isOfPiece) return own ? { price: own } : {};
  const product = productOf(price.candidate, quantity.candidate);
  return { 'product.price.salePrice': own, ...(product ? { price: product } : {}) };
}

/** The product of two columns; undefined if the cells of one have more than digits. */
function productOf(price: ColumnCandidate, quantity: ColumnCandidate): RuleText | undefined {
  const [of, count] = [price, quantity].map(readingOf);
  if (!of || !count) return undefined;
  return {
    expression: `$round(${count.expression} * ${of.expression}, 4)`,
    when: { [quantity.name]: { matches: count.pattern }, [price.name]: { matches: of.pattern } },
  };
}

/** Forms of numbers that an expression can read, each with how it does. */
const PLAIN_FORMS: readonly { readonly pattern: string; readonly read: (column: string) => string }[] = [
  { pattern: '^-?\\d+(\\.\\d+)?$', read: (column) => `$number(${column})` },
  {
    pattern: '^-?\\d{1,3}(\\.?\\d{3})*(,\\d+)?$',
    read: (column) => `$number($replace($replace(${column}, ".", ""), ",", "."))`,
  },
];

function readingOf({ name, profile: { filled } }: ColumnCandidate) {
  const form = PLAIN_FORMS.find(({ pattern }) =>
    filled.every((cell) => new RegExp(pattern).test(cell.trim())),
  );
  if (form === undefined || name.includes('`')) return undefined;
  return { pattern: form.pattern, expression: form.read(`$trim(\`${name}\`)`) };
}
