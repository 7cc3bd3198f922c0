import { isFew } from '../../evidence.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { dates } from '../../match/fits.ts';
import { isBlankCell } from '../../profile/profile.ts';
import type { MatchesByRole } from '../by-role.ts';

/** The price of a sale whose time no condition can read. */
export interface UnreadSale {
  readonly sale: RoleMatch;
  /** The column that says when it counts, or may say it. */
  readonly when: RoleMatch;
  readonly why: string;
}

/** Id of the choice about a sale price whose time no condition can read. */
export const SALE_CHOICE = 'sale';

/** Roles of the columns that say when a sale counts, in a form that no condition can read. */
export const UNREAD_TIMES: readonly string[] = ['saleWhen', 'besideSale'];

/** Returns undefined if there is no sale price, or its time is known. */
export function unreadSale(byRole: MatchesByRole): UnreadSale | undefined {
  const [sale] = byRole('sale');
  if (!sale) return undefined;
  const [when] = byRole('saleWhen');
  if (when)
    return {
      sale,
      when,
      why: `${when.candidate.name} says when it counts, and no condition can read its cells`,
    };
  const [beside] = byRole(BESIDE_SALE);
  return (
    beside && {
      ...{ sale, when: beside },
      why: `${beside.candidate.name} has dates in the same rows, and its name does not say if the sale begins or ends there`,
    }
  );
}

/** Role of a column of dates that may say when a sale counts. */
const BESIDE_SALE = 'besideSale';
/** Share of the sale prices that have a date beside them. */
const MIN_DATED = 0.5;

/**
 * Adds the column of dates that is filled where the sale price is, and hardly elsewhere, whatever its name. None if the sale
 * has dates of its own, or if nearly all rows have a sale price: then any date is beside one.
 */
export function withDatesBesideSale(
  byRole: MatchesByRole,
  columns: readonly ColumnCandidate[],
  used: ReadonlySet<string>,
): MatchesByRole {
  const [sale] = byRole('sale');
  const has = (cells: readonly string[] | undefined, row: number) => !isBlankCell(cells?.[row] ?? '');
  const { cells = [], profile } = sale?.candidate ?? {};
  const isDated = ['saleStart', 'saleEnd', 'saleWhen'].some((role) => byRole(role).length > 0);
  const without = cells.filter((_, row) => !has(cells, row)).length;
  if (!sale || !profile || isDated || isFew(without, cells.length)) return byRole;
  const beside = columns.flatMap((candidate): RoleMatch[] => {
    if (used.has(candidate.name) || candidate.profile.filled.length === 0 || dates(candidate) === 0)
      return [];
    const rows = cells.flatMap((_, row) => (has(candidate.cells, row) ? [row] : []));
    const both = rows.filter((row) => has(cells, row)).length;
    const isBeside = isFew(rows.length - both, rows.length) && both >= MIN_DATED * (cells.length - without);
    return isBeside ? [{ role: BESIDE_SALE, candidate, score: 1 }] : [];
  });
  return beside.length === 0 ? byRole : (role) => (role === BESIDE_SALE ? beside : byRole(role));
}
