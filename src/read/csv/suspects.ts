import { isUtf8 } from 'node:buffer';
import { wholeCharacters } from '../bytes/utf8.ts';
import { mayBeDamaged } from '../traces.ts';

/**
 * Looks at whole chunks for what a row must be told about: bytes that are not UTF-8, NUL bytes, and traces of damage. The
 * checks run at memory speed; only rows that begin before the offsets found here are looked at one by one.
 */
export interface Suspects {
  look(chunk: Buffer, end: boolean): void;
  /** Rows that start before these offsets may hold bad bytes, NUL bytes, or text that was damaged before it came here. */
  readonly bad: number;
  readonly nul: number;
  readonly damaged: number;
}

/** The longest trace is a byte longer. */
const SEAM = 4;

export function createSuspects(): Suspects {
  let offset = 0;
  /** The beginning of a character that a chunk border cuts in two. */
  let tail: Buffer = Buffer.alloc(0);
  /** What a trace of damage could have begun with that a chunk border cuts in two. */
  let seam: Buffer = Buffer.alloc(0);
  const suspects = {
    bad: 0,
    nul: 0,
    damaged: 0,
    look(chunk: Buffer, end: boolean): void {
      offset += chunk.length;
      if (chunk.includes(0)) suspects.nul = offset;
      if (mayBeDamaged(chunk) || mayBeDamaged(Buffer.concat([seam, chunk.subarray(0, SEAM)])))
        suspects.damaged = offset;
      const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
      const whole = end ? bytes : wholeCharacters(bytes);
      if (!isUtf8(whole)) suspects.bad = offset;
      // Copied, so that three bytes do not keep a chunk in memory.
      tail = Buffer.from(bytes.subarray(whole.length));
      seam = Buffer.from(Buffer.concat([seam, chunk.subarray(-SEAM)]).subarray(-SEAM));
    },
  };
  return suspects;
}
