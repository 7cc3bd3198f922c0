import { HIDDEN } from '../../model/index.ts';
import { createEscapedSearch } from './escaped-spans.ts';
import { formsOf, hexForm, plainForms, SHORTEST_ANYWHERE } from './secret-forms.ts';
import { createPattern, replaceSpans, type SecretPattern, type Span, spansOf } from './spans.ts';

/** Replaces secrets in text that leaves the program. Never throws: text that cannot be checked is hidden as a whole. */
export interface Mask {
  (text: string): string;
  /** True if a secret is in a text, which can then not be kept as data either. */
  holds(text: string): boolean;
  /** Adds a secret that became known during the run. */
  add(secret: string): void;
  /** Adds one of a sequence of tokens: only the latest are remembered. */
  addToken(token: string): void;
}

/** Replaces a text that could not be checked. It needs no escapes, so that it can be part of JSON. */
export const UNCHECKED = '[hidden: this text could not be checked for secrets]';

/** Tokens that are remembered: a run of days may see thousands, and expired ones are worthless. */
const MOST_TOKENS = 100;

/** Limit for long tokens, in characters of all their forms. The latest are kept whatever their length. */
const MOST_TOKEN_CHARACTERS = 4_000_000;
const FEWEST_TOKENS = 4;

/** A value under a name that always holds a secret: in a query, a list of headers or JSON, also JSON inside JSON. */
const NAMED =
  /((?:client[_-]?secret|refresh[_-]?token|access[_-]?token|x-auth-token)(?:\\*["'])?\s*(?:[=:]|%3D|%3A)\s*(?:\\*["'])?)([^\s"'\\&,;<>{}[\]]+)/gi;

/**
 * Creates a mask for the given secrets. Each is replaced anywhere in a text: plain, as base64, in hex digits, and with
 * any of its characters escaped as in URLs, JSON or web pages. So is any value that is named like a secret. All are searched for in the original text and then replaced at
 * once, so that hiding one never leaves a piece of another. The time is linear in the text, whatever the secrets look
 * like.
 */
export function createMask(secrets: readonly string[]): Mask {
  const known = new Map<string, SecretPatterns>();
  const tokens = new Map<string, SecretPatterns>();
  let search = searchFor([]);
  // A secret that could not be added would not be hidden, so from then on whole texts are hidden.
  let isBroken = false;

  function add(secret: string): void {
    failClosed(() => {
      if (secret !== '') known.set(secret, known.get(secret) ?? patternsOf(secret));
    });
  }

  function addToken(token: string): void {
    failClosed(() => {
      if (token === '') return;
      const patterns = tokens.get(token) ?? patternsOf(token);
      tokens.delete(token);
      tokens.set(token, patterns);
      forgetOldest();
    });
  }

  function forgetOldest(): void {
    const sizes = new Map([...tokens].map(([token, patterns]) => [token, sizeOf(patterns)]));
    let total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [token, size] of sizes) {
      const isTooMuch = tokens.size > MOST_TOKENS || total > MOST_TOKEN_CHARACTERS;
      if (!isTooMuch || tokens.size <= FEWEST_TOKENS) return;
      tokens.delete(token);
      total -= size;
    }
  }

  function failClosed(work: () => void): void {
    try {
      work();
      search = searchFor([...known.values(), ...tokens.values()]);
    } catch {
      isBroken = true;
    }
  }

  function mask(text: string): string {
    if (isBroken) return UNCHECKED;
    try {
      const found = [...search.anywhere(text), ...search.values(text), ...valuesIn(text, NAMED)];
      if (found.length === 0) return text;
      const masked = replaceSpans(text, found, HIDDEN);
      // A secret of asterisks may be formed by the marks and their neighbours.
      return search.anywhere(masked).length === 0 ? masked : UNCHECKED;
    } catch {
      return UNCHECKED;
    }
  }

  function holds(text: string): boolean {
    return isBroken || search.anywhere(text).length > 0 || search.isShort(text);
  }

  for (const secret of secrets) add(secret);
  return Object.assign(mask, { holds, add, addToken });
}

/** A secret in its forms. */
interface SecretPatterns {
  readonly secret: string;
  readonly forms: readonly SecretPattern[];
  /** In small hex digits. */
  readonly hex: SecretPattern;
}

function patternsOf(secret: string): SecretPatterns {
  return { secret, forms: formsOf(secret).map(createPattern), hex: createPattern(hexForm(secret)) };
}

function sizeOf({ forms, hex }: SecretPatterns): number {
  return [hex, ...forms].reduce((sum, { text }) => sum + text.length, 0);
}

function searchFor(all: readonly SecretPatterns[]) {
  const long = all.filter(({ secret }) => secret.length >= SHORTEST_ANYWHERE);
  const short = all.filter(({ secret }) => secret.length < SHORTEST_ANYWHERE).map(({ secret }) => secret);
  const forms = long.flatMap((each) => each.forms);
  const escaped = createEscapedSearch(forms);
  const inHex = createHexSearch(long.map(({ hex }) => hex));
  const shortForms = short.flatMap(plainForms);
  const shortValue = short.length === 0 ? undefined : shortPattern(shortForms);
  const escapedShort = createEscapedSearch(shortForms.map((text) => ({ text, shortest: text.length })));
  return {
    anywhere: (text: string): Span[] => [
      ...forms.flatMap((form) => spansOf(text, form)),
      ...escaped(text),
      ...inHex(text),
    ],
    values: (text: string): Span[] =>
      shortValue === undefined
        ? []
        : [...valuesIn(text, shortValue), ...escapedShort(text).filter((span) => isValue(text, span))],
    isShort: (text: string): boolean => short.includes(text),
  };
}

/** Length of the beginnings by which secrets in hex digits are looked for. */
const HEX_BEGINNING = 2 * SHORTEST_ANYWHERE;

function createHexSearch(patterns: readonly SecretPattern[]): (text: string) => Span[] {
  const beginnings = new Set(patterns.map(({ text }) => text.slice(0, HEX_BEGINNING)));
  const begins = new RegExp([...beginnings].join('|'), 'i');
  return (text) => {
    if (patterns.length === 0 || !begins.test(text)) return [];
    const small = text.replace(/[A-F]+/g, (digits) => digits.toLowerCase());
    return patterns.flatMap((pattern) => spansOf(small, pattern));
  };
}

/** Spans of the values that the second group of a pattern matches. */
function valuesIn(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ index, 1: before = '', 2: value = '' }) => ({
    start: index + before.length,
    end: index + before.length + value.length,
  }));
}

const BEFORE_VALUE = '(?<=[=:]\\s*["\']?)';
const AFTER_VALUE = '(?=["\'&\\s,;}\\]]|$)';

/** One expression for all short secrets, which are few. */
function shortPattern(forms: readonly string[]): RegExp {
  const alternatives = [...new Set(forms)]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|');
  return new RegExp(`(${BEFORE_VALUE})(${alternatives})${AFTER_VALUE}`, 'g');
}

function isValue(text: string, { start, end }: Span): boolean {
  const [before, after] = [new RegExp(BEFORE_VALUE, 'y'), new RegExp(AFTER_VALUE, 'y')];
  before.lastIndex = start;
  after.lastIndex = end;
  return before.test(text) && after.test(text);
}
