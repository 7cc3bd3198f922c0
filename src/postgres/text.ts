import { createHash } from 'node:crypto';

/** Begins an escape, which is itself followed by four hexadecimal digits. No source has it but by damage. */
const ESCAPE = '\u001a';

/** Characters that text of Postgres cannot hold: U+0000, and halves of surrogate pairs. */
const UNFIT = /[\0\u001a\p{Surrogate}]/gu;

const ESCAPED = /\u001a([0-9a-f]{4})/g;

/**
 * Escapes what Postgres cannot hold as text. Every key, identifier, code, field and message is written in this form, and
 * searched in it. JSON needs none: it has its own escapes.
 */
export function storedText(text: string): string {
  if (text.search(UNFIT) < 0) return text;
  return text.replace(UNFIT, (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** Longest key that is indexed as it is: an index of Postgres takes 2,704 bytes, and a character may have four. */
export const INDEXED_LENGTH = 600;

/** A key as `identity` has it. A longer one is found by its hash. */
export function indexedKey(key: string): string {
  const stored = storedText(key);
  if (stored.length <= INDEXED_LENGTH) return stored;
  return `${ESCAPE}sha256:${createHash('sha256').update(stored).digest('hex')}`;
}

/** Undoes `storedText`. */
export function loadedText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replace(ESCAPED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

export function storedOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storedText(text);
}

/** Undoes `storedText` in these columns of a line. */
export function loadedLine<Line extends object>(line: Line, columns: readonly (keyof Line & string)[]): Line {
  let loaded: Line | undefined;
  for (const column of columns) {
    const value = line[column];
    if (typeof value !== 'string' || !value.includes(ESCAPE)) continue;
    loaded ??= { ...line };
    Object.assign(loaded, { [column]: loadedText(value) });
  }
  return loaded ?? line;
}
