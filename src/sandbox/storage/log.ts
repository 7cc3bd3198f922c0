import type { CreatedCollection } from './ids.ts';

/** Place of a text in the log, in bytes. */
export interface LogPlace {
  readonly offset: number;
  readonly length: number;
}

/** Append-only log of all versions of all records. */
export interface RecordLog {
  /** Stores the JSON text of a record before its request is answered. */
  append(collection: CreatedCollection, position: number, text: string): LogPlace;
  read(place: LogPlace): string;
  close(): void;
}

/** Records share buffers of this size, so that a million records are few objects for the garbage collector. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** Creates a log in memory, outside of the JavaScript heap. */
export function memoryLog(): RecordLog {
  const buffers: Buffer[] = [];
  let used = BUFFER_BYTES;

  return {
    append(_collection, _position, text) {
      const bytes = Buffer.byteLength(text);
      if (bytes > BUFFER_BYTES) {
        // A larger text gets a buffer of its own, and the next text a new one.
        buffers.push(Buffer.from(text));
        used = BUFFER_BYTES;
        return { offset: (buffers.length - 1) * BUFFER_BYTES, length: bytes };
      }
      if (used + bytes > BUFFER_BYTES) {
        buffers.push(Buffer.allocUnsafeSlow(BUFFER_BYTES));
        used = 0;
      }
      const offset = (buffers.length - 1) * BUFFER_BYTES + used;
      used += (buffers.at(-1) as Buffer).write(text, used);
      return { offset, length: bytes };
    },
    read({ offset, length }) {
      const start = offset % BUFFER_BYTES;
      return (buffers[Math.floor(offset / BUFFER_BYTES)] as Buffer).toString('utf8', start, start + length);
    },
    close: () => {},
  };
}
