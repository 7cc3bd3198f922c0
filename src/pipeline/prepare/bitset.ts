/** A set of record numbers, with one bit for each: nearly all numbers of a run are in it. */
export interface BitSet {
  add(seq: number): void;
  has(seq: number): boolean;
  /** The first number from `from` on that is not in the set. */
  firstAbsent(from: number): number;
}

const FIRST_BYTES = 1024;

export function createBitSet(): BitSet {
  let bits = new Uint8Array(FIRST_BYTES);
  const has = (seq: number) => ((bits[seq >>> 3] ?? 0) & (1 << (seq & 7))) !== 0;
  return {
    add(seq) {
      const at = seq >>> 3;
      if (at >= bits.length) {
        const before = bits;
        bits = new Uint8Array(Math.max(at + 1, before.length * 2));
        bits.set(before);
      }
      bits[at] = (bits[at] ?? 0) | (1 << (seq & 7));
    },
    has,
    firstAbsent(from) {
      let seq = from;
      while (has(seq)) seq++;
      return seq;
    },
  };
}
