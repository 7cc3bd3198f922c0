/** The place at which reading continues after a list has shifted: the first item of `Readings.now` not returned yet. */
export interface ResumePlace {
  readonly at: number;
  /** False if another place fits too, so that items may be missing or come twice. */
  readonly isCertain: boolean;
}

export interface Readings {
  /** Marks of the items that the page held when it was shown; equal items have equal marks. */
  readonly shown: readonly string[];
  /** The same of that page and the one behind it, both read at one state of the list. */
  readonly now: readonly string[];
  /** Number of items by which the list has grown in between; negative if it has shrunk. */
  readonly grown: number;
  /** Items were both added and removed in between. */
  readonly mixed: boolean;
}

/**
 * Finds the place by the items alone, for lists whose items have no identifiers and may be equal.
 *
 * All places are tried that are possible if items were only added, or only removed. If several are possible, the result
 * is one that repeats and drops nothing under each of them, if there is one: of equal items it makes no difference
 * which was shown. If no place is possible, items were both added and removed. Then only items that differ from all
 * others show the place.
 *
 *     shown A B C, now X A B | C D E    X was added, which pushed C to the next page; reading continues at D
 *     shown A B C, now B C D | E F G    A was removed, and D slid to this page; reading continues at D
 */
export function findResumePlace(readings: Readings): ResumePlace {
  const { grown, mixed } = readings;
  const found = mixed ? undefined : grown >= 0 ? placeAfterAdding(readings) : placeAfterRemoving(readings);
  return found ?? placeBehindLast(readings);
}

/**
 * Items that were added in front have pushed the shown ones back. Some were pushed onto this page from the one before
 * it, and others added between them.
 */
function placeAfterAdding({ shown, now, grown }: Readings): ResumePlace | undefined {
  const most = shown.length + grown;
  const ends = (from: number) => endsOf(shown, now.slice(0, most), from);
  const [at] = ends(0);
  if (at === undefined) return undefined;
  // At a later place, the items between are new and may be returned. Items pushed here from the page before may not.
  const isRight = (pushed: number) =>
    ends(pushed).every((end) => end <= at) || isPart(shown, now.slice(pushed, at));
  const pushes = Array.from({ length: grown }, (_, index) => index + 1);
  return { at, isCertain: most <= now.length && pushes.every(isRight) };
}

/** The places where `shown` can end in `now` if it begins at `from` or behind, with others between its items. */
function endsOf(shown: readonly string[], now: readonly string[], from: number): number[] {
  const last = shown.at(-1);
  let next = 0;
  const ends: number[] = [];
  for (let at = from; at < now.length; at++) {
    if (next >= shown.length - 1 && now[at] === last) ends.push(at + 1);
    else if (next < shown.length - 1 && now[at] === shown[next]) next++;
  }
  return ends;
}

/** Items that were removed in front have let shown ones slide to the page before, and items of the next page here. */
function placeAfterRemoving({ shown, now, grown }: Readings): ResumePlace | undefined {
  const least = shown.length + grown;
  const places: { readonly at: number; readonly slidMost: number }[] = [];
  for (let at = Math.max(0, least); at <= Math.min(shown.length, now.length); at++) {
    const slidMost = lastStart(now.slice(0, at), shown);
    if (slidMost !== undefined) places.push({ at, slidMost });
  }
  const best = places.pop();
  if (best === undefined) return undefined;
  const spare = countsOf(shown);
  for (const mark of now.slice(0, best.at)) spare.set(mark, (spare.get(mark) ?? 0) - 1);
  // At an earlier place, the items between were not returned yet, unless they equal removed ones.
  const isRight = ({ at, slidMost }: (typeof places)[number]) =>
    [...countsOf(shown.slice(0, slidMost))].every(([mark, slid]) => {
      const removed = spare.get(mark) ?? 0;
      return slid <= removed || removed >= shown.length - at;
    });
  return { at: best.at, isCertain: least >= 0 && places.every(isRight) };
}

/** The last place in `whole` at which `part` can begin, with others between its items. */
function lastStart(part: readonly string[], whole: readonly string[]): number | undefined {
  let next = part.length;
  let start = whole.length;
  while (next > 0) {
    if (start === 0) return undefined;
    if (whole[--start] === part[next - 1]) next--;
  }
  return start;
}

/** Continues behind the last shown item that is still there. Those behind it may be on later pages by now. */
function placeBehindLast({ shown, now, grown }: Readings): ResumePlace {
  const at = 1 + Math.max(-1, ...shown.map((mark) => now.lastIndexOf(mark)));
  const moved = shown.length + grown;
  const isThere = at > 0 && at < now.length && moved >= 0 && moved <= now.length;
  return { at, isCertain: isThere && isDistinct(shown) && isDistinct(now) };
}

function isDistinct(marks: readonly string[]): boolean {
  return new Set(marks).size === marks.length;
}

function isPart(part: readonly string[], whole: readonly string[]): boolean {
  const counts = countsOf(whole);
  return [...countsOf(part)].every(([mark, count]) => count <= (counts.get(mark) ?? 0));
}

function countsOf(marks: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}
