import type { GroupingGuess } from '../../structure/grouping.ts';
import type { MatchesByRole } from '../by-role.ts';
import { axesOf } from './axes.ts';

/** True if nothing tells the rows of one product apart but figures, as with prices by quantity. */
export function areAlike(byRole: MatchesByRole, grouping: GroupingGuess): boolean {
  if (grouping.kind !== 'key' || grouping.continues || axesOf(byRole).length > 0) return false;
  const codes = [...byRole('variantName'), ...byRole('sku'), ...byRole('code'), ...byRole('barcode')];
  return codes.every(({ candidate }) => candidate.name === grouping.key.name);
}
