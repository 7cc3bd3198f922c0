import { isOwnColumn, type Json, type JsonObject, parseItem } from '../model/index.ts';
import { findFault } from './json-fault.ts';
import { type IssueText, quoting } from './messages.ts';

/** The only column of a JSON file. */
export const ITEM_COLUMN = 'json';

/** Limits nesting: no shop exports deeper objects, and later code may walk them recursively. */
const MAX_DEPTH = 100;

/** True for a table whose rows are JSON items: an errors.csv of a JSON file, which also has the tool's own columns. */
export function isItemHeader(header: readonly string[]): boolean {
  const own = header.filter((name) => !isOwnColumn(name));
  return own.length === 1 && own[0] === ITEM_COLUMN;
}

/** Returns the text of the item in a row. */
export function itemIn(header: readonly string[], cells: readonly string[]): string {
  return cells[header.findIndex((name) => !isOwnColumn(name))] ?? '';
}

export type CheckedItem =
  | { readonly value: JsonObject; readonly problem?: never }
  | { readonly value?: never; readonly problem: IssueText };

/** Parses an item, or says why it is not one. `placeOf` describes the position of a character in words. */
export function checkItem(text: string, placeOf: (at: number) => string): CheckedItem {
  let value: Json;
  try {
    value = parseItem(text);
  } catch {
    return { problem: notJson(text, placeOf) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: notAnObject(value, text) };
  if (isDeeper(value, MAX_DEPTH))
    return {
      problem: {
        code: 'json-too-deep',
        message: `This item has objects or lists inside each other more than ${MAX_DEPTH} deep. Export it flatter.`,
      },
    };
  if (text.includes(NUL_ESCAPE) && HOLDS_NUL.test(text))
    return {
      problem: {
        code: 'nul-byte',
        message: 'This item holds a NUL character (\\u0000), which no text has. Remove it.',
      },
    };
  return { value };
}

/** The escaped form. An unescaped NUL is not valid JSON. */
const NUL_ESCAPE = '\\u0000';
const HOLDS_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

function notJson(text: string, placeOf: (at: number) => string): IssueText {
  const { at, expected } = findFault(text);
  const ends = at >= text.length;
  const place = placeOf(at);
  return {
    code: 'bad-json',
    ...quoting(
      text.slice(at),
      (found) =>
        `This item is not JSON: at ${place} ${expected} is expected, and ${ends ? 'it ends there' : `there is ${found}`}. Correct it, or export the file again.`,
    ),
  };
}

function notAnObject(value: Json, text: string): IssueText {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  return {
    code: 'not-an-object',
    ...quoting(
      text,
      (found) =>
        `This item is ${kind}, ${found}, not an object such as {"name": "Mug"}: it has no fields to read.`,
    ),
  };
}

function isDeeper(value: Json, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  for (const key in value) if (isDeeper((value as JsonObject)[key] as Json, most - 1)) return true;
  return false;
}
