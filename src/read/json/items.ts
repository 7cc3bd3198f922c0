/** One JSON item, as its bytes are in the file. */
export interface Item {
  /** Its bytes; if it is too long to hold, only the first of them. */
  readonly bytes: Buffer;
  readonly tooLong: boolean;
  readonly start: ItemPlace;
}

/** The position of a byte in a file. */
export interface ItemPlace {
  readonly offset: number;
  readonly line: number;
  /** Offset at which that line begins. */
  readonly lineStart: number;
}

/** Splits bytes into items, independent of chunk borders. */
export interface ItemSplitter {
  /** Passes on the items that `chunk` completes. With `end` no chunk may follow. Throws RunStopped. */
  feed(chunk: Buffer, end: boolean): void;
}

/** Bytes kept of an item that is too long to hold. */
const KEPT_BYTES = 1000;

/** Buffers bytes until an item is complete, up to a limit. */
export interface Hold {
  add(part: Buffer): void;
  take(): Pick<Item, 'bytes' | 'tooLong'>;
}

export function createHold(maxBytes: number): Hold {
  let parts: Buffer[] = [];
  let length = 0;
  return {
    add(part) {
      const wasTooLong = length > maxBytes;
      length += part.length;
      if (wasTooLong) return;
      parts.push(part);
      // Copied, so that the excerpt of a cut item does not keep megabytes in memory.
      if (length > maxBytes) parts = [Buffer.from(Buffer.concat(parts).subarray(0, KEPT_BYTES))];
    },
    take() {
      const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      const tooLong = length > maxBytes;
      parts = [];
      length = 0;
      return { bytes, tooLong };
    },
  };
}

/** True for blanks between JSON tokens. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
