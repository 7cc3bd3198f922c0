import type { Watched } from '../mapping.ts';
import type { RulePlace } from './context.ts';
import type { Path } from './document.ts';

const LONGEST_TEXT = 100;

/** Gives the rule at `path` a number. undefined if nothing is watched: in exports, and for single rows. */
export function watch(
  {
    document,
    target,
    watched,
    alternatives,
  }: Pick<RulePlace, 'document' | 'watched' | 'alternatives'> & {
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
