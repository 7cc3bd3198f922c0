import {
  type FieldDigests,
  type FindingCode,
  grouped,
  type JsonObject,
  type OpenMark,
} from '../../model/index.ts';
import { lastNumber, roundedNumber, type WatchedNumber } from '../../plan/index.ts';
import { shownNumber } from '../../report/index.ts';
import { type FoundIn, MIN_RECORDS } from './found.ts';
import { type Marks, mark } from './marks.ts';

/**
 * How a number may change without a word. `factor`: from which on a single change is a jump. Of stocks only those count whose larger
 * number is `large` or more, since small ones change by any factor when goods arrive or are sold.
 */
const LIMITS = {
  price: { factor: 4, large: 0 },
  stock: { factor: 50, large: 1000 },
} as const;

/** Factor from which on a price is raised, or lowered, and the share of the prices that must be for a finding. */
const TOGETHER = { factor: 1.15, share: 0.8 };

/** Share of the stocks that may become 0 at once. */
const MAX_GONE = 0.5;

/** Numbers are kept to 10 digits. */
const isSame = (before: number, now: number) => Math.abs(now - before) <= 1e-9 * Math.abs(before);

/** Compares the numbers of a payload with those that were sent last. Called for each record that an earlier run has sent. */
export function noteJumps(
  marks: Marks,
  { payload, watched, row }: { payload: JsonObject; watched: readonly WatchedNumber[]; row: number },
  digests: FieldDigests,
): void {
  for (const each of watched) {
    const before = lastNumber(digests, each.name);
    const now = before === undefined ? undefined : each.read(payload);
    if (before === undefined || now === undefined) continue;
    if (before > 0) mark(marks, `${each.name} had`, row);
    if (isSame(before, now)) continue;
    const { factor, large } = LIMITS[each.name];
    const [less, more] = before < now ? [before, now] : [now, before];
    if (less > 0 && more >= less * factor && more >= large)
      mark(marks, `${each.name}-jump`, row, () => shownChange(before, now));
    if (before > 0 && now === 0) mark(marks, `${each.name} gone`, row);
    if (less > 0 && more >= less * TOGETHER.factor)
      mark(marks, now > before ? `${each.name} raised` : `${each.name} lowered`, row);
  }
}

function shownChange(before: number, now: number): string {
  return `${shownNumber(roundedNumber(before))} → ${shownNumber(now)}`;
}

type OpenMarks = Readonly<Record<string, OpenMark>>;

const FIELDS = { price: 'price.salePrice', stock: 'quantity.instock' } as const;

/** Lists the jumps that were noted. */
export function jumpsIn(marks: OpenMarks): FoundIn[] {
  return [...priceJumps(marks), ...stocksGone(marks), ...singleJumps('stock', marks)];
}

function singleJumps(name: WatchedNumber['name'], marks: OpenMarks): FoundIn[] {
  const code: FindingCode = `${name}-jump`;
  const [count = 0, rows = [], shown = []] = marks[code] ?? [];
  if (count === 0) return [];
  const { factor } = LIMITS[name];
  const message = `The ${name} is at least ${factor} times what was sent last, or at most 1/${factor} of it: ${shown.slice(0, 3).join(', ')}.`;
  const advice =
    'Check the decimal sign, the unit and the column, and the row of these keys in the file before.';
  return [{ code, field: FIELDS[name], count, rows, message, advice }];
}

/** A net price in place of a gross one, or another currency, changes all prices a little. */
function priceJumps(marks: OpenMarks): FoundIn[] {
  const [known = 0] = marks['price had'] ?? [];
  const single = singleJumps('price', marks);
  if (known < MIN_RECORDS || single.some(({ count }) => count >= TOGETHER.share * known)) return single;
  const together = (['raised', 'lowered'] as const).flatMap((way): FoundIn[] => {
    const [count = 0, rows = []] = marks[`price ${way}`] ?? [];
    if (count < TOGETHER.share * known) return [];
    const message = `${grouped(count)} of ${grouped(known)} prices are ${way} by 15 % or more since they were sent last.`;
    const advice =
      'Check that the column has the same price as before, with or without taxes, and in the same currency.';
    return [{ code: 'price-jump', field: FIELDS.price, count, rows, message, advice }];
  });
  return [...together, ...single];
}

function stocksGone(marks: OpenMarks): FoundIn[] {
  const [known = 0] = marks['stock had'] ?? [];
  const [count = 0, rows = []] = marks['stock gone'] ?? [];
  if (known < MIN_RECORDS || count < MAX_GONE * known) return [];
  const message = `The stock of ${grouped(count)} of ${grouped(known)} products that had some becomes 0.`;
  const advice = 'Check that the file is whole, and that the right column is the stock.';
  return [{ code: 'stock-jump', field: FIELDS.stock, count, rows, message, advice }];
}
