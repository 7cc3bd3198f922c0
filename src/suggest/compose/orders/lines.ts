import { LIKELY, type RoleMatch } from '../../match/candidate.ts';
import { severalCurrencies } from '../../profile/currencies.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import { amountRule, productOf } from '../prices/amounts.ts';
import { leaveOutRule, numberRule, type RuleText, textRule } from '../rules.ts';
import { returnedLines } from './line-evidence.ts';
import { type LineSlot, ofFirstLine } from './line-slots.ts';
import { isNamedOfPiece, type OrderAmounts } from './totals.ts';

/** The columns of a line, and what orders show about its amounts. */
interface LineColumns {
  readonly byRole: MatchesByRole;
  readonly amounts: OrderAmounts;
  /** Columns of further lines in the same row. */
  readonly slots: readonly LineSlot[];
  /** Says that there is no number of an order; undefined if there is one. */
  readonly noKey: string | undefined;
  /** Says that prices are without tax; undefined if a column has prices with it. */
  readonly onlyNets: string | undefined;
}

/** Adds the lines of orders: a line for each row, or several if a row has them side by side. */
export function addLines(
  notes: Notes,
  { byRole: ofRow, amounts, slots, noKey, onlyNets }: LineColumns,
): void {
  const byRole = slots.length > 0 ? ofFirstLine(ofRow) : ofRow;
  const [name, quantity] = [byRole('lineName')[0], byRole('lineQuantity')[0]];
  if (!name && !quantity) return;
  const fields = lineFields(byRole, amounts);
  if (quantity && !name && fields.price === undefined) {
    const why = 'no column surely has the product or the price of a line';
    notes.leave(quantity.candidate, onlyNets ?? why, 'details');
    return;
  }
  const lines = matchesOfLine(byRole);
  const scores = lines.map(({ score }) => score);
  const doubt =
    [
      noKey,
      priceDoubt(fields, linePricesOf(byRole, amounts)) ?? missingOfLine(fields, onlyNets),
      returnedLines(quantity?.candidate),
    ]
      .filter((each) => each !== undefined)
      .join('; ') || undefined;
  const rule = { each: 'row', fields };
  const more = slots.map(({ byRole: ofSlot, filled }) => ({
    each: 'row',
    when: { [filled]: { empty: false } },
    fields: lineFields(ofSlot, amounts),
  }));
  notes.add('details', more.length === 0 ? rule : [rule, ...more], {
    candidates: [...lines, ...slots.flatMap((slot) => matchesOfLine(slot.byRole))].map(
      ({ candidate }) => candidate,
    ),
    score: Math.min(...(doubt ? [LIKELY] : []), ...scores),
    doubt,
  });
}

const LINE_ROLES = ['lineName', 'lineVariant', 'lineQuantity', 'linePrice', 'lineTotal'];

function matchesOfLine(byRole: MatchesByRole): RoleMatch[] {
  const own = LINE_ROLES.flatMap((role) => byRole(role)[0] ?? []);
  return byRole('lineVariant').length > 0 ? own : [...own, ...byRole('lineOption')];
}

function lineFields(byRole: MatchesByRole, amounts: OrderAmounts): Readonly<Record<string, unknown>> {
  const [[name], [quantity]] = [byRole('lineName'), byRole('lineQuantity')];
  const variant = variantRule(byRole);
  const fields = {
    ...(name ? { 'product.name': textRule(name.candidate) } : {}),
    ...(variant ? { 'variant.name': variant } : {}),
    ...(quantity ? { quantity: numberRule(quantity.candidate) } : {}),
    ...linePrices(linePricesOf(byRole, amounts)),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, rule]) => rule !== undefined));
}

/** The name of a variant, or its options joined. */
function variantRule(byRole: MatchesByRole): RuleText | undefined {
  const [variant] = byRole('lineVariant');
  if (variant) return textRule(variant.candidate);
  const [only, ...others] = byRole('lineOption');
  if (!only) return undefined;
  if (others.length === 0) return textRule(only.candidate);
  return { from: [only, ...others].map(({ candidate }) => candidate.name), join: ' / ' };
}

interface LinePrices {
  readonly price: RoleMatch | undefined;
  readonly quantity: RoleMatch | undefined;
  readonly ofLine: RoleMatch | undefined;
  readonly tax: RoleMatch | undefined;
  readonly amounts: OrderAmounts;
}

function linePricesOf(byRole: MatchesByRole, amounts: OrderAmounts): LinePrices {
  const [[price], [quantity]] = [byRole('linePrice'), byRole('lineQuantity')];
  const [[ofLine], [tax]] = [byRole('lineTotal'), byRole('tax')];
  return { price, quantity, ofLine, tax, amounts };
}

function missingOfLine(
  fields: Readonly<Record<string, unknown>>,
  onlyNets: string | undefined,
): string | undefined {
  const isMissing = (field: string) => fields[field] === undefined;
  const noPrice = isMissing('price') ? (onlyNets ?? 'no column surely has the price of a line') : undefined;
  if (!isMissing('product.name')) return noPrice;
  const noProduct = 'no column surely has the product of a line';
  return onlyNets && noPrice ? `${noProduct}; ${onlyNets}` : noProduct;
}

/** Why the prices of lines are uncertain, or are left out. */
function priceDoubt(
  fields: Readonly<Record<string, unknown>>,
  { price, quantity, ofLine, tax, amounts }: LinePrices,
): string | undefined {
  if (ofLine && !price && tax && amounts.check === undefined)
    return `no total shows whether ${ofLine.candidate.name} has the tax in ${tax.candidate.name}`;
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
    return {
      ...(isNamedOfPiece(price.candidate) ? { 'product.price.salePrice': own } : {}),
      price: leaveOutRule(price.candidate, {}, why),
    };
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
