import type { LogPlace } from './log.ts';

/** Places in the log of the records of a collection, by position. They need 12 bytes a record. */
export interface Places {
  count(): number;
  at(position: number): LogPlace;
  /** Sets the place of the next position, or of an existing one. */
  set(position: number, place: LogPlace): void;
}

export function createPlaces(): Places {
  let offsets = new Float64Array(1024);
  let lengths = new Uint32Array(1024);
  let count = 0;

  return {
    count: () => count,
    at: (position) => ({ offset: offsets[position] as number, length: lengths[position] as number }),
    set(position, { offset, length }) {
      if (position === offsets.length) {
        const [before, beforeLengths] = [offsets, lengths];
        offsets = new Float64Array(position * 2);
        lengths = new Uint32Array(position * 2);
        offsets.set(before);
        lengths.set(beforeLengths);
      }
      offsets[position] = offset;
      lengths[position] = length;
      count = Math.max(count, position + 1);
    },
  };
}
