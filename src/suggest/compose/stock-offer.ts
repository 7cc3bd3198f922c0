import type { LeftOut } from '../draft.ts';
import { isNotZero, quantities } from '../match/fits.ts';
import { says } from '../names/read-name.ts';
import type { ReadColumn } from '../sample.ts';
import { numberRule } from './rules.ts';

/** Certainty of a column that has whole numbers, and whose name says nothing. */
const COUNTS_ALONE = 0.5;
/** Longer numbers are codes. */
const COUNT = /^-?\d{1,5}$/;

/**
 * Finds columns that may be the stock if none is called so: whole numbers below a name that says nothing, or only that it is a place. One
 * column is offered, never used without a question; several may be places, sizes or anything else.
 */
export function offerStock(columns: readonly ReadColumn[], used: ReadonlySet<string>): LeftOut[] {
  const found = columns.filter((column) => !used.has(column.name) && isCount(column));
  return found.map((column): LeftOut => {
    const [sample = ''] = column.profile.filled;
    const why = 'it has whole numbers, but its name does not say that they are the stock';
    const offer = { column: column.name, field: 'quantity.instock', why, sample };
    const rule = found.length === 1 ? numberRule(column, {}) : undefined;
    return rule === undefined ? offer : { ...offer, rule, score: COUNTS_ALONE };
  });
}

/** True for numbers of things. Flags, and numbers that only count rows, are not. */
function isCount(column: ReadColumn): boolean {
  const { reading, profile, cells } = column;
  const isUnnamed = reading.terms.length === 0 || says(reading, 'store');
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
