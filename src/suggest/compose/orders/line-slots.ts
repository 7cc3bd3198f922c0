import { type ColumnCandidate, LIKELY, type RoleMatch, scoreOf } from '../../match/candidate.ts';
import { isBlankCell } from '../../profile/profile.ts';
import { ORDER_ROLES } from '../../roles/orders.ts';
import type { MatchesByRole } from '../by-role.ts';

/** The columns of one more line in each row: `Item 2`, `Qty 2`, `Price 2`. */
export interface LineSlot {
  readonly byRole: MatchesByRole;
  /** Column that is filled if a row has this line. */
  readonly filled: string;
}

/** Roles of the columns of a line that names can number. */
const SLOT_ROLES: ReadonlySet<string> = new Set([
  'lineName',
  'lineVariant',
  'lineQuantity',
  'linePrice',
  'lineTotal',
]);

/** Finds the columns of further lines: those called as the columns of the first line, with another number. */
export function lineSlots(byRole: MatchesByRole, columns: readonly ColumnCandidate[]): LineSlot[] {
  const first = [...SLOT_ROLES].flatMap((role) => byRole(role)[0] ?? []);
  const [name] = byRole('lineName');
  if (!name || !NUMBER.test(name.candidate.name)) return [];
  const slots: LineSlot[] = [];
  for (let number = Number(NUMBER.exec(name.candidate.name)?.[0]) + 1; ; number++) {
    const matches = first.flatMap(({ role, candidate }): RoleMatch[] => {
      const wanted = candidate.name.replace(NUMBER, String(number));
      const column = columns.find((each) => each.name === wanted && each.name !== candidate.name);
      const score = column ? scoreOf(column, ORDER_ROLES.find((each) => each.name === role) as never) : 0;
      return column && score >= LIKELY ? [{ role, candidate: column, score }] : [];
    });
    const own = matches.find(({ role }) => role === 'lineName');
    // `Name 2` alone may go on with the first name.
    if (!own || matches.length < 2) return slots;
    const options = byRole('lineOption').filter(isOfSlot(number));
    slots.push({
      byRole: (role) => (role === 'lineOption' ? options : matches.filter((match) => match.role === role)),
      filled: own.candidate.name,
    });
  }
}

/** The matches of the first line: options have a number too. */
export function ofFirstLine(byRole: MatchesByRole): MatchesByRole {
  const number = Number(NUMBER.exec(byRole('lineName')[0]?.candidate.name ?? '')?.[0]);
  return (role) => (role === 'lineOption' ? byRole(role).filter(isOfSlot(number)) : byRole(role));
}

function isOfSlot(number: number): (match: RoleMatch) => boolean {
  return ({ candidate }) => Number(NUMBER.exec(candidate.name)?.[0]) === number;
}

/** Matches the first number in a name. */
const NUMBER = /\d+/;

/** The rows as if each line had one of its own, so that orders can be added up. */
export function oneRowEach(
  byRole: MatchesByRole,
  slots: readonly LineSlot[],
  records: readonly (readonly number[])[],
): { readonly byRole: MatchesByRole; readonly records: readonly (readonly number[])[] } {
  if (slots.length === 0) return { byRole, records };
  const width = slots.length + 1;
  const own = [byRole, ...slots.map((slot) => slot.byRole)];
  const count = Math.max(0, ...records.flat()) + 1;
  const spread = (role: string) => (match: RoleMatch) => {
    const cells = Array.from({ length: count * width }, (_, at) => {
      const [row, slot] = [Math.floor(at / width), at % width];
      const candidate = SLOT_ROLES.has(role) ? own[slot]?.(role)[0]?.candidate : match.candidate;
      return candidate?.cells?.[row] ?? '';
    });
    const filled = cells.map((cell) => cell.trim()).filter((cell) => !isBlankCell(cell));
    return {
      ...match,
      candidate: { ...match.candidate, cells, profile: { ...match.candidate.profile, filled } },
    };
  };
  return {
    byRole: (role) => byRole(role).map(spread(role)),
    records: records.map((rows) =>
      rows.flatMap((row) => Array.from({ length: width }, (_, slot) => row * width + slot)),
    ),
  };
}
