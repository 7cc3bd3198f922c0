import { basename } from 'node:path';
import type { Row } from '../model/index.ts';

/** A name in braces is no column: a part of a list, what a column's name says, or something about the row. */
const REFERENCE = /^\{([^{}]+)\}$/;

/** What is in the braces; undefined for a column. */
export function referred(name: string): string | undefined {
  return REFERENCE.exec(name)?.[1];
}

/** What every row can tell of itself. */
export const ABOUT_ROWS: Readonly<Record<string, (row: Row) => string>> = {
  'row number': ({ row }) => String(row),
  'file name': ({ table }) => basename(table.file),
};

/** Whether a name in braces means a part that is called `part`: itself, its number, or what it has under a key. */
export function meansPart(inner: string, part: string): boolean {
  return inner === part || inner === `${part}#` || inner.startsWith(`${part}.`);
}
