import type { Json } from './operation.ts';

const LONG_NUMBER = /\d{16}/;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON as a source file has it: whole numbers that a double would round become text, since they are identifiers, and
 * nothing is counted with them. Throws SyntaxError.
 */
export function parseItem(text: string): Json {
  return JSON.parse(LONG_NUMBER.test(text) ? withLongNumbers(text) : text) as Json;
}

function withLongNumbers(text: string): string {
  return text.replace(TOKENS, (token) => {
    const isLong = /^-?[1-9]\d{15,}$/.test(token) && String(Number(token)) !== token;
    return isLong ? `"${token}"` : token;
  });
}
