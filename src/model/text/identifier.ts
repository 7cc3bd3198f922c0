import type { JsonObject } from '../json.ts';
import { noValueIn } from './no-value.ts';

/** Blanks, control characters and invisible characters. */
const NEVER = /[\s\p{C}]/u;

/**
 * Returns the reason that a text cannot be an identifier; undefined if it may be one. The check matters because an
 * identifier becomes part of the URL of an update. Expects trimmed text.
 */
export function identifierFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (noValueIn(text) !== undefined) return 'programs write this for a missing value';
  return NEVER.test(text) ? 'it contains blanks or invisible characters' : undefined;
}

/** Returns the identifier of a list item as text, since some stores use numbers. */
export function itemIdentifier(item: JsonObject, field: string | undefined): string | undefined {
  const value = field === undefined ? undefined : item[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Normalises a key for comparison: Unicode NFC, trimmed. */
export function normalisedKey(key: string): string {
  return key.normalize('NFC').trim();
}

/**
 * Normalises a key, and lowercases it if it is a mail address, since capitals there reach the same person. Lowercases
 * ASCII only, as SQLite does.
 */
export function mailKey(key: string): string {
  const normalised = normalisedKey(key);
  return normalised.includes('@')
    ? normalised.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : normalised;
}

/** A phone number with the code of its country. */
const INTERNATIONAL = /^(?:\+|00)[\d\s()./\u2010-\u2013-]+$/;

/**
 * Normalises the key of a person within a run: a mail address as `mailKey` does, and a phone number with the code of its
 * country to E.164, since it is one number in all spellings: `+1 (415) 555-1234` and `0014155551234`. Other numbers stay as
 * they are: their country is not known.
 */
export function contactKey(key: string): string {
  const normalised = mailKey(key);
  if (!INTERNATIONAL.test(normalised)) return normalised;
  // The zero in +49 (0)351 is dialled only inside the country.
  const digits = normalised.replace(/^00/, '').replace('(0)', '').replace(/\D/g, '');
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS ? `+${digits}` : normalised;
}

/** E.164 has at most 15 digits; the shortest numbers with a country code have 7. */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
