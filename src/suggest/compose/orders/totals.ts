import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { wordsIn } from '../../names/tokens.ts';
import { readNumbers } from '../../profile/formats.ts';
import type { MatchesByRole } from '../by-role.ts';
import { numberRule, type RuleText } from '../rules.ts';

/** The rows of each order, as indexes in the sample. */
type Records = readonly (readonly number[])[];

/** The amounts of orders as the cells of a sample show them. */
export interface OrderAmounts {
  /** True if the column has the price of one piece, false if it has the price of a whole line. */
  readonly isOfPiece: boolean;
  /** Why this is uncertain. */
  readonly doubt?: string | undefined;
  /** The total to which orders add up, with the tax, as `check` of a mapping names them. */
  readonly check?: Readonly<Record<string, RuleText>> | undefined;
  readonly total?: RoleMatch | undefined;
}

/** Share of the orders that must add up for their total to say anything. */
const MIN_SHARE = 0.8;
/** Amounts are rounded for each line. */
const CENT = 0.011;

/** Reads from totals whether prices are for one piece or for a line. Without a total that fits, the name of the price may say it. */
export function orderAmounts(columnsOf: MatchesByRole, records: Records): OrderAmounts {
  const orders = ordersIn(columnsOf, records);
  const [price] = columnsOf('linePrice');
  const fitting = columnsOf('total')
    .map((total) => ({ total, ...addedUp(orders, total) }))
    .filter(({ count, sums }) => count > 0 && Math.max(sums.line, sums.piece) >= MIN_SHARE * count)
    .sort((a, b) => Math.max(b.sums.line, b.sums.piece) - Math.max(a.sums.line, a.sums.piece));
  const [best] = fitting;
  const [tax] = columnsOf('tax');
  const [totalRule, taxRule] = [best?.total, tax].map((match) => match && numberRule(match.candidate));
  const check =
    totalRule === undefined ? undefined : { total: totalRule, ...(taxRule ? { tax: taxRule } : {}) };
  const found = { check, total: best?.total };
  if (best && best.sums.line !== best.sums.piece)
    return { ...found, isOfPiece: best.sums.piece > best.sums.line };
  if (!price) return { ...found, isOfPiece: true };
  const [total] = columnsOf('total');
  const wrong = !best && total ? `the lines do not add up to ${total.candidate.name}` : undefined;
  if (isNamedOfPiece(price.candidate) || orders.every(({ line, piece }) => line === piece))
    return { ...found, isOfPiece: true, doubt: wrong };
  const { name } = price.candidate;
  const why = wrong ?? 'no column has the total of an order';
  return {
    ...found,
    isOfPiece: false,
    doubt: `${why}, so ${name} may be the price of one piece or of the whole line`,
  };
}

/** Words of a price that is of one piece. */
const OF_PIECE: ReadonlySet<string> = new Set(
  wordsIn(
    'unit einzelpreis stückpreis unitario unitaria unitaire unitário stukprijs styckpris stykpris jednostkowa',
  ),
);

function isNamedOfPiece({ name, reading }: ColumnCandidate): boolean {
  return says(reading, 'unit') || wordsIn(name).some((word) => OF_PIECE.has(word));
}

/** The amounts of one order: the sum of its lines by either reading, and the amounts beside it. */
interface Order {
  readonly rows: readonly number[];
  readonly line: number;
  readonly piece: number;
  readonly rest: number;
  readonly tax: number;
}

function ordersIn(columnsOf: MatchesByRole, records: Records): Order[] {
  const valuesOf = (role: string) => numbersIn(columnsOf(role)[0]?.candidate);
  const [prices, quantities, lineTotals] = [
    valuesOf('linePrice'),
    valuesOf('lineQuantity'),
    valuesOf('lineTotal'),
  ];
  const [shipping, discounts, taxes] = [valuesOf('shippingPrice'), valuesOf('discount'), valuesOf('tax')];
  const ofLines = lineTotals.length > 0 ? lineTotals : prices;
  if (ofLines.length === 0) return [];
  return records.map(
    (rows): Order => ({
      rows,
      line: sumOf(rows, (row) => ofLines[row] ?? 0),
      piece: sumOf(rows, (row) => (prices[row] ?? 0) * (quantities[row] ?? 0)),
      rest: firstIn(shipping, rows) - Math.abs(firstIn(discounts, rows)),
      tax: firstIn(taxes, rows),
    }),
  );
}

function sumOf(rows: readonly number[], amount: (row: number) => number): number {
  return rows.reduce((sum, row) => sum + amount(row), 0);
}

/** How many orders with this total there are, and how many have it by either reading. */
function addedUp(orders: readonly Order[], { candidate }: RoleMatch) {
  const totals = numbersIn(candidate);
  const sums = { line: 0, piece: 0 };
  let count = 0;
  for (const { rows, line, piece, rest, tax } of orders) {
    const total = rows.map((row) => totals[row]).find((value) => value !== undefined);
    if (total === undefined) continue;
    const isTotal = (sum: number) =>
      [0, tax].some((added) => Math.abs(sum + rest + added - total) < CENT * rows.length);
    count++;
    if (isTotal(line)) sums.line++;
    if (isTotal(piece)) sums.piece++;
  }
  return { count, sums };
}

function firstIn(values: readonly (number | undefined)[], rows: readonly number[]): number {
  return rows.map((row) => values[row]).find((value) => value !== undefined) ?? 0;
}

/** The number in each cell of the sample; none if the cells can be read in two ways. */
function numbersIn(candidate: ColumnCandidate | undefined): readonly (number | undefined)[] {
  const rule = candidate && (numberRule(candidate) as { readonly number: unknown } | undefined);
  return rule === undefined
    ? []
    : readNumbers(
        rule.number,
        (candidate?.cells ?? []).map((cell) => cell.trim()),
      );
}
