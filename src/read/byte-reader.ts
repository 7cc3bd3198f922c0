import { type Bytes, NO_BYTES } from './bytes.ts';

/** Takes bytes from chunks as a format needs them, and gives back what it does not. */
export interface ByteReader {
  /** Bytes that were taken so far. */
  readonly position: number;
  /** Some bytes; undefined at the end. */
  next(): Promise<Buffer | undefined>;
  /** `length` bytes, or as many as there are. */
  upTo(length: number): Promise<Buffer>;
  /** Exactly `length` bytes; undefined if the input ends before. */
  take(length: number): Promise<Buffer | undefined>;
  /** The last bytes that were taken come again. */
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
