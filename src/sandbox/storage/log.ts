import type { CreatedCollection } from '../ids.ts';

/** Where a text lies: bytes. */
export interface LogPlace {
  readonly offset: number;
  readonly length: number;
}

/** Every version of every record, one behind the other. Nothing is ever taken back. */
export interface RecordLog {
  /** Keeps the JSON text of a record; whoever is answered after this finds it again. */
  append(collection: CreatedCollection, position: number, text: string): LogPlace;
  read(place: LogPlace): string;
  close(): void;
}

/** Many records share a piece of memory, so that the garbage collector has nothing to do with a million of them. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** In memory, outside of the JavaScript heap. */
export function memoryLog(): RecordLog {
  const pieces: Buffer[] = [];
  let used = PIECE_BYTES;

  return {
    append(_collection, _position, text) {
      const bytes = Buffer.byteLength(text);
      if (bytes > PIECE_BYTES) {
        // Larger than a piece: one of its own, behind which the next begins a new one.
        pieces.push(Buffer.from(text));
        used = PIECE_BYTES;
        return { offset: (pieces.length - 1) * PIECE_BYTES, length: bytes };
      }
      if (used + bytes > PIECE_BYTES) {
        pieces.push(Buffer.allocUnsafeSlow(PIECE_BYTES));
        used = 0;
      }
      const offset = (pieces.length - 1) * PIECE_BYTES + used;
      used += (pieces.at(-1) as Buffer).write(text, used);
      return { offset, length: bytes };
    },
    read({ offset, length }) {
      const start = offset % PIECE_BYTES;
      return (pieces[Math.floor(offset / PIECE_BYTES)] as Buffer).toString('utf8', start, start + length);
    },
    close: () => {},
  };
}
