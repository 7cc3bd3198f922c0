import { basename } from 'node:path';
import type { Row } from '../model/index.ts';

/** `{…}` is a reference, not a column: to a part of a list, a gap in a column's name, or a fact about the row. */
const REFERENCE = /^\{([^{}]+)\}$/;

/** The text in the braces, or undefined for a column. */
export function referred(name: string): string | undefined {
  return REFERENCE.exec(name)?.[1];
}

/** References that every row can resolve. */
export const ABOUT_ROWS: Readonly<Record<string, (row: Row) => string>> = {
  'row number': ({ row }) => String(row),
  'file name': ({ table }) => basename(table.file),
};

/** True if a reference means the part called `part`: the part itself, its number, or a value under one of its keys. */
export function meansPart(inner: string, part: string): boolean {
  return inner === part || inner === `${part}#` || inner.startsWith(`${part}.`);
}
