import { shownWord } from '../../../model/index.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { prices } from '../../match/fits.ts';
import { says } from '../../names/read-name.ts';
import { wordsIn } from '../../names/tokens.ts';
import { currencyIn } from '../../profile/currencies.ts';
import type { GroupingGuess } from '../../structure/grouping.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import { leaveOutRule, type RuleText } from '../rules.ts';
import { amountRule, type PriceRule, whyNoAmount } from './amounts.ts';
import { askAboutBasis, withBasis } from './price-basis.ts';
import { SALE_CHOICE, unreadSale } from './unread-sale.ts';

/** The prices of a product, and of a variant if `prefix` is the list's. */
export function addPrices(
  notes: Notes,
  byRole: MatchesByRole,
  { columns, grouping }: { readonly columns: readonly ColumnCandidate[]; readonly grouping: GroupingGuess },
): void {
  const rules = priceRules(byRole, grouping);
  for (const { field, rule, matches, doubt } of rules) {
    const candidates = matches.map(({ candidate }) => candidate);
    notes.add(field, rule, {
      candidates,
      score: Math.min(...matches.map(({ score }) => score)),
      doubt: doubt ?? (field === 'price.salePrice' ? otherTiers(byRole, columns) : undefined),
      ...whyNoAmount(candidates),
    });
  }
  for (const { candidate } of otherPrices(byRole)) notes.leave(candidate, WHICH, 'price.salePrice');
  const used = new Set(rules.flatMap(({ matches }) => matches));
  const [priced] = rules.find(({ field }) => field === 'price.salePrice')?.matches ?? [];
  if (priced) askAboutBasis(notes, byRole, priced.candidate);
  const [why, field] = priced ? [BESIDE] : [NOT_ITSELF, 'price.salePrice'];
  const unread = unreadSale(byRole);
  for (const match of ['sale', 'regular', 'old'].flatMap(byRole)) {
    if (used.has(match)) continue;
    if (match === unread?.sale) {
      const { candidate } = unread.when;
      notes.leave(match.candidate, unread.why, 'price.salePrice');
      const asks = `Is ${shownWord(match.candidate.name)} the price today, wherever it has one?`;
      notes.ask(SALE_CHOICE, candidate, candidate.profile.filled, asks);
    } else notes.leave(match.candidate, why, field);
  }
  const either = costOrPrice(byRole);
  if (either) {
    const { candidate } = either;
    const why = 'some systems call the price so, and others the purchase price';
    notes.add('price.salePrice', amountRule(candidate), { candidates: [candidate], score: UNCLEAR, why });
  }
  const [net] = byRole('net');
  if (net && priceOf(byRole)) notes.leave(net.candidate, 'it is without tax, and another price is used');
}

const WHICH = 'a product has one price, and it is not known which is meant';

/** Below what is used without a question. */
const UNCLEAR = 0.5;

/** The only price of a file if its name is used for costs and for prices, such as `standard_price`. */
function costOrPrice(byRole: MatchesByRole): RoleMatch | undefined {
  const [cost] = byRole('cost');
  const hasPrice = ['price', 'regular', 'sale', 'net', 'old'].some((role) => byRole(role).length > 0);
  return cost && !hasPrice && says(cost.candidate.reading, 'regular') ? cost : undefined;
}

const BESIDE = 'the prices of other columns are used';
const NOT_ITSELF = 'it is a former or recommended price, and no column surely has the price itself';

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

/** Says that `Price 2` or `Price B` is a price too, perhaps of other customers, if `Price 1` or `Price A` is used. */
function otherTiers(byRole: MatchesByRole, columns: readonly ColumnCandidate[]): string | undefined {
  const used = priceOf(byRole)?.candidate;
  const tier = used && tierOf(used.name);
  const others = columns.filter(
    (column) =>
      tier !== undefined && column.name !== used?.name && tierOf(column.name) === tier && prices(column) > 0,
  );
  if (others.length === 0) return undefined;
  const names = others.map(({ name }) => shownWord(name)).join(', ');
  return `${names} ${others.length === 1 ? 'is a price' : 'are prices'} too, and left out`;
}

/** The name of a column without the letter or the number at its end; undefined if it has none. */
function tierOf(name: string): string | undefined {
  const words = wordsIn(name);
  return words.length > 1 && /^(?:\p{L}|\d{1,2})$/u.test(words.at(-1) ?? '')
    ? words.slice(0, -1).join(' ')
    : undefined;
}

/** Conditions that a sale is on: it has begun, and has no end, since the store has no field for dates. */
function isOn(byRole: MatchesByRole): Record<string, unknown> {
  return window(byRole, { future: false }, '');
}

/** Conditions on the columns of the beginning and the end of a sale; none for a column that the file lacks. */
function window(byRole: MatchesByRole, begins: unknown, ends: unknown): Record<string, unknown> {
  const [start] = byRole('saleStart');
  const [end] = byRole('saleEnd');
  return {
    ...(start && begins !== undefined ? { [start.candidate.name]: begins } : {}),
    ...(end && ends !== undefined ? { [end.candidate.name]: ends } : {}),
  };
}

const DATED =
  'The store has no field for dates, so a sale price that begins later or has an end is left out.';

