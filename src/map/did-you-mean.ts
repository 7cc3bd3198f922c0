import { distance } from 'fastest-levenshtein';

/** The nearest of `names`; undefined when none is near. Of short names little may differ, else each would be near. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(Math.min(2, name.length - 1), Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const far = distance(name.toLowerCase(), candidate.toLowerCase());
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
}

/** ` Did you mean "…"?` for the nearest of `names`, or nothing when none is near. For the end of a message. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const best = nearest(name, names);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}
