import { isFew } from '../../evidence.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { amounts } from '../../match/fits.ts';
import { says } from '../../names/read-name.ts';
import { isBlankCell } from '../../profile/profile.ts';
import type { MatchesByRole } from '../by-role.ts';
import { cellAmounts, orderAmounts } from './totals.ts';

type Records = readonly (readonly number[])[];

/** Share of the lines whose amount must be the price of all pieces. Others have a discount of their own. */
const MIN_PRODUCTS = 0.8;
/** Lines of several pieces without which a price and the amount of a line are the same. */
const MIN_LINES = 2;
const CENT = 0.011;
/** Certainty of the amount of a line that only its cells show. */
const BY_CELLS = 0.9;

/**
 * The matches with a column that has the amount of each line, whatever it is called: nearly all are the price of all pieces, or
 * orders add up to their totals with it and not by prices.
 */
export function withLineTotal(
  byRole: MatchesByRole,
  columns: readonly ColumnCandidate[],
  records: Records,
): MatchesByRole {
  const [price, quantity] = [byRole('linePrice')[0], byRole('lineQuantity')[0]];
  if (!price || !quantity || byRole('lineTotal').length > 0) return byRole;
  const taken = new Set(USED.flatMap((role) => byRole(role).map(({ candidate }) => candidate.name)));
  const possible = columns.filter((column) => !taken.has(column.name) && mayBeOfLine(column));
  const as = (candidate: ColumnCandidate): MatchesByRole => {
    const match: RoleMatch = { role: 'lineTotal', candidate, score: BY_CELLS };
    return (role) =>
      role === 'lineTotal' ? [match] : byRole(role).filter((each) => each.candidate.name !== candidate.name);
  };
  const ofOrder = new Set(byRole('total').map(({ candidate }) => candidate.name));
  const together = records.filter((rows) => rows.length > 1).flat();
  const isOfLines = (column: ColumnCandidate) => {
    const lines = { ofLine: column, price, quantity };
    // The total of an order with one line is the amount of that line.
    const isOrder = ofOrder.has(column.name) || together.length > 0;
    return (
      productShare(lines, [...(column.cells?.keys() ?? [])]) >= MIN_PRODUCTS &&
      (!isOrder || productShare(lines, together, true) >= MIN_PRODUCTS)
    );
  };
  const pieces = quantity.candidate.cells ?? [];
  const isInAllLines = ({ name, cells = [] }: ColumnCandidate) =>
    !ofOrder.has(name) && pieces.every((cell, row) => isBlankCell(cell) || !isBlankCell(cells[row] ?? ''));
  const found =
    possible.find(isOfLines) ??
    (orderAmounts(byRole, records).check === undefined
      ? possible.find(
          (column) => isInAllLines(column) && orderAmounts(as(column), records).check !== undefined,
        )
      : undefined);
  return found ? as(found) : byRole;
}

/** Roles whose columns are certainly no amounts of lines. */
const USED = ['linePrice', 'lineQuantity', 'number', 'shippingPrice', 'discount', 'tax', 'lineNet'];

function mayBeOfLine(column: ColumnCandidate): boolean {
  const { reading } = column;
  const isOther = (['net', 'tax', 'shipping', 'discount', 'percent', 'order', 'cost'] as const).some(
    (concept) => says(reading, concept) && !(concept === 'tax' && says(reading, 'gross')),
  );
  const isAmount = (['amount', 'total', 'value', 'price', 'gross'] as const).some((concept) =>
    says(reading, concept),
  );
  return isAmount && !isOther && amounts(column) > 0;
}

interface LineAmounts {
  readonly ofLine: ColumnCandidate;
  readonly price: RoleMatch;
  readonly quantity: RoleMatch;
}

/**
 * Share of these lines whose amount is the price of all pieces, 0 to 1; 0 if there are too few. `isOne`: true to count lines of one
 * piece too, and those without an amount.
 */
function productShare(
  { ofLine, price, quantity }: LineAmounts,
  rows: readonly number[],
  isOne = false,
): number {
  const [totals = [], prices = [], counts = []] = [ofLine, price.candidate, quantity.candidate].map(
    cellAmounts,
  );
  const lines = rows.flatMap((row) => {
    const [one, count] = [prices[row], counts[row]];
    const isUsed = one !== undefined && one !== 0 && count !== undefined && (isOne || count !== 1);
    return isUsed && (isOne || totals[row] !== undefined)
      ? [{ total: totals[row], product: one * count }]
      : [];
  });
  const fitting = lines.filter(
    ({ total, product }) => total !== undefined && Math.abs(total - product) < CENT,
  );
  return lines.length < MIN_LINES ? 0 : fitting.length / lines.length;
}

/** Says that a price is not of the pieces whose amounts are in another column; undefined if nothing speaks against it. */
export function whyNotOfPiece(byRole: MatchesByRole): string | undefined {
  const [[price], [quantity], [ofLine]] = [byRole('linePrice'), byRole('lineQuantity'), byRole('lineTotal')];
  if (!price || !quantity || !ofLine) return undefined;
  const [totals, prices, counts] = [ofLine, price, quantity].map(({ candidate }) => cellAmounts(candidate));
  const rows = [...(counts ?? []).keys()].filter(
    (row) => totals?.[row] !== undefined && prices?.[row] !== undefined && counts?.[row] !== undefined,
  );
  const other = rows.filter(
    (row) => Math.abs((totals?.[row] ?? 0) - (prices?.[row] ?? 0) * (counts?.[row] ?? 0)) >= CENT,
  );
  return rows.length >= MIN_LINES && other.length > 0.5 * rows.length
    ? `most amounts in ${ofLine.candidate.name} are not the price of all pieces, so it may be without tax or before a discount`
    : undefined;
}

/** True for a column that should have one value in an order and has several, as a column of lines has. */
export function differsInOrders({ cells = [] }: ColumnCandidate, records: Records): boolean {
  const several = records.filter((rows) => rows.length > 1);
  const apart = several.filter((rows) => {
    const [first = '', ...others] = rows
      .map((row) => (cells[row] ?? '').trim())
      .filter((cell) => !isBlankCell(cell));
    // An amount in the first row only, with zeros below, is the sum too.
    return others.some((cell) => cell !== first) && others.some((cell) => /[1-9]/.test(cell));
  });
  return !isFew(apart.length, several.length);
}

/** Says how many lines are returned goods; undefined if none is. */
export function returnedLines(quantity: ColumnCandidate | undefined): string | undefined {
  const counts = cellAmounts(quantity).filter((count) => count !== undefined);
  const count = counts.filter((each) => each < 0).length;
  return count === 0
    ? undefined
    : `${count} of ${counts.length} lines have a negative quantity, as returned goods do, and are sent so`;
}
