import { basename } from 'node:path';
import type { Json, Row } from '../model/index.ts';
import type { Place } from './context.ts';
import type { Path } from './document.ts';
import type { Scope } from './scope.ts';

/** A name in braces is no column: a part of a list, what a column's name says, or something about the row. */
const REFERENCE = /^\{([^{}]+)\}$/;

/** `{foo.{a}}`: it would be filled like the name of a column, and then be none. */
const NESTED = /^\{[^{}]*(?:\{[^{}]*\}[^{}]*)+\}$/;

/** What is in the braces; undefined for a column. */
export function referred(name: string): string | undefined {
  return REFERENCE.exec(name)?.[1];
}

/** A name in braces must mean something; without it, it would be a column that no file has. */
export function refuseUnknownReference(
  { document, refers }: Pick<Place, 'document' | 'refers'>,
  name: string,
  path: Path,
): void {
  const inner = referred(name);
  if (refers && NESTED.test(name))
    document.complain(
      path,
      `${name} has braces inside braces, which mean nothing. A part of a list has a fixed key, such as {part.key}; for a key that varies, use an expression.`,
    );
  if (refers && inner !== undefined && !refers(inner))
    document.complain(
      path,
      `{${inner}} means nothing here: braces are for the parts of a list with each, for what stands in the gap of a column's name, {row number} and {file name}.`,
    );
}

/** Reads one text out of a row, and notes in the scope where it was read. */
export type ReadText = (scope: Scope, row: Row) => string;

/** What every row can tell of itself. */
export const ABOUT_ROWS: Readonly<Record<string, (row: Row) => string>> = {
  'row number': ({ row }) => String(row),
  'file name': ({ table }) => basename(table.file),
};

/** `{row number}`, `{file name}`; undefined for another name. */
export function aboutRow(inner: string): ReadText | undefined {
  const about = Object.hasOwn(ABOUT_ROWS, inner) ? ABOUT_ROWS[inner] : undefined;
  if (!about) return undefined;
  return (scope, row) => {
    scope.at = { row, column: -1 };
    return about(row);
  };
}

/** The part of a list that is being worked on. */
export interface Part {
  item: Json;
  /** From 1 on. */
  number: number;
  /** Where the text that it was cut from was read. */
  at: Scope['at'];
}

/** Whether a name in braces means a part that is called `part`: itself, its number, or what it has under a key. */
export function meansPart(inner: string, part: string): boolean {
  return inner === part || inner === `${part}#` || inner.startsWith(`${part}.`);
}

/** `{part}`, `{part#}` or `{part.key}` as text. */
export function readPart(part: Part, name: string, inner: string): ReadText {
  const found = (): Json | undefined => {
    if (inner === `${name}#`) return part.number;
    return inner === name ? part.item : under(part.item, inner.slice(name.length + 1));
  };
  return (scope) => {
    const text = textOf(found());
    if (text !== '') scope.at = { ...part.at };
    return text;
  };
}

/** A key with dots in it is a key first, and a path else. */
function under(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, key)) return (value as Record<string, Json>)[key];
  const dot = key.indexOf('.');
  if (dot < 0 || !Object.hasOwn(value, key.slice(0, dot))) return undefined;
  return under((value as Record<string, Json>)[key.slice(0, dot)], key.slice(dot + 1));
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
