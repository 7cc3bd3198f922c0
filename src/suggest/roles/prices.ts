import type { Role } from '../match/candidate.ts';
import { amounts, anything, dates, flags, ofOne } from '../match/fits.ts';
import { says } from '../names/read-name.ts';
import type { Concept } from '../words/concepts.ts';

const TIMES: readonly Concept[] = ['start', 'end', 'date'];

/** Concepts of the thing that a figure or a code belongs to. */
export const LEVEL: readonly Concept[] = ['product', 'variant', 'default', 'store'];

const FOR_DEALERS = /dealer|trade|wholesale|\bwsp\b/i;

/** Names of the beginning or the end of a sale. Many languages have one word for a sale and a discount. */
function timesOfSale(time: 'start' | 'end'): Role['named'] {
  return (['sale', 'discount'] as const).flatMap((sale) => [
    [sale, time],
    [sale, time, 'date'],
    [sale, 'price', time],
  ]);
}

/** Meanings of the columns of prices, and of those that say when or for how many they count. */
export const PRICE_ROLES: readonly Role[] = [
  // The number of pieces, or the unit, that a price is for. It comes before the price, whose words it has.
  {
    name: 'priceBasis',
    named: [['basis']],
    may: [...LEVEL, 'price', 'unit', 'quantity', 'amount', 'measure'],
    fits: anything,
    isCondition: true,
  },
  {
    name: 'price',
    named: [['price', 'gross'], ['price', 'gross', 'total'], ['price'], ['gross'], ['price', 'net', 'gross']],
    may: [...LEVEL, 'gross', 'tax', 'amount', 'unit', 'value', 'currency', 'minor'],
    fits: ofOne,
    isMany: true,
  },
  {
    name: 'sale',
    named: [['sale', 'price'], ['price', 'discount'], ['sale']],
    may: [...LEVEL, 'minor', 'currency', 'gross', 'tax', 'amount', 'value'],
    fits: ofOne,
  },
  {
    name: 'saleStart',
    named: timesOfSale('start'),
    may: ['date', 'price', 'sale', 'product'],
    fits: dates,
  },
  {
    name: 'saleEnd',
    named: timesOfSale('end'),
    may: ['date', 'price', 'sale', 'product'],
    fits: dates,
  },
  // Columns that say when a sale price counts, in a form that no condition can read.
  {
    name: 'saleWhen',
    named: [
      ...timesOfSale('start'),
      ...timesOfSale('end'),
      ...([['sale', 'date'], ['sale', 'price', 'date'], ['sale', 'active'], ['sale']] as const),
    ],
    may: ['date', 'price', 'sale', 'product', 'active', 'start', 'end'],
    fits: (candidate) =>
      amounts(candidate) > 0 && flags(candidate) === 0 && !TIMES.some((time) => says(candidate.reading, time))
        ? 0
        : 1,
    isMany: true,
    isCondition: true,
  },
  {
    name: 'regular',
    named: [['regular', 'price'], ['regular']],
    may: [...LEVEL, 'minor', 'currency', 'gross', 'tax', 'amount', 'value'],
    fits: ofOne,
  },
  {
    name: 'old',
    named: [['old', 'price'], ['old']],
    may: [...LEVEL, 'minor', 'currency', 'price', 'gross', 'tax', 'amount', 'regular', 'sale'],
    fits: ofOne,
  },
  {
    name: 'cost',
    named: [['cost'], ['cost', 'price']],
    may: [...LEVEL, 'minor', 'currency', 'price', 'amount', 'unit', 'net', 'value'],
    // A shop that is a dealer pays the price for dealers. A column that says cost comes first.
    fits: (candidate) => (FOR_DEALERS.test(candidate.name) ? 0.95 : 1) * ofOne(candidate),
  },
  {
    name: 'net',
    named: [['net', 'price'], ['net']],
    may: [...LEVEL, 'minor', 'currency', 'price', 'tax', 'amount', 'regular', 'sale', 'value'],
    fits: ofOne,
  },
];
