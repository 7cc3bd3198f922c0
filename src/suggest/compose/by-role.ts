import type { RoleMatch } from '../match/candidate.ts';

/** The columns that have a role, the best first; none if no column has it. */
export type MatchesByRole = (role: string) => readonly RoleMatch[];

/** `matches` are in order, the best first. */
export function matchesByRole(matches: readonly RoleMatch[]): MatchesByRole {
  return (role) => matches.filter((match) => match.role === role);
}
