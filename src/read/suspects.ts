import { isUtf8 } from 'node:buffer';
import { wholeCharacters } from './utf8.ts';

/**
 * Looks at whole chunks for what a row must be told about: bytes that are not UTF-8, and NUL bytes. Both
 * checks run at memory speed; only rows that begin before the offsets found here are looked at one by one.
 */
export interface Suspects {
  look(chunk: Buffer, end: boolean): void;
  /** Rows that start before these offsets may hold bad bytes, or NUL bytes. */
  readonly bad: number;
  readonly nul: number;
}

export function createSuspects(): Suspects {
  let offset = 0;
  /** The beginning of a character that a chunk border cuts in two. */
  let tail: Buffer = Buffer.alloc(0);
  const suspects = {
    bad: 0,
    nul: 0,
    look(chunk: Buffer, end: boolean): void {
      offset += chunk.length;
      if (chunk.includes(0)) suspects.nul = offset;
      const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
      const whole = end ? bytes : wholeCharacters(bytes);
      if (!isUtf8(whole)) suspects.bad = offset;
      // Copied, so that three bytes do not keep a chunk in memory.
      tail = Buffer.from(bytes.subarray(whole.length));
    },
  };
  return suspects;
}
