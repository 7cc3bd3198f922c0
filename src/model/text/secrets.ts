import type { JsonObject } from '../json.ts';

/** Replacement for a secret in messages. */
export const HIDDEN = '***';

/** True for the path of a secret field, such as `password`, or of a field inside one. */
export function isSecretPath(path: string, secret: readonly string[]): boolean {
  return secret.includes(path.split('.')[0] ?? '');
}

/** Minimum length to hide a value everywhere. Shorter ones occur in ordinary words, so only quoted ones are hidden. */
const SHORTEST_ANYWHERE = 4;

/** Hides the values of these payload fields in a text, such as a customer's password. */
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

/** Hides quotes and numbers in a message about a secret field: it may quote a cell that is in no payload. */
export function hideQuotes(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, HIDDEN);
}

/** Names of columns whose cells must not be shown, in the languages of common exports. */
const SECRET_NAME =
  /pass(wor|wd|\b|_)|\bpwd|secret|token|kennwort|contrase|mot de passe|senha|wachtwoord|has[łl]o|парол|l[öo]sen|heslo|[şs]ifre|パスワード|密码|密碼/i;

/** True for the name of a column whose cells must not be shown to people. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The text of a cell as people may see it. */
export function shownCell(column: string, text: string): string {
  return isSecretName(column) ? HIDDEN : text;
}
