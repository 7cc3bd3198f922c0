import type { LeftOut } from '../../draft.ts';
import { isNotZero, quantities } from '../../match/fits.ts';
import { says } from '../../names/read-name.ts';
import { wordsIn } from '../../names/tokens.ts';
import { isOfOthers, type ReadColumn } from '../../sample.ts';
import type { Concept } from '../../words/concepts.ts';
import { numberRule } from '../rules.ts';

/** Certainty of a column that has whole numbers, and whose name says nothing. */
const COUNTS_ALONE = 0.5;
/** Longer numbers are codes. */
const COUNT = /^-?\d{1,5}$/;

/**
 * Finds columns that may be the stock if none is called so: whole numbers below a name that says nothing, or only that it is a place. One
 * column is offered, never used without a question; several may be places, sizes or anything else.
 */
export function offerStock(columns: readonly ReadColumn[], used: ReadonlySet<string>): LeftOut[] {
  const unused = columns.filter((column) => !used.has(column.name) && !isOfOthers(column) && isCount(column));
  const named = unused.filter(isNamed);
  const found = named.length > 0 ? named : unused;
  return found.map((column): LeftOut => {
    const [sample = ''] = column.profile.filled;
    const why = isNamed(column)
      ? 'its name says more than that it is the stock'
      : 'it has whole numbers, but its name does not say that they are the stock';
    const offer = { column: column.name, field: 'quantity.instock', why, sample };
    const rule = found.length === 1 ? numberRule(column, {}) : undefined;
    return rule === undefined ? offer : { ...offer, rule, score: COUNTS_ALONE };
  });
}

/** Counts of something else. */
const OTHER_COUNTS: readonly Concept[] = ['minimum', 'maximum', 'low', 'order', 'price', 'shipping', 'basis'];

/** True for a name that says a stock and more, such as `Current Quantity Main Street`. */
function isNamed({ reading }: ReadColumn): boolean {
  return (
    (says(reading, 'stock') || says(reading, 'quantity')) &&
    !OTHER_COUNTS.some((concept) => says(reading, concept))
  );
}

/** Words for places that have goods. */
const PLACES: ReadonlySet<string> = new Set('warehouse depot outlet branch'.split(' '));

/** True for numbers of things. Flags, and numbers that only count rows, are not. */
function isCount(column: ReadColumn): boolean {
  const { reading, profile, cells } = column;
  const isPlace = says(reading, 'store') || wordsIn(column.name).some((word) => PLACES.has(word));
  const isUnnamed = reading.terms.length === 0 || isPlace || isNamed(column);
  const isRanked = cells.every((cell, row) => row === 0 || Number(cell) > Number(cells[row - 1]));
  return (
    isUnnamed &&
    quantities(column) === 1 &&
    isNotZero(column) &&
    profile.distinct.size > 1 &&
    profile.filled.every((cell) => COUNT.test(cell)) &&
    !isRanked
  );
}