/** The plain price with a warning, for sales that will be on later, or until a day to come. */
function datedPrices(byRole: MatchesByRole, plain: RuleText, when: Record<string, unknown>): RuleText[] {
  return [window(byRole, { future: true }, undefined), window(byRole, undefined, { future: true })].flatMap(
    (dates) =>
      Object.keys(dates).length === 0
        ? []
        : [{ ...(plain as object), when: { ...when, ...dates }, warn: DATED }],
  );
}

/** A plain number above 0. Of other texts, comparisons hold always, so the rules with a comparison leave none of them out. */
const PLAIN = { above: 0, matches: '^\\d+([.,]\\d{1,2})?$' };

/** Counts the cells of a price that is compared with another one. `by`: how it is to it if it is left out. */
function leftBeside({ candidate }: RoleMatch, by: 'above' | 'below', other: RoleMatch): RuleText {
  const { name } = other.candidate;
  const when = { [name]: PLAIN, [candidate.name]: { ...PLAIN, [by]: name } };
  return leaveOutRule(candidate, { when }, `it is ${by} ${JSON.stringify(name)}`);
}

/** Counts the prices of sales that are over. */
function leftSales(byRole: MatchesByRole, { candidate }: RoleMatch): RuleText[] {
  const [end] = byRole('saleEnd');
  if (!end) return [];
  const past = { [end.candidate.name]: { empty: false, future: false } };
  const when = { [candidate.name]: { empty: false, ...notZero(candidate) }, ...past };
  return [leaveOutRule(candidate, { when }, 'the sale is over')];
}

/** The price of rows without a sale: the plain one, or the reduced one of a sale that is on if the plain one is missing or zero. */
function otherwise(
  byRole: MatchesByRole,
  {
    price,
    reduced,
    plain,
    row,
  }: { price: RoleMatch; reduced: RoleMatch; plain: RuleText; row: Record<string, unknown> },
): RuleText[] {
  const has = ({ candidate }: RoleMatch, at: number) => /[1-9]/.test(candidate.cells?.[at] ?? '');
  const isAlone = (reduced.candidate.cells ?? []).some((_, at) => has(reduced, at) && !has(price, at));
  const dates = isOn(byRole);
  const last = isAlone
    ? amountRule(reduced.candidate, Object.keys(dates).length === 0 ? row : { ...row, when: dates })
    : undefined;
  if (last === undefined) return [plain];
  const { name } = price.candidate;
  return [{ ...(plain as object), when: { [name]: { empty: false, ...notZero(price.candidate) } } }, last];
}

function rowOf(price: RoleMatch, grouping: GroupingGuess): Record<string, unknown> {
  return grouping.kind === 'rows' ? {} : { row: pricedRow(price) };
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
  return withBasis(plainRules(byRole, grouping), byRole);
}

function plainRules(byRole: MatchesByRole, grouping: GroupingGuess): PriceRule[] {
  const [cost] = costOrPrice(byRole) ? [] : byRole('cost');
  const unread = unreadSale(byRole);
  const sale = unread ? undefined : byRole('sale')[0];
  const [old] = [...byRole('old'), ...(priceOf(byRole)?.role === 'price' ? byRole('regular') : [])];
  const [net] = byRole('net');
  const price = priceOf(byRole) ?? (byRole('price').length > 0 ? undefined : (sale ?? net));
  const rules: PriceRule[] = [];
  if (price) {
    const row = rowOf(price, grouping);
    const plain = amountRule(price.candidate, row);
    // Beside a regular price, a plain one is what is paid, also in a sale.
    const isPaid = price.role === 'price' && byRole('regular').length > 0;
    const reduced = sale && sale !== price && !isPaid ? sale : undefined;
    if (reduced) {
      const { name } = reduced.candidate;
      const isLower = {
        [name]: { empty: false, ...notZero(reduced.candidate), below: price.candidate.name },
      };
      const when = { ...isLower, ...isOn(byRole) };
      const matches = [reduced, price];
      const lower = amountRule(reduced.candidate, { ...row, when });
      rules.push({
        field: 'price.salePrice',
        rule: lower &&
          plain && [
            leftBeside(reduced, 'above', price),
            ...leftSales(byRole, reduced),
            lower,
            ...datedPrices(byRole, plain, isLower),
            ...otherwise(byRole, { price, reduced, plain, row: rowOf(reduced, grouping) }),
          ],
        matches,
      });
      rules.push({
        field: 'price.comparePrice',
        rule: amountRule(price.candidate, { ...row, when }),
        matches: [price],
      });
    } else {
      const leftSale = unread && `${unread.sale.candidate.name} is left out, since ${unread.why}`;
      const doubt = price === net ? 'it is a price without tax' : leftSale;
      rules.push({ field: 'price.salePrice', rule: plain, matches: [price], doubt });
      if (old) {
        const when = { [old.candidate.name]: { empty: false, above: price.candidate.name } };
        const higher = amountRule(old.candidate, { ...row, when });
        rules.push({
          field: 'price.comparePrice',
          rule: higher && [leftBeside(old, 'below', price), higher],
          matches: [old],
        });
      }
    }
  }
  if (cost) rules.push({ field: 'price.buyingPrice', rule: amountRule(cost.candidate), matches: [cost] });
  return rules;
}
