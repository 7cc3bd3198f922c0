import { HELD, MISSED, type RuleUse } from '../model/index.ts';
import type { Place } from './context.ts';
import type { Path } from './document.ts';
import type { Outside } from './steps/index.ts';

/** A rule that is silent when it never applies; its index in the mapping's list is its number. */
export type Watched = Omit<RuleUse, 'use'>;

/** Conditions of alternatives for one field share a number: one of them is enough. */
export interface Alternatives {
  watch?: number;
}

const LONGEST_TEXT = 100;

/** Gives the rule at `path` a number. Undefined where nobody watches: in exports, and for single rows. */
export function watch(
  {
    document,
    target,
    watched,
    alternatives,
  }: Pick<Place, 'document' | 'watched' | 'alternatives'> & {
    readonly target?: string;
  },
  kind: Watched['kind'],
  path: Path,
): number | undefined {
  if (!watched || target === undefined) return undefined;
  const shared = kind === 'condition' ? alternatives : undefined;
  if (shared?.watch !== undefined) return shared.watch;
  const { line, text } = document.textAt(path);
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  const number = watched.push({ field: target, kind, text: short, line }) - 1;
  if (shared) shared.watch = number;
  return number;
}

/** Notes that a rule applied, or that it did not. */
export function noteUse({ held }: Pick<Outside, 'held'>, watch: number | undefined, applied: boolean): void {
  if (held && watch !== undefined) held[watch] = (held[watch] ?? 0) | (applied ? HELD : MISSED);
}
