import type { OpenFigures, OpenLook, OpenTail } from '../../model/index.ts';
import { shownNumber } from '../../report/index.ts';
import { at } from './figures.ts';
import { type FoundIn, MAX_ROWS, MIN_RECORDS } from './found.ts';
import { MAX_TAIL } from './tail.ts';

/** Numbers that can be far from the others in a small file, and their share in a large one. */
const [MAX_FEW, FEW] = [2, 0.05];

/** Distance from the quartiles, as a factor; the cube of their own distance if that is more. Cheap things beside dear ones are usual. */
const MIN_FACTORS = { above: 20, below: 50 };
/** Factor between a number that is far and the next one: without a gap, it is at the end of the usual ones. */
const MIN_GAP = 3;

/** Finds numbers that are far from all others: by a factor, since prices differ by factors. */
export function outliers(
  field: string,
  { spread = [], highest = [], least = [] }: OpenFigures,
  { records }: OpenLook,
): FoundIn[] {
  const positive = spread.filter(([, , value]) => value > 0);
  const inSpread = totalOf(positive);
  if (inSpread < 2 * MIN_RECORDS) return [];
  const [low] = at(positive, 0.25) as [number, number];
  const [high] = at(positive, 0.75) as [number, number];
  const most = high * Math.max(MIN_FACTORS.above, (high / low) ** 3);
  // A stock of 1 is never too small.
  const smallest = field.startsWith('price.') ? low / Math.max(MIN_FACTORS.below, (high / low) ** 3) : 0;
  const values = [...positive.map(([, , value]) => value), ...[...highest, ...least].map(([value]) => value)];
  const to = endOf(
    values.sort((a, b) => a - b),
    most,
  );
  const from = -endOf(values.map((value) => -value).reverse(), -smallest);
  const isSmall = (value: number) => value > 0 && value < from;
  const isFar = (value: number) => value > to || isSmall(value);
  // With few different values, both tails have all of them.
  const tails = [highest.filter(([value]) => value > to), least.filter(([value]) => isSmall(value))];
  const far = tails.flat();
  // A tail that is full may have lost some.
  const isCounted = tails.every(({ length }) => length < MAX_TAIL);
  const estimate = (totalOf(positive.filter(([, , value]) => isFar(value))) / inSpread) * records;
  const count = Math.max(totalOf(far), isCounted ? 0 : Math.round(estimate));
  if (count === 0 || count > Math.max(MAX_FEW, FEW * records)) return [];
  const shown = far.slice(0, MAX_ROWS).map(([value]) => shownNumber(value));
  return [
    {
      ...{ code: 'outlier', field, count, rows: rowsOf(far) },
      message: `Far from all others: ${shown.join(', ')}. Half of all values are between ${shownNumber(low)} and ${shownNumber(high)}.`,
      advice: 'Check the decimal sign, the unit and the currency of these cells.',
    },
  ];
}

/** The largest of sorted values that is usual: not above a limit, or without a gap behind one that is. */
function endOf(values: readonly number[], limit: number): number {
  let end = limit;
  let last: number | undefined;
  for (const value of values) {
    if (value > limit && last !== undefined && isApart(last, value)) break;
    end = Math.max(end, value);
    last = value;
  }
  return end;
}

function isApart(a: number, b: number): boolean {
  return Math.max(Math.abs(a), Math.abs(b)) >= MIN_GAP * Math.min(Math.abs(a), Math.abs(b));
}

/** Sum of the counts, which are second in tails and spreads. */
function totalOf(values: readonly (readonly [number, number, ...number[]])[]): number {
  return values.reduce((sum, [, each]) => sum + each, 0);
}

function rowsOf(values: OpenTail): number[] {
  return values
    .slice(0, MAX_ROWS)
    .map(([, , row]) => row)
    .sort((a, b) => a - b);
}

/** Days from 1900 to 2000 and to 2050, as spreadsheets count them. */
const DAYS = { from: 36_526, to: 54_789 };
/** Days between the first and the last of prices that may be dates: four years. */
const MAX_DAYS = 1461;

/** Finds prices that are all numbers of days: a spreadsheet takes `12.5` for the 12th of May. */
export function dateNumbers(
  field: string,
  { lowest, highest = [], spread = [] }: OpenFigures,
  { records }: OpenLook,
): FoundIn[] {
  const [first] = highest;
  if (!field.startsWith('price.') || !lowest || !first || records < MIN_RECORDS) return [];
  const [low, high] = [lowest[0], first[0]];
  const areDays = low >= DAYS.from && high <= DAYS.to && high - low <= MAX_DAYS && high > low;
  if (!areDays || ![low, high, ...spread.map(([, , value]) => value)].every(Number.isInteger)) return [];
  return [
    {
      ...{ code: 'date-number', field, count: records, rows: [lowest[1]] },
      message: `All of them are between ${shownNumber(low)} and ${shownNumber(high)}, as dates of a spreadsheet are.`,
      advice: 'Write the prices again as text or numbers in the spreadsheet, or map the right column.',
    },
  ];
}
