import type { RoleMatch } from '../match/candidate.ts';

/** The columns that have a role, the best first; none if no column has it. */
export type MatchesByRole = (role: string) => readonly RoleMatch[];

/** The same without the columns of some roles. */
export function withoutRoles(byRole: MatchesByRole, roles: readonly string[]): MatchesByRole {
  return (role) => (roles.includes(role) ? [] : byRole(role));
}

/** `matches` are in order, the best first. */
export function matchesByRole(matches: readonly RoleMatch[]): MatchesByRole {
  return (role) => matches.filter((match) => match.role === role);
}
