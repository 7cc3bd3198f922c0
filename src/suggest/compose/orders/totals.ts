import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { wordsIn } from '../../names/tokens.ts';
import { readNumbers } from '../../profile/formats.ts';
import { isBlankCell } from '../../profile/profile.ts';
import type { MatchesByRole } from '../by-role.ts';
import { amountRule } from '../prices/amounts.ts';
import type { RuleText } from '../rules.ts';

/** The rows of each order, as indexes in the sample. */
type Records = readonly (readonly number[])[];

/** The amounts of orders as the cells of a sample show them. */
export interface OrderAmounts {
  /** The thing that the price of a line is for: one piece, or the whole line; undefined if both are possible. */
  readonly priceOf: 'piece' | 'line' | undefined;
  /** Why this is uncertain. */
  readonly doubt?: string | undefined;
  /** The total to which orders add up, with the tax, as `check` of a mapping names them. */
  readonly check?: Readonly<Record<string, RuleText>> | undefined;
  readonly total?: RoleMatch | undefined;
  /** Why the discounts are no amounts; undefined if nothing speaks against it. */
  readonly noDiscount?: string | undefined;
}

/** Share of the orders that must add up for their total to say anything. */
const MIN_SHARE = 0.8;
/** Amounts are rounded for each line. */
const CENT = 0.011;

/** Reads from totals whether prices are for one piece or for a line. Without a total that fits, the name of the price may say it. */
export function orderAmounts(columnsOf: MatchesByRole, records: Records): OrderAmounts {
  const noDiscount = whyNoDiscount(columnsOf, records);
  const orders = ordersIn(columnsOf, records, KINDS.get(noDiscount) ?? 'none');
  const [price] = columnsOf('linePrice');
  const fitting = columnsOf('total')
    .map((total) => ({ total, ...addedUp(orders, total) }))
    .filter(({ count, sums }) => count > 0 && Math.max(sums.line, sums.piece) >= MIN_SHARE * count)
    .sort((a, b) => Math.max(b.sums.line, b.sums.piece) - Math.max(a.sums.line, a.sums.piece));
  const [best] = fitting;
  const [tax] = columnsOf('tax');
  const [totalRule, taxRule] = [best?.total, tax].map((match) => match && amountRule(match.candidate));
  const check =
    totalRule === undefined ? undefined : { total: totalRule, ...(taxRule ? { tax: taxRule } : {}) };
  const found = { check, total: best?.total, noDiscount };
  if (best && best.sums.line !== best.sums.piece)
    return { ...found, priceOf: best.sums.piece > best.sums.line ? 'piece' : 'line' };
  const [total] = columnsOf('total');
  const wrong = !best && total ? `the lines do not add up to ${total.candidate.name}` : undefined;
  if (!price || isNamedOfPiece(price.candidate)) return { ...found, priceOf: 'piece', doubt: wrong };
  // Each run compares the sums of further rows with the total.
  const isOfOne = orders.every(({ line, piece }) => line === piece);
  if (isOfOne) return { ...found, priceOf: check ? 'piece' : undefined, doubt: wrong };
  const { name } = price.candidate;
  const none = best ? 'orders add up either way' : 'no column has the total of an order';
  return {
    ...found,
    priceOf: undefined,
    doubt: `${wrong ?? none}, so ${name} may be the price of one piece or of the whole line, and only lines of one piece have a price`,
  };
}

const IN_PERCENT = 'the totals show that it is a percentage, and the store takes amounts';
const INCLUDED = 'orders that have one add up to their totals without it';
const DISAGREES = 'the orders that have one do not add up with it';

/** Compares the totals of orders that have a discount with those that an amount or a percentage would give. */
function whyNoDiscount(columnsOf: MatchesByRole, records: Records): string | undefined {
  const [discount] = columnsOf('discount');
  const values = cellAmounts(discount?.candidate);
  const isReduced = (rows: readonly number[]) => firstIn(values, rows) !== 0;
  const [reduced, plain] = [records.filter(isReduced), records.filter((rows) => !isReduced(rows))];
  const fitOf = (some: Records, kind: DiscountKind) => {
    const orders = ordersIn(columnsOf, some, kind);
    return columnsOf('total').reduce(
      (most, total) => {
        const { count, sums } = addedUp(orders, total);
        const fitting = Math.max(sums.line, sums.piece);
        return fitting > most.fitting ? { count, fitting } : most;
      },
      { count: 0, fitting: 0 },
    );
  };
  const [amount, percent, none, others] = [
    fitOf(reduced, 'amount'),
    fitOf(reduced, 'percent'),
    fitOf(reduced, 'none'),
    fitOf(plain, 'amount'),
  ];
  if (amount.fitting >= MIN_DISAGREEING || amount.fitting >= percent.fitting) {
    if (amount.fitting > 0 || percent.fitting > 0) return undefined;
    if (none.fitting > 0 && none.fitting >= MIN_SHARE * none.count) return INCLUDED;
    const areOthersRight = others.fitting > 0 && others.fitting >= MIN_SHARE * others.count;
    return areOthersRight && reduced.length >= MIN_DISAGREEING ? DISAGREES : undefined;
  }
  return percent.fitting >= MIN_SHARE * percent.count ? IN_PERCENT : undefined;
}

