import { isUtf8 } from 'node:buffer';
import { wholeCharacters } from '../bytes/bytes.ts';
import { mayBeDamaged } from '../traces.ts';

/**
 * Checks whole chunks for bytes that are not UTF-8, NUL bytes and traces of damage. The checks run at memory speed.
 * Only rows that begin before the offsets found here are examined one by one.
 */
export interface Suspects {
  look(chunk: Buffer, end: boolean): void;
  /** Rows that start before these offsets may contain bad bytes, NUL bytes, or damage from before the import. */
  readonly bad: number;
  readonly nul: number;
  readonly damaged: number;
}

/** One byte less than the longest trace. */
const SEAM = 4;

export function createSuspects(): Suspects {
  let offset = 0;
  /** The beginning of a character that a chunk border cuts in two. */
  let tail: Buffer = Buffer.alloc(0);
  /** The last bytes of the previous chunks, in which a trace across the chunk border may begin. */
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
