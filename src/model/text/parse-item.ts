import type { Json } from '../json.ts';
import { exceededLimit, JsonLimitError, MAX_JSON_DEPTH } from './json-limits.ts';

/** Strings and numbers. A run of plain characters is one step, since each step of a pattern takes memory. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON from other programs. Whole numbers that a double would round or cannot represent become text, since most
 * are identifiers. If a number is required, the message can then show all digits. Throws SyntaxError, also if the JSON
 * exceeds a limit.
 */
export function parseItem(text: string, reviver?: (name: string, value: unknown) => unknown): Json {
  const limit = exceededLimit(text);
  if (limit) throw new JsonLimitError(limit);
  const value = parsed(text, reviver);
  return hasLargeNumber(value) ? parsed(withLongNumbers(text), reviver) : value;
}

function parsed(text: string, reviver?: (name: string, value: unknown) => unknown): Json {
  try {
    return JSON.parse(text, reviver) as Json;
  } catch (error) {
    // A reviver is called for each level inside the one above it.
    throw error instanceof RangeError ? new JsonLimitError('depth') : error;
  }
}

/**
 * True if a number may have lost digits, which is possible only beyond the safe integers. Checking the values takes a
 * tenth of the parse time; searching the text for long numbers takes half of it. Throws JsonLimitError for deep nesting,
 * which JSON.parse accepts and this recursion does not.
 */
function hasLargeNumber(value: Json, depth = 0): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return false;
  if (depth === MAX_JSON_DEPTH) throw new JsonLimitError('depth');
  let found = false;
  if (Array.isArray(value)) {
    for (const item of value) if (hasLargeNumber(item, depth + 1)) found = true;
  } else {
    for (const name in value) if (hasLargeNumber(value[name] as Json, depth + 1)) found = true;
  }
  return found;
}

/** True if a double changes the whole part of a plain number such as `-12.50`, or cannot represent it. */
export function losesDigits(text: string): boolean {
  const value = Number(text);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  return !Number.isFinite(value) || wholeIn(value) !== BigInt(text.replace(/\..*$/, ''));
}

/** Converts a large whole number by the digits that JavaScript prints: `1.2e+25` is 12 and 24 zeros. */
function wholeIn(value: number): bigint {
  const [digits = '', exponent = ''] = String(value).split('e');
  if (exponent === '') return BigInt(digits);
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

function withLongNumbers(text: string): string {
  return text.replace(TOKENS, (token) => {
    if (!/^-?(?:[1-9]|0[.eE])/.test(token)) return token;
    const isPlain = !/[eE]/.test(token);
    return (isPlain ? losesDigits(token) : !Number.isFinite(Number(token))) ? `"${token}"` : token;
  });
}
