import { cutText } from '../../model/index.ts';
import { isFew } from '../evidence.ts';
import { readsAsMany } from './formats.ts';

/** The format for cells of one currency, in all ways in which they write it: a row further down may have another one. */
export function ofCurrency(format: unknown, filled: readonly string[]): unknown {
  const signs = [...new Set(filled.map(signIn).filter((each) => each !== ''))];
  if (signs.length === 0) return format;
  const { format: name } = typeof format === 'object' ? (format as { format?: unknown }) : { format };
  const named = typeof name === 'string' ? { format: name } : {};
  const own = { ...named, currency: signs.length === 1 ? signs[0] : signs };
  // A word such as "about" is not a currency, so it has to be one that the number step knows.
  const signed = filled.filter((cell) => signIn(cell) !== '');
  const isKnown = readsAsMany({ ...named, currency: true }, own, signed) && !readsAsMany(named, own, signed);
  return isKnown && readsAsMany(own, format, filled) ? own : format;
}

/** The currency of a cell with digits, as it is written; '' for a plain number. */
export function signIn(cell: string): string {
  return /\d/.test(cell) ? cell.replaceAll(/[\d.,'\s+-]+/g, '') : '';
}

function signCounts(cells: readonly string[]): [sign: string, count: number][] {
  const counts = new Map<string, number>();
  for (const sign of cells.map(signIn)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Cells of several currencies. */
export interface SeveralCurrencies {
  readonly column: string;
  /** In the order of the rows. */
  readonly cells: readonly string[];
  /** Each currency with its first cell, the most frequent first. */
  readonly codes: readonly (readonly [code: string, cell: string])[];
}

/** The currencies of the amounts in a column; undefined if they have one. */
export function currenciesOfAmounts(column: string, cells: readonly string[]): SeveralCurrencies | undefined {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (usualSigns(filled) !== undefined) return undefined;
  const codes = new Map<string, string>();
  for (const [sign] of signCounts(filled)) {
    const cell = filled.find((each) => signIn(each) === sign);
    if (sign !== '' && cell !== undefined && !codes.has(codeOf(sign))) codes.set(codeOf(sign), cell);
  }
  return { column, cells, codes: [...codes] };
}

/**
 * The signs of the currency that nearly all cells have, with '' for plain numbers beside them; undefined if the cells are of several
 * currencies. `chosen`: the currency that a person chose of several.
 */
export function usualSigns(cells: readonly string[], chosen?: string): ReadonlySet<string> | undefined {
  const counts = signCounts(cells);
  const own = counts.map(([sign]) => sign).filter((sign) => sign !== '' && codeOf(sign) === chosen);
  if (own.length > 0) return new Set(own);
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
export function severalCurrencies(filled: readonly string[], chosen?: string): string | undefined {
  if (usualSigns(filled, chosen) !== undefined) return undefined;
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

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The code of a currency in a name; undefined if there is none. */
export function currencyIn(name: string): string | undefined {
  return name
    .toUpperCase()
    .match(/[A-Z]+/g)
    ?.find((word) => CURRENCIES.has(word));
}
