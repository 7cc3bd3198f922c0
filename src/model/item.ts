import type { Json } from './operation.ts';

/** Seldom true of what is no number: ids in quotes are full of digits. */
const LONG_NUMBER = /(?:^|[[:,\s])-?\d(?:\d{15}|[\d.]*[eE]\+?\d{3})/;
/** Where neither is found there is no long number behind the first character. Both together take half the time. */
const LONG_DIGITS = /[[:,\s]-?\d{16}/;
const LARGE_EXPONENT = /\d\.?[eE]\+?\d{3}/;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON as others wrote it: whole numbers that a double would round, and those that it cannot hold, become text. They are
 * identifiers, and where a number is needed, their digits are named. Throws SyntaxError.
 */
export function parseItem(text: string, reviver?: (name: string, value: unknown) => unknown): Json {
  return JSON.parse(hasLongNumber(text) ? withLongNumbers(text) : text, reviver) as Json;
}

function hasLongNumber(text: string): boolean {
  const mayHave = LONG_DIGITS.test(text) || LARGE_EXPONENT.test(text) || !/^\s*[[{"]/.test(text);
  return mayHave && LONG_NUMBER.test(text);
}

/** Whether the whole part of a plain number such as `-12.50` is not what a double would say of it. */
export function losesDigits(text: string): boolean {
  const value = Number(text);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  return !Number.isFinite(value) || wholeIn(value) !== BigInt(text.replace(/\..*$/, ''));
}

/** A large number with the digits that it is written with: `1.2e+25` has noughts behind them. */
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
