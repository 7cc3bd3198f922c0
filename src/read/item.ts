import {
  isOwnColumn,
  JSON_LIMIT_WORDS,
  type Json,
  JsonLimitError,
  type JsonObject,
  parseItem,
  restore,
} from '../model/index.ts';
import { findFault } from './json-fault.ts';
import { type IssueText, quoting } from './messages.ts';

/** The only column of a JSON file. */
export const ITEM_COLUMN = 'json';

/** True for a table whose rows are JSON items: an errors.csv of a JSON file, which also has the tool's own columns. */
export function isItemHeader(header: readonly string[]): boolean {
  const own = header.filter((name) => !isOwnColumn(name));
  return own.length === 1 && own[0] === ITEM_COLUMN;
}

/** Returns the text of the item in a row: of a JSON file, or of a report on one. */
export function itemIn(header: readonly string[], cells: readonly string[]): string {
  return restore(cells[header.findIndex((name) => !isOwnColumn(name))] ?? '');
}

export type CheckedItem =
  | { readonly value: JsonObject; readonly problem?: never }
  | { readonly value?: never; readonly problem: IssueText };

/** Parses an item, or says why it is not one. `placeOf` describes the position of a character in words. */
export function checkItem(text: string, placeOf: (at: number) => string): CheckedItem {
  let value: Json;
  try {
    value = parseItem(text);
  } catch (error) {
    return {
      problem: error instanceof JsonLimitError ? beyondLimit(error) : notJson(text, placeOf),
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: notAnObject(value, text) };
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

function beyondLimit({ limit }: JsonLimitError): IssueText {
  const words = `This item ${JSON_LIMIT_WORDS[limit]}.`;
  return limit === 'depth'
    ? { code: 'json-too-deep', message: `${words} Export it flatter.` }
    : { code: 'json-too-large', message: `${words} Export it as several items.` };
}

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
