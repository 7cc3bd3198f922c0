import { type NameReading, says } from '../names/read-name.ts';
import type { CellProfile } from '../profile/profile.ts';
import type { Concept } from '../words/concepts.ts';

/** A column, or a family of numbered columns such as `Image 1`, `Image 2`. */
export interface ColumnCandidate {
  /** The name of the column; of a family the pattern, such as `Image {n}`. */
  readonly name: string;
  /** Numbers of a family's columns, as they are written in the names; undefined for a single column. */
  readonly numbers?: readonly string[];
  /** Positions of its columns in the header, in their order. */
  readonly positions: readonly number[];
  readonly reading: NameReading;
  readonly profile: CellProfile;
  /** Its cells in row order; undefined for a family. */
  readonly cells?: readonly string[];
}

/** A meaning that a column can have, with its usual names and what its cells look like. */
export interface Role {
  readonly name: string;
  /** Concepts of its names, each list a name. */
  readonly named: readonly (readonly Concept[])[];
  /** Concepts that do not change the meaning beside these. */
  readonly may: readonly Concept[];
  /** 0: it cannot be this. 1: nothing against it. Above: it is probably this, whatever its name. */
  readonly fits: (candidate: ColumnCandidate) => number;
  /** Several columns can have this meaning, such as images. Default: one. */
  readonly isMany?: boolean;
  /** A family of numbered columns can have it. Default: false. */
  readonly isFamily?: boolean;
  /** Its column only limits another one, so it is not missed. Default: false. */
  readonly isCondition?: boolean;
}

/** A column with a meaning, and how certain that is, 0 to 1. */
export interface RoleMatch {
  readonly role: string;
  readonly candidate: ColumnCandidate;
  readonly score: number;
}

/** From this score on, a match is used without a question. */
export const SURE = 0.85;
/** Below this score, a match is only mentioned. */
export const LIKELY = 0.6;

/**
 * Finds the columns for roles, each column for one role only: the best score first, and at equal scores the role that is
 * listed first, then the column with more cells.
 */
export function matchRoles(candidates: readonly ColumnCandidate[], roles: readonly Role[]): RoleMatch[] {
  const all = roles.flatMap((role, rank) =>
    candidates.flatMap((candidate) => {
      const score = scoreOf(candidate, role);
      return score > 0 ? [{ role, rank, candidate, score }] : [];
    }),
  );
  all.sort(
    (a, b) =>
      b.score - a.score ||
      Number(b.candidate.numbers !== undefined) - Number(a.candidate.numbers !== undefined) ||
      a.rank - b.rank ||
      byContent(a.candidate, b.candidate),
  );
  const usedColumns = new Set<number>();
  const usedRoles = new Set<string>();
  const found: RoleMatch[] = [];
  for (const { role, candidate, score } of all) {
    if (usedRoles.has(role.name) || candidate.positions.some((each) => usedColumns.has(each))) continue;
    for (const each of candidate.positions) usedColumns.add(each);
    if (!role.isMany) usedRoles.add(role.name);
    found.push({ role: role.name, candidate, score });
  }
  return found;
}

/** The column with more cells first, then the one in English, then the shorter name: the order of the columns says nothing. */
export function byContent(a: ColumnCandidate, b: ColumnCandidate): number {
  return (
    b.profile.fillRate - a.profile.fillRate ||
    Number(ENGLISH.test(b.name)) - Number(ENGLISH.test(a.name)) ||
    a.name.length - b.name.length ||
    (a.name < b.name ? -1 : 1)
  );
}

/** The language or country in a name such as `Title UK` or `name:en`, beside columns of other languages. */
const ENGLISH = /(?:^|[^\p{L}])(?:en|uk|gb|us)(?:[^\p{L}]|$)/iu;

/**
 * Columns whose names say a role that no column has, but whose cells do not look like it. `score` is that of the name.
 */
export function misfits(
  candidates: readonly ColumnCandidate[],
  roles: readonly Role[],
  found: readonly RoleMatch[],
): RoleMatch[] {
  const taken = new Set(found.map(({ role }) => role));
  const used = new Set(found.flatMap(({ candidate }) => candidate.positions));
  const open = roles.filter(({ name, isCondition }) => !taken.has(name) && !isCondition);
  return candidates.flatMap((candidate) => {
    if (candidate.profile.filled.length === 0 || candidate.positions.some((each) => used.has(each)))
      return [];
    const role = open.find(
      (each) => nameScore(candidate.reading, each) >= SURE && each.fits(candidate) === 0,
    );
    return role ? [{ role: role.name, candidate, score: nameScore(candidate.reading, role) }] : [];
  });
}

/** A column whose name and cells surely say a role that another column has. */
export interface Rival {
  readonly candidate: ColumnCandidate;
  readonly taken: RoleMatch;
}

/** Columns without a role that surely say one of another column. */
export function rivals(
  candidates: readonly ColumnCandidate[],
  roles: readonly Role[],
  found: readonly RoleMatch[],
): Rival[] {
  const used = new Set(found.flatMap(({ candidate }) => candidate.positions));
  return candidates.flatMap((candidate) => {
    if (candidate.positions.some((each) => used.has(each))) return [];
    const role = roles.find((each) => !each.isMany && !each.isCondition && scoreOf(candidate, each) >= SURE);
    const taken = found.find((match) => match.role === role?.name);
    return taken ? [{ candidate, taken }] : [];
  });
}

/** How certain it is that a column has a role, 0 to 1. */
export function scoreOf(candidate: ColumnCandidate, role: Role): number {
  if (candidate.numbers && !role.isFamily) return 0;
  const named = nameScore(candidate.reading, role);
  if (named === 0 || candidate.profile.filled.length === 0) return 0;
  const fit = role.fits(candidate);
  return fit === 0 ? 0 : Math.min(1, named * fit);
}

/** A name that says all that is needed and nothing else has 1. Each word more that is not known makes it less certain. */
function nameScore(reading: NameReading, { named, may }: Role): number {
  const best = named.findIndex(
    (all) =>
      all.every((concept) => says(reading, concept)) &&
      reading.terms.every((term) => term.some((concept) => all.includes(concept) || may.includes(concept))),
  );
  if (best < 0) return 0;
  // The names of a role are listed with the clearest first.
  return (UNKNOWN_WORDS[reading.unknown.length] ?? 0.1) - best * 0.01;
}

const UNKNOWN_WORDS = [1, 0.5, 0.3];