/** Fewer orders with a discount do not show that their column means something else. */
const MIN_DISAGREEING = 2;

/** The way in which discounts change totals; `none`: not at all. */
type DiscountKind = 'amount' | 'percent' | 'none';

/** The kind for each reason why discounts are no amounts. */
const KINDS: ReadonlyMap<string | undefined, DiscountKind> = new Map([
  [undefined, 'amount'],
  [IN_PERCENT, 'percent'],
]);

/** Words of a price that is of one piece. */
const OF_PIECE: ReadonlySet<string> = new Set(
  wordsIn(
    'unit yksikköhinta kappalehinta egységár styckepris birim jednotková единицу μονάδας unitar einzelpreis stückpreis unitario unitaria unitaire unitário stukprijs styckpris stykpris jednostkowa',
  ),
);

/** True if the name of a price says that it is of one piece. */
export function isNamedOfPiece({ name, reading }: ColumnCandidate): boolean {
  return says(reading, 'unit') || wordsIn(name).some((word) => OF_PIECE.has(word));
}

/** The amounts of one order: the sum of its lines by either reading, and the amounts beside it. */
interface Order {
  readonly rows: readonly number[];
  /** True if each line has an amount. */
  readonly isWhole: boolean;
  readonly line: number;
  readonly piece: number;
  /** Amounts beside the lines, by the reading of these. */
  readonly rest: { readonly line: number; readonly piece: number };
  readonly tax: number;
}

function ordersIn(columnsOf: MatchesByRole, records: Records, kind: DiscountKind): Order[] {
  const valuesOf = (role: string) => cellAmounts(columnsOf(role)[0]?.candidate);
  const [prices, quantities, lineTotals] = [
    valuesOf('linePrice'),
    valuesOf('lineQuantity'),
    valuesOf('lineTotal'),
  ];
  const [shipping, discounts, taxes] = [valuesOf('shippingPrice'), valuesOf('discount'), valuesOf('tax')];
  const ofLines = lineTotals.length > 0 ? lineTotals : prices;
  if (ofLines.length === 0) return [];
  const isLine = linesIn(columnsOf);
  return records.map((rows): Order => {
    const line = sumOf(rows, (row) => ofLines[row] ?? 0);
    const piece = sumOf(rows, (row) => (prices[row] ?? 0) * (quantities[row] ?? 0));
    const discount = Math.abs(firstIn(discounts, rows));
    const restOf = (sum: number) =>
      firstIn(shipping, rows) - { amount: discount, percent: (sum * discount) / 100, none: 0 }[kind];
    return {
      rows,
      isWhole: rows.every((row) => ofLines[row] !== undefined || !isLine(row)),
      line,
      piece,
      rest: { line: restOf(line), piece: restOf(piece) },
      tax: firstIn(taxes, rows),
    };
  });
}

/** Tells if a row has a line: its product, its quantity or its price. */
function linesIn(columnsOf: MatchesByRole): (row: number) => boolean {
  const columns = ['lineName', 'lineQuantity', 'linePrice', 'lineTotal'].map(
    (role) => columnsOf(role)[0]?.candidate.cells ?? [],
  );
  return (row) => columns.some((cells) => !isBlankCell(cells[row] ?? ''));
}

function sumOf(rows: readonly number[], amount: (row: number) => number): number {
  return rows.reduce((sum, row) => sum + amount(row), 0);
}

/** How many orders with this total there are, and how many have it by either reading. */
function addedUp(orders: readonly Order[], { candidate }: RoleMatch) {
  const totals = cellAmounts(candidate);
  const sums = { line: 0, piece: 0 };
  let count = 0;
  // A line whose amount is missing says nothing about how orders add up.
  for (const { rows, line, piece, rest, tax } of orders.filter(({ isWhole }) => isWhole)) {
    const total = rows.map((row) => totals[row]).find((value) => value !== undefined);
    if (total === undefined) continue;
    const isTotal = (sum: number) =>
      [0, tax].some((added) => Math.abs(sum + added - total) < CENT * rows.length);
    count++;
    if (isTotal(line + rest.line)) sums.line++;
    if (isTotal(piece + rest.piece)) sums.piece++;
  }
  return { count, sums };
}

function firstIn(values: readonly (number | undefined)[], rows: readonly number[]): number {
  return rows.map((row) => values[row]).find((value) => value !== undefined) ?? 0;
}

/** The number in each cell of the sample; none if the cells can be read in two ways, or are of several currencies. */
export function cellAmounts(candidate: ColumnCandidate | undefined): readonly (number | undefined)[] {
  const rule = candidate && amountRule(candidate);
  if (rule === undefined) return [];
  const cells = (candidate?.cells ?? []).map((cell) => cell.trim());
  const { multiply = 1 } = rule;
  return readNumbers(rule.number, cells).map((number) => number && number * multiply);
}
