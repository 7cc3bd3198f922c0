/** One item of JSON as it lies in the file. */
export interface Item {
  /** Its bytes; where it is too long to hold, the first of them. */
  readonly bytes: Buffer;
  readonly tooLong: boolean;
  readonly start: ItemPlace;
}

/** Where a byte lies in a file. */
export interface ItemPlace {
  readonly offset: number;
  readonly line: number;
  /** Offset at which that line begins. */
  readonly lineStart: number;
}

/** Bytes to items, whatever the chunks. */
export interface ItemSplitter {
  /** Hands over the items that `chunk` completes. With `end` nothing may follow. Throws RunStopped. */
  feed(chunk: Buffer, end: boolean): void;
}

/** What is kept of an item that is too long to hold. */
const KEPT_BYTES = 1000;

/** Bytes that are gathered until they are whole, as long as they are few enough. */
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
      // Copied, so that what a cut item is shown by does not keep megabytes in memory.
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

/** Blanks between the tokens of JSON. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
