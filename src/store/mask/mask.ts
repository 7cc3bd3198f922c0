import { HIDDEN } from '../../model/index.ts';
import { formsOf, SHORTEST_ANYWHERE, textFormsOf } from './secret-forms.ts';
import { createPattern, replaceSpans, type SecretPattern, type Span, spansOf } from './spans.ts';

/** Replaces secrets in text that leaves the program. Never throws: text that cannot be checked is hidden as a whole. */
export interface Mask {
  (text: string): string;
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
 * Creates a mask for the given secrets. Each is replaced anywhere in a text, plain, percent-encoded, escaped or as
 * base64. So is any value that is named like a secret. All are searched for in the original text and then replaced at
 * once, so that hiding one never leaves a piece of another. The time is linear in the text, whatever the secrets look
 * like.
 */
export function createMask(secrets: readonly string[]): Mask {
  const known = new Map<string, readonly SecretPattern[]>();
  const tokens = new Map<string, readonly SecretPattern[]>();
  let patterns: readonly SecretPattern[] = [];
  let short: RegExp | undefined;
  // A secret that could not be added would not be hidden, so from then on whole texts are hidden.
  let isBroken = false;

  function take(secret: string, into: Map<string, readonly SecretPattern[]>): void {
    into.set(secret, secret.length < SHORTEST_ANYWHERE ? [] : formsOf(secret).map(createPattern));
    if (secret.length < SHORTEST_ANYWHERE) short = shortPattern([...known.keys(), ...tokens.keys()]);
  }

  function add(secret: string): void {
    failClosed(() => {
      if (secret !== '' && !known.has(secret)) take(secret, known);
    });
  }

  function addToken(token: string): void {
    failClosed(() => {
      if (token === '') return;
      const patterns = tokens.get(token);
      tokens.delete(token);
      if (patterns) tokens.set(token, patterns);
      else take(token, tokens);
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
      patterns = [...known.values(), ...tokens.values()].flat();
    } catch {
      isBroken = true;
    }
  }

  function knownSpans(text: string): Span[] {
    return patterns.flatMap((pattern) => spansOf(text, pattern));
  }

  function mask(text: string): string {
    if (isBroken) return UNCHECKED;
    try {
      const found = knownSpans(text);
      const values = [...valuesIn(text, NAMED), ...(short ? valuesIn(text, short) : [])];
      if (found.length === 0 && values.length === 0) return text;
      const masked = replaceSpans(text, [...found, ...values], HIDDEN);
      // A secret of asterisks may be formed by the marks and their neighbours.
      return knownSpans(masked).length === 0 ? masked : UNCHECKED;
    } catch {
      return UNCHECKED;
    }
  }

  for (const secret of secrets) add(secret);
  return Object.assign(mask, { add, addToken });
}

function sizeOf(patterns: readonly SecretPattern[]): number {
  return patterns.reduce((sum, { text }) => sum + text.length, 0);
}

/** Spans of the values that the second group of a pattern matches. */
function valuesIn(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ index, 1: before = '', 2: value = '' }) => ({
    start: index + before.length,
    end: index + before.length + value.length,
  }));
}

/** One expression for all short secrets, which are few. */
function shortPattern(secrets: readonly string[]): RegExp {
  const forms = secrets.filter(({ length }) => length < SHORTEST_ANYWHERE).flatMap(textFormsOf);
  const alternatives = [...new Set(forms)]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|');
  return new RegExp(`((?<=[=:]\\s*["']?))(${alternatives})(?=["'&\\s,;}\\]]|$)`, 'g');
}
