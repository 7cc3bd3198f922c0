import { isUtf8 } from 'node:buffer';

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
      const cut = end ? 0 : cutLength(bytes);
      if (!isUtf8(bytes.subarray(0, bytes.length - cut))) suspects.bad = offset;
      // Copied, so that three bytes do not keep a chunk in memory.
      tail = Buffer.from(bytes.subarray(bytes.length - cut));
    },
  };
  return suspects;
}

/** Length of the incomplete character at the end of `bytes`: 0 to 3. */
function cutLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
