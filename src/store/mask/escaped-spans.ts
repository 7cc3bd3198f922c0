import { beginsEscape, createEscapeReader, cutAt, type EscapeReader, MAY_ESCAPE } from './escapes.ts';
import { addSpan, type SecretPattern, type Span } from './spans.ts';

/** Characters that may be compared for each one of a text: secrets that repeat themselves may need many. */
const MAX_COMPARED = 25;

/** Characters that may be compared in any text. */
const MIN_COMPARED = 250_000;

/**
 * Makes a search for patterns with any of their characters escaped, also each in another way. It throws if a text takes
 * too long.
 */
export function createEscapedSearch(patterns: readonly SecretPattern[]): (text: string) => Span[] {
  const byFirst = new Map<string, SecretPattern[]>();
  for (const pattern of patterns)
    for (const first of spellingsOf(pattern.text.charAt(0)))
      byFirst.set(first, [...(byFirst.get(first) ?? []), pattern]);
  const begins = new RegExp(`[%&\\\\${[...byFirst.keys()].map(codeOf).join('')}]`, 'g');

  return (text) => {
    if (byFirst.size === 0 || !MAY_ESCAPE.test(text)) return [];
    const spans: Span[] = [];
    const search: Search = {
      ...{ text, reader: createEscapeReader(text) },
      left: MAX_COMPARED * text.length + MIN_COMPARED,
      escapeAt: -1,
    };
    for (const { index, 0: begin } of text.matchAll(begins)) {
      const isEscaped = beginsEscape(begin);
      const firsts = isEscaped ? firstsAt(search, index) : [begin];
      for (const first of firsts)
        for (const pattern of byFirst.get(first) ?? []) {
          if (!isEscaped && !(mayContinue(text, index + 1, pattern) && fitsEscape(search, index, pattern)))
            continue;
          const end = endOf(search, index, pattern);
          if (end !== undefined) addSpan(spans, index, end);
        }
    }
    return spans;
  };
}

/** A search in one text. */
interface Search {
  readonly text: string;
  readonly reader: EscapeReader;
  /** Characters that may still be compared. */
  left: number;
  /** The first place at or after the last start that may begin an escape; the length of the text if there is none. */
  escapeAt: number;
}

/** Begins an escape, or is a blank in a form. */
const ESCAPE = /[%&\\+]/g;

/** A run of backslashes in which no escape ends: nested ones have at most eight. */
const LONG_RUN = '\\'.repeat(9);

function firstsAt({ text, reader }: Search, at: number): ReadonlySet<string> {
  if (text.startsWith(LONG_RUN, at)) return new Set('\\');
  return new Set(reader.readsAt(at).map((read) => read.text.charAt(0)));
}

/** True unless the second character is another one. */
function mayContinue(text: string, at: number, { text: wanted }: SecretPattern): boolean {
  const next = text.charAt(at);
  return wanted.length === 1 || spellingsOf(wanted.charAt(1)).includes(next) || beginsEscape(next);
}

/**
 * False if the first escape after this plain start is no part of the pattern, or is beyond it: plain text
 * is searched elsewhere. Checked first, since patterns that repeat themselves have long plain beginnings everywhere.
 */
function fitsEscape(search: Search, start: number, { text: wanted, shortest }: SecretPattern): boolean {
  const { text, reader } = search;
  if (search.escapeAt < start) {
    ESCAPE.lastIndex = start;
    search.escapeAt = ESCAPE.exec(text)?.index ?? text.length;
  }
  const at = search.escapeAt;
  const index = at - start;
  if (at === text.length || index >= wanted.length) return false;
  return (
    reader.readsAt(at).some((read) => continues(wanted, index, read.text)) ||
    (index >= shortest && cutAt(text, at) !== undefined)
  );
}

/** True if a pattern has these characters at `index`. */
function continues(wanted: string, index: number, read: string): boolean {
  return wanted.startsWith(read, index) || (read === '+' && wanted[index] === ' ');
}

/** The index after a pattern that begins here, or after its beginning if the text is cut off there; undefined if it does not. */
function endOf(search: Search, start: number, { text: wanted, shortest }: SecretPattern): number | undefined {
  let ends: readonly number[] = [start];
  // After a surrogate pair, which is one escape in URLs and pages.
  let ahead: number[] = [];
  for (let index = 0; index < wanted.length; index++) {
    const [only = start, ...others] = ends;
    if (others.length === 0 && ahead.length === 0) {
      const length = plainLength(search.text, only, wanted, index);
      search.left -= length * PLAIN_COST;
      index += length;
      ends = [only + length];
      if (index === wanted.length) break;
    }
    const next = ahead;
    ahead = [];
    for (const at of ends)
      for (const read of search.reader.readsAt(at)) {
        if (--search.left < 0) throw new Error('the search takes too long');
        const into = read.text.length === 2 ? ahead : next;
        if (read.text !== '' && continues(wanted, index, read.text) && !into.includes(read.end))
          into.push(read.end);
      }
    if (next.length === 0 && ahead.length === 0) {
      const cuts = index < shortest ? [] : ends.flatMap((at) => cutAt(search.text, at) ?? []);
      return cuts.length === 0 ? undefined : Math.max(...cuts);
    }
    ends = next;
  }
  return Math.max(...ends);
}

/** Cost of a character that is no escape, relative to one that may be. */
const PLAIN_COST = 1 / 64;

/** Number of characters that are equal, and begin no escape. */
function plainLength(text: string, start: number, wanted: string, from: number): number {
  const most = Math.min(text.length - start, wanted.length - from);
  let length = 0;
  while (length < most) {
    const code = text.charCodeAt(start + length);
    if (code !== wanted.charCodeAt(from + length) || code === 0x25 || code === 0x26 || code === 0x5c) break;
    length++;
  }
  return length;
}

/** A form of a page writes `+` for a blank. */
function spellingsOf(character: string): readonly string[] {
  return character === ' ' ? [' ', '+'] : [character];
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
