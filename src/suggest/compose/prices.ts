import { cutText } from '../../model/index.ts';
import { isFew } from '../evidence.ts';
import type { ColumnCandidate, RoleMatch } from '../match/candidate.ts';
import { says } from '../names/read-name.ts';
import { readsAsMany } from '../profile/formats.ts';
import type { GroupingGuess } from '../structure/grouping.ts';
import type { MatchesByRole } from './by-role.ts';
import type { Notes } from './notes.ts';
import { numberRule, type RuleText } from './rules.ts';

/** The prices of a product, and of a variant if `prefix` is the list's. */
export function addPrices(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  for (const { field, rule, matches, doubt } of priceRules(byRole, grouping)) {
    const candidates = matches.map(({ candidate }) => candidate);
    const why = candidates.map(severalCurrencies).find((each) => each !== undefined);
    notes.add(field, rule, {
      candidates,
      score: Math.min(...matches.map(({ score }) => score)),
      doubt,
      ...(why === undefined ? {} : { why }),
    });
  }
  for (const { candidate } of otherPrices(byRole))
    notes.leave(candidate, 'a product has one price, and it is not known which is meant', 'price.salePrice');
  const [net] = byRole('net');
  if (net && priceOf(byRole)) notes.leave(net.candidate, 'it is without tax, and another price is used');
}

/** A rule of a price, with the columns that it reads. */
export interface PriceRule {
  readonly field: string;
  readonly rule: RuleText | undefined;
  readonly matches: readonly RoleMatch[];
  readonly doubt?: string | undefined;
}

/** A price; undefined if its cells can be read in two ways, or are of several currencies. */
function priceRule(candidate: ColumnCandidate, more: Record<string, unknown> = {}): RuleText | undefined {
  const { profile } = candidate;
  const usual = usualSigns(profile.filled);
  if (usual === undefined) return undefined;
  // Cells of another currency are issues of their records.
  const filled = profile.filled.filter((cell) => usual.has(signIn(cell)));
  const rule = numberRule({ ...candidate, profile: { ...profile, filled } }, more) as NumberRule | undefined;
  const factor = factorOf(candidate);
  if (rule === undefined || factor === undefined) return undefined;
  const number = ofCurrency(rule.number, filled);
  return { ...rule, number, ...(factor === 1 ? {} : { multiply: factor }) };
}

interface NumberRule {
  readonly number: unknown;
}

/**
 * The factor of a price in cents. Digits behind a point in more than a few cells show that the name is wrong about the unit; with a few
 * it is not known, so it is undefined.
 */
function factorOf({ reading, profile: { filled } }: ColumnCandidate): number | undefined {
  const broken = filled.filter((cell) => /\d[.,]\d/.test(cell)).length;
  if (!says(reading, 'minor') || !isFew(broken, filled.length)) return 1;
  return broken === 0 ? 0.01 : undefined;
}

/** The format for cells that write their currency in one way: a row further down may have another currency. */
function ofCurrency(format: unknown, filled: readonly string[]): unknown {
  const [sign, ...others] = new Set(filled.map(signIn).filter((each) => each !== ''));
  if (sign === undefined || others.length > 0) return format;
  const { format: name } = typeof format === 'object' ? (format as { format?: unknown }) : { format };
  const named = typeof name === 'string' ? { format: name } : {};
  const own = { ...named, currency: sign };
  // A word such as "about" is not a currency, so it has to be one that the number step knows.
  const signed = filled.filter((cell) => signIn(cell) === sign);
  const isKnown = readsAsMany({ ...named, currency: true }, own, signed) && !readsAsMany(named, own, signed);
  return isKnown && readsAsMany(own, format, filled) ? own : format;
}

/** The currency of a cell with digits, as it is written; '' for a plain number. */
function signIn(cell: string): string {
  return /\d/.test(cell) ? cell.replaceAll(/[\d.,'\s+-]+/g, '') : '';
}

function signCounts(cells: readonly string[]): [sign: string, count: number][] {
  const counts = new Map<string, number>();
  for (const sign of cells.map(signIn)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/**
 * The signs of the currency that nearly all cells have, with '' for plain numbers beside them; undefined if the cells are of several
 * currencies.
 */
function usualSigns(cells: readonly string[]): ReadonlySet<string> | undefined {
  const counts = signCounts(cells);
  const [[most] = ['']] = counts;
  // A few signs beside plain numbers may be of another currency.
  const isUsual = ([sign]: [string, number]) => codeOf(sign) === codeOf(most) || (most !== '' && sign === '');
  const strange = counts.filter((each) => !isUsual(each));
  const count = strange.reduce((sum, [, each]) => sum + each, 0);
  if (isFew(count, cells.length)) return new Set(counts.filter(isUsual).map(([sign]) => sign));
  const kinds = new Set(counts.flatMap(([sign]) => (sign === '' ? [] : [codeOf(sign)])));
  return kinds.size > 1 ? undefined : new Set(counts.map(([sign]) => sign));
}

function codeOf(sign: string): string {
  const upper = sign.toUpperCase();
  return currencyIn(upper) ?? SIGNS.get(upper) ?? upper;
}

/** Says which currencies the cells have; undefined if there is one. */
function severalCurrencies({ profile: { filled } }: ColumnCandidate): string | undefined {
  if (usualSigns(filled) !== undefined) return undefined;
  const shown = signCounts(filled).map(
    ([sign, count]) => `${count} × ${sign === '' ? 'none' : cutText(sign, 10)}`,
  );
  return `its cells are of several currencies: ${shown.slice(0, 4).join(', ')}`;
}

/** Signs of currencies with the code that other cells may have instead. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['ZŁ', 'PLN'],
  ['KČ', 'CZK'],
  ['₽', 'RUB'],
  ['₴', 'UAH'],
  ['₺', 'TRY'],
  ['₩', 'KRW'],
  ['₹', 'INR'],
  ['₪', 'ILS'],
]);

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
    ? priceRule(reduced.candidate, Object.keys(dates).length === 0 ? row : { ...row, when: dates })
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
  const [cost] = byRole('cost');
  const [sale] = byRole('sale');
  const [old] = [...byRole('old'), ...(priceOf(byRole)?.role === 'price' ? byRole('regular') : [])];
  const [net] = byRole('net');
  const price = priceOf(byRole) ?? (byRole('price').length > 0 ? undefined : (sale ?? net));
  const rules: PriceRule[] = [];
  if (price) {
    const row = rowOf(price, grouping);
    const plain = priceRule(price.candidate, row);
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
      const lower = priceRule(reduced.candidate, { ...row, when });
      rules.push({
        field: 'price.salePrice',
        rule: lower &&
          plain && [
            lower,
            ...datedPrices(byRole, plain, isLower),
            ...otherwise(byRole, { price, reduced, plain, row: rowOf(reduced, grouping) }),
          ],
        matches,
      });
      rules.push({
        field: 'price.comparePrice',
        rule: priceRule(price.candidate, { ...row, when }),
        matches: [price],
      });
    } else {
      const doubt = price === net ? 'it is a price without tax' : undefined;
      rules.push({ field: 'price.salePrice', rule: plain, matches: [price], doubt });
      if (old) {
        const when = { [old.candidate.name]: { empty: false, above: price.candidate.name } };
        rules.push({
          field: 'price.comparePrice',
          rule: priceRule(old.candidate, { ...row, when }),
          matches: [old],
        });
      }
    }
  }
  if (cost) rules.push({ field: 'price.buyingPrice', rule: priceRule(cost.candidate), matches: [cost] });
  return rules;
}
