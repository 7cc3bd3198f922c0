import { basename } from 'node:path';
import type { Row } from '../model/index.ts';

/**
 * `{…}` is a reference, not a column: to a part of a list, to the text in a gap of a header (`{Weight.unit}`), or to a
 * fact about the row.
 */
const REFERENCE = /^\{([^{}]+)\}$/;

/** The text in the braces, or undefined for a column. */
export function referred(name: string): string | undefined {
  return REFERENCE.exec(name)?.[1];
}

/** References that every row can resolve, with their texts. */
export const ABOUT_ROWS: Readonly<Record<string, (row: Row) => string>> = {
  'row number': ({ row }) => String(row),
  'file name': ({ table }) => basename(table.file),
};

/** True for the part itself (`image`), its number (`image#`), or a value at one of its keys (`image.src`). */
export function meansPart(inner: string, part: string): boolean {
  return inner === part || inner === `${part}#` || inner.startsWith(`${part}.`);
}
