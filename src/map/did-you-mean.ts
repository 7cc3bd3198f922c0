import { distance } from 'fastest-levenshtein';

/**
 * The nearest of `names`, or undefined if none is near. Short names may differ in few letters only, since else every
 * short name would be near.
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(Math.min(2, name.length - 1), Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const far = distance(name.toLowerCase(), candidate.toLowerCase());
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
}

/** ` Did you mean "…"?` with the nearest of `names`, or '' if none is near. Appended to messages. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const best = nearest(name, names);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}
