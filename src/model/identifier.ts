import { noValueIn } from './no-value.ts';
import type { JsonObject } from './operation.ts';

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
