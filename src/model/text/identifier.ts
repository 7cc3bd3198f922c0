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
