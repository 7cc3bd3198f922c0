import type { JsonObject } from '../json.ts';

/** Messages show this in place of a secret. */
export const HIDDEN = '***';

/** True for the path of a secret field or of a field in it, such as `password`. */
export function isSecretPath(path: string, secret: readonly string[]): boolean {
  return secret.includes(path.split('.')[0] ?? '');
}

/** Shorter values would blank out ordinary words: they are hidden only where they are quoted. */
const SHORTEST_ANYWHERE = 4;

/** The text without the values that these fields of a payload have, such as a customer's password. */
export function hideValues(text: string, payload: JsonObject, fields: readonly string[]): string {
  let hidden = text;
  for (const field of fields) {
    const value = payload[field];
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') continue;
    const plain = String(value);
    for (const form of new Set([plain, JSON.stringify(plain).slice(1, -1)]))
      hidden =
        form.length < SHORTEST_ANYWHERE
          ? hidden.replaceAll(`"${form}"`, `"${HIDDEN}"`)
          : hidden.replaceAll(form, HIDDEN);
  }
  return hidden;
}

/** The text of a complaint about such a field, which may quote a cell that no payload has. */
export function hideQuotes(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, HIDDEN);
}
