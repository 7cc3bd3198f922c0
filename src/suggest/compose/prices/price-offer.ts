import type { LeftOut } from '../../draft.ts';
import { prices } from '../../match/fits.ts';
import { says } from '../../names/read-name.ts';
import { isOfOthers, type ReadColumn } from '../../sample.ts';
import type { Concept } from '../../words/concepts.ts';
import { amountRule } from './amounts.ts';

/** Certainty of a column that has amounts, and whose name says nothing. */
const AMOUNTS_ALONE = 0.5;
/** Share of the cells that have two digits behind a decimal sign, as prices have. */
const MIN_DECIMALS = 0.5;
const TWO_DECIMALS = /\d[.,]\d{2}(?!\d)/;

/** Prices of something else. */
const OTHER_PRICES: readonly Concept[] = [
  'cost',
  'net',
  'old',
  'shipping',
  'tax',
  'minimum',
  'maximum',
  'discount',
];

/**
 * Finds columns that may be the price if none is called so: amounts below a name that says nothing, or that says a price and more. They are
 * offered, never used without a question.
 */
export function offerPrices(columns: readonly ReadColumn[], used: ReadonlySet<string>): LeftOut[] {
  return columns.flatMap((column): LeftOut[] => {
    const { name, reading, profile } = column;
    const decimals = profile.filled.filter((cell) => TWO_DECIMALS.test(cell)).length;
    const isNamed = says(reading, 'price') && !OTHER_PRICES.some((concept) => says(reading, concept));
    if (
      used.has(name) ||
      isOfOthers(column) ||
      (reading.terms.length > 0 && !isNamed) ||
      prices(column) === 0
    )
      return [];
    if (!isNamed && decimals < MIN_DECIMALS * profile.filled.length) return [];
    const [sample = ''] = profile.filled;
    const why = isNamed
      ? 'its name says more than that it is the price'
      : 'it has amounts, but its name does not say that they are the price';
    const offer = { column: name, field: 'price.salePrice', why, sample };
    const rule = amountRule(column);
    return [rule === undefined ? offer : { ...offer, rule, score: AMOUNTS_ALONE }];
  });
}
