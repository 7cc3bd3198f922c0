import type { ColumnCandidate } from '../../match/candidate.ts';
import { amounts } from '../../match/fits.ts';
import { says } from '../../names/read-name.ts';
import type { MatchesByRole } from '../by-role.ts';
import { amountRule } from '../prices/amounts.ts';
import { cellAmounts } from './totals.ts';

/** Share of the lines in which one amount must be the product of another and the quantity. */
const MIN_PRODUCTS = 0.8;
const CENT = 0.011;

/**
 * Says that the only prices of lines are without tax, with their columns and the rule for the amounts of lines; undefined if a column has
 * prices with tax, or none has prices without it.
 */
export function onlyNetPrices(
  byRole: MatchesByRole,
  columns: readonly ColumnCandidate[],
): string | undefined {
  if (byRole('linePrice').length > 0 || byRole('lineTotal').length > 0) return undefined;
  const nets = columns.filter((column) => isNetPrice(column) && !isOfOrder(column));
  if (nets.length === 0) return undefined;
  const named = nets.map(({ name }) => name).join(' and ');
  const ofLine = lineAmount(nets, byRole('lineQuantity')[0]?.candidate);
  const rule = ofLine && amountRule(ofLine);
  if (!ofLine || rule === undefined) return `prices are without tax (${named}), so lines have no price`;
  const rate = taxRate(columns);
  const more = rate === undefined ? '' : `, with multiply: ${rate.factor} to add ${rate.name}`;
  const { number } = rule;
  const format = typeof number === 'object' ? JSON.stringify(number) : String(number);
  return `prices are without tax (${named}), so lines have no price; to send them, add price: { from: ${ofLine.name}, number: ${format} }${more}`;
}

function isNetPrice(column: ColumnCandidate): boolean {
  const { reading } = column;
  const isAmount = (['price', 'amount', 'total', 'unit', 'value'] as const).some((concept) =>
    says(reading, concept),
  );
  return (
    says(reading, 'net') && !says(reading, 'gross') && amounts(column) > 0 && (isAmount || isPlain(column))
  );
}

/** True for a name that says nothing but `net`. */
function isPlain({ reading: { terms, unknown } }: ColumnCandidate): boolean {
  return unknown.length === 0 && terms.every((term) => term.includes('net'));
}

function isOfOrder({ reading }: ColumnCandidate): boolean {
  return (['order', 'shipping', 'discount', 'cost', 'measure'] as const).some(
    (concept) => says(reading, concept) && !(concept === 'measure' && says(reading, 'price')),
  );
}

/** The column with the amounts of whole lines: price times quantity, or the only column if all lines have one piece. */
function lineAmount(
  nets: readonly ColumnCandidate[],
  quantity: ColumnCandidate | undefined,
): ColumnCandidate | undefined {
  const counts = cellAmounts(quantity);
  const isProduct = (total: ColumnCandidate, price: ColumnCandidate) => {
    const [totals, prices] = [cellAmounts(total), cellAmounts(price)];
    const rows = [...counts.keys()].filter((row) => counts[row] !== undefined && counts[row] !== 1);
    const fitting = rows.filter(
      (row) => Math.abs((totals[row] ?? Number.NaN) - (prices[row] ?? 0) * (counts[row] ?? 0)) < CENT,
    );
    return rows.length > 0 && fitting.length >= MIN_PRODUCTS * rows.length;
  };
  const found = nets.find((total) => nets.some((price) => price !== total && isProduct(total, price)));
  const isOfOne = counts.length > 0 && counts.every((count) => count === undefined || count === 1);
  return found ?? (isOfOne && nets.length === 1 ? nets[0] : undefined);
}

/** The rate of a column with one rate of the tax in all rows, as a factor. */
function taxRate(columns: readonly ColumnCandidate[]): { name: string; factor: number } | undefined {
  const rate = columns.find(
    (column) => says(column.reading, 'tax') && (says(column.reading, 'percent') || areRates(column)),
  );
  const [only, ...others] = rate?.profile.distinct ?? [];
  const percent = Number(only?.replace('%', '').replace(',', '.').trim());
  if (!rate || others.length > 0 || !(percent > 0 && percent < 50)) return undefined;
  return { name: rate.name, factor: Number((1 + percent / 100).toFixed(4)) };
}

function areRates({ name, profile: { filled } }: ColumnCandidate): boolean {
  return name.includes('%') || (filled.length > 0 && filled.every((cell) => cell.includes('%')));
}
