/** A part of a text, from `start` to before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text to search for. */
export interface SecretPattern {
  readonly text: string;
  /** Beginnings of at least this length are found too, where the searched text was cut off. */
  readonly shortest: number;
  /** For each beginning, the length of the longest shorter one that it ends with; computed when first needed. */
  borders?: Int32Array;
}

/** Half of a secret is enough to compromise it; of long secrets, LONGEST_NEEDED characters are. */
const SHORTEST_BEGINNING = 8;
const LONGEST_NEEDED = 64;

export function createPattern(text: string): SecretPattern {
  const half = Math.ceil(text.length / 2);
  const enough = Math.min(Math.max(half, SHORTEST_BEGINNING), LONGEST_NEEDED);
  return { text, shortest: Math.min(enough, text.length) };
}

/** Marks where a text was cut off; other sentences may follow. */
const CUT = '…';

/**
 * Finds a pattern in a text: all places, also those that overlap, and its beginning where the text was cut off. Takes
 * linear time (Knuth, Morris and Pratt); patterns of equal letters would make simpler algorithms quadratic.
 */
export function spansOf(text: string, pattern: SecretPattern): Span[] {
  const { text: wanted, shortest } = pattern;
  const anchor = wanted.slice(0, shortest);
  let at = text.indexOf(anchor);
  if (at < 0) return [];
  pattern.borders ??= bordersOf(wanted);
  const { borders } = pattern;
  const spans: Span[] = [];
  let matched = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    while (matched > 0 && (matched === wanted.length || code !== wanted.charCodeAt(matched)))
      matched = borders[matched - 1] ?? 0;
    if (code === wanted.charCodeAt(matched)) matched += 1;
    at += 1;
    const isCut = matched >= shortest && (at === text.length || text[at] === CUT);
    if (matched === wanted.length || isCut) addSpan(spans, at - matched, at);
    if (matched > 0) continue;
    at = text.indexOf(anchor, at);
    if (at < 0) break;
  }
  return spans;
}

/** Adds a span that ends or begins last. One that overlaps the last one is merged: equal letters would give one each. */
export function addSpan(spans: Span[], start: number, end: number): void {
  const last = spans.at(-1);
  if (last === undefined || start > last.end) spans.push({ start, end });
  else spans[spans.length - 1] = { start: Math.min(start, last.start), end: Math.max(end, last.end) };
}

function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (length > 0 && code !== text.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (code === text.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return borders;
}

/** The text with `mark` in place of each span; of those that touch or overlap there is one. */
export function replaceSpans(text: string, spans: readonly Span[], mark: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    if (span.start > end || parts.length === 0) parts.push(text.slice(end, span.start), mark);
    end = Math.max(end, span.end);
  }
  parts.push(text.slice(end));
  return parts.join('');
}
