import { distance } from 'fastest-levenshtein';

/** ` Did you mean "…"?` for the nearest of `names`, or nothing when none is near. For the end of a message. */
export function didYouMean(name: string, names: Iterable<string>): string {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const far = distance(name.toLowerCase(), candidate.toLowerCase());
    if (far < least) [best, least] = [candidate, far];
  }
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}
