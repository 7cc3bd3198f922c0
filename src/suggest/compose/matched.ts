import type { RoleMatch } from '../match/candidate.ts';

/** Columns by role, the best first. */
export type Matched = (role: string) => readonly RoleMatch[];
