import { type Bytes, NO_BYTES } from './bytes.ts';

/** Reads bytes in the portions that a format needs, independent of chunk borders. */
export interface ByteReader {
  /** Number of bytes taken so far. */
  readonly position: number;
  /** Returns the rest of a chunk, at least one byte; undefined at the end. */
  next(): Promise<Buffer | undefined>;
  /** Returns `length` bytes, or fewer if the input ends. */
  upTo(length: number): Promise<Buffer>;
  /** Returns exactly `length` bytes; undefined if the input ends before. */
  take(length: number): Promise<Buffer | undefined>;
  /** Puts back the last bytes that were taken, so that they are read again. */
  giveBack(bytes: Buffer): void;
}

export function byteReader(input: Bytes): ByteReader {
  let rest: Buffer = NO_BYTES;
  let position = 0;

  async function next(): Promise<Buffer | undefined> {
    while (rest.length === 0) {
      const { value, done } = await input.next();
      if (done === true) return undefined;
      rest = value;
    }
    const bytes = rest;
    rest = NO_BYTES;
    position += bytes.length;
    return bytes;
  }

  function giveBack(bytes: Buffer): void {
    rest = rest.length === 0 ? bytes : Buffer.concat([bytes, rest]);
    position -= bytes.length;
  }

  async function upTo(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      const bytes = await next();
      if (bytes === undefined) break;
      parts.push(bytes.subarray(0, missing));
      if (bytes.length > missing) giveBack(bytes.subarray(missing));
      missing -= Math.min(missing, bytes.length);
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  return {
    get position() {
      return position;
    },
    next,
    giveBack,
    upTo,
    async take(length) {
      const bytes = await upTo(length);
      return bytes.length === length ? bytes : undefined;
    },
  };
}
