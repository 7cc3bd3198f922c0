import type { JsonObject } from '../json.ts';
import { noValueIn } from './no-value.ts';

/** Blanks inside, control characters, and characters that nobody sees. */
const NEVER = /[\s\p{C}]/u;

/**
 * Why a text cannot be the identifier of any record: it would go into the address of an update. Undefined where it may be
 * one. Expects text without blanks around it.
 */
export function identifierFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (noValueIn(text) !== undefined) return 'programs write this where there is nothing';
  return NEVER.test(text) ? 'it has blanks or invisible characters in it' : undefined;
}

/** The identifier of an item of a list, as text: some stores number their items. */
export function itemIdentifier(item: JsonObject, field: string | undefined): string | undefined {
  const value = field === undefined ? undefined : item[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Keys are compared after Unicode normalisation and trimming. */
export function normalisedKey(key: string): string {
  return key.normalize('NFC').trim();
}

/** A mail address in other capitals reaches the same person: a key that is one is compared in small letters. ASCII only, as SQLite does. */
export function mailKey(key: string): string {
  const normalised = normalisedKey(key);
  return normalised.includes('@')
    ? normalised.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : normalised;
}
