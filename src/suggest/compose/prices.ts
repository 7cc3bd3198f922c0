import type { ColumnCandidate, RoleMatch } from '../match/candidate.ts';
import type { GroupingGuess } from '../structure/grouping.ts';
import type { MatchesByRole } from './by-role.ts';
import type { Notes } from './notes.ts';
import { numberRule } from './rules.ts';

/** The prices of a product, and of a variant if `prefix` is the list's. */
export function addPrices(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  for (const { field, rule, matches, doubt } of priceRules(byRole, grouping))
    notes.add(field, rule, {
      candidates: matches.map(({ candidate }) => candidate),
      score: Math.min(...matches.map(({ score }) => score)),
      doubt,
    });
  for (const { candidate } of otherPrices(byRole))
    notes.leave(candidate, 'a product has one price, and it is not known which is meant', 'price.salePrice');
  const [net] = byRole('net');
  if (net && priceOf(byRole)) notes.leave(net.candidate, 'it is without tax, and another price is used');
}

interface PriceRule {
  readonly field: string;
  readonly rule: ReturnType<typeof numberRule>;
  readonly matches: readonly RoleMatch[];
  readonly doubt?: string | undefined;
}

/**
 * The column with the price that counts without a sale. Of prices in several currencies none: which is the store's is not
 * known.
 */
function priceOf(byRole: MatchesByRole): RoleMatch | undefined {
  const prices = byRole('price');
  const currencies = new Set(prices.map(({ candidate }) => currencyIn(candidate.name)));
  return currencies.size > 1 && !currencies.has(undefined)
    ? undefined
    : (plainest(prices) ?? byRole('regular')[0]);
}

/** A price named without a currency, else the first. */
function plainest(prices: readonly RoleMatch[]): RoleMatch | undefined {
  return prices.find(({ candidate }) => currencyIn(candidate.name) === undefined) ?? prices[0];
}

function otherPrices(byRole: MatchesByRole): readonly RoleMatch[] {
  const used = priceOf(byRole);
  return byRole('price').filter((match) => match !== used);
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function currencyIn(name: string): string | undefined {
  return name
    .toUpperCase()
    .match(/[A-Z]+/g)
    ?.find((word) => CURRENCIES.has(word));
}

/** The first row with a price. The row of the product itself may have zero, beside variants that cost something. */
function pricedRow({ candidate }: RoleMatch): unknown {
  const { name, profile } = candidate;
  const hasZero = profile.filled.some((cell) => /0/.test(cell) && !/[1-9]/.test(cell));
  return hasZero ? [{ [name]: notZero(candidate) }, name] : name;
}

/** The condition that a price is not zero. A comparison holds for cells that are not plain numbers, such as `0.00 €`. */
function notZero({ profile }: ColumnCandidate): Record<string, unknown> {
  return profile.filled.every((cell) => /^[\d.,]+$/.test(cell)) ? { above: 0 } : { matches: '[1-9]' };
}

/**
 * Rules for the sale price, the price to compare with, and the cost. A reduced price counts only if it is lower; a price
 * to compare with only if it is higher: exports fill both with zeros.
 */
export function priceRules(byRole: MatchesByRole, grouping: GroupingGuess): PriceRule[] {
  const [cost] = byRole('cost');
  const [sale] = byRole('sale');
  const [old] = [...byRole('old'), ...(priceOf(byRole)?.role === 'price' ? byRole('regular') : [])];
  const [net] = byRole('net');
  const price = priceOf(byRole) ?? (byRole('price').length > 0 ? undefined : (sale ?? net));
  const rules: PriceRule[] = [];
  if (price) {
    const row = grouping.kind === 'rows' ? {} : { row: pricedRow(price) };
    const plain = numberRule(price.candidate, row);
    // Beside a regular price, a plain one is what is paid, also in a sale.
    const isPaid = price.role === 'price' && byRole('regular').length > 0;
    const reduced = sale && sale !== price && !isPaid ? sale : undefined;
    if (reduced) {
      const { name } = reduced.candidate;
      const when = { [name]: { empty: false, ...notZero(reduced.candidate), below: price.candidate.name } };
      const matches = [reduced, price];
      const lower = numberRule(reduced.candidate, { ...row, when });
      rules.push({ field: 'price.salePrice', rule: lower && plain && [lower, plain], matches });
      rules.push({
        field: 'price.comparePrice',
        rule: numberRule(price.candidate, { ...row, when }),
        matches: [price],
      });
    } else {
      const doubt = price === net ? 'it is a price without tax' : undefined;
      rules.push({ field: 'price.salePrice', rule: plain, matches: [price], doubt });
      if (old) {
        const when = { [old.candidate.name]: { empty: false, above: price.candidate.name } };
        rules.push({
          field: 'price.comparePrice',
          rule: numberRule(old.candidate, { ...row, when }),
          matches: [old],
        });
      }
    }
  }
  if (cost) rules.push({ field: 'price.buyingPrice', rule: numberRule(cost.candidate), matches: [cost] });
  return rules;
}
