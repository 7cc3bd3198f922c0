/**
 * Which keys a run has met, and in which row first: 12 bytes a slot, at most three quarters full. Keys themselves
 * are not held, but 64-bit fingerprints of them: among a million keys the chance that any two share one is about
 * one in 40 million.
 */
export interface KeyIndex {
  /** The row where this key stood before, or undefined and the key is now known to stand in `row`. */
  claim(key: string, row: number): number | undefined;
}

export function createKeyIndex(): KeyIndex {
  let size = 1024;
  let used = 0;
  let low = new Uint32Array(size);
  let high = new Uint32Array(size);
  let rows = new Uint32Array(size);

  /** Slot that holds the fingerprint, or the free one where it belongs. Row 0 marks a free slot. */
  const slotOf = (a: number, b: number): number => {
    let slot = a & (size - 1);
    while (rows[slot] !== 0 && (low[slot] !== a || high[slot] !== b)) slot = (slot + 1) & (size - 1);
    return slot;
  };
  const put = (a: number, b: number, row: number) => {
    const slot = slotOf(a, b);
    low[slot] = a;
    high[slot] = b;
    rows[slot] = row;
  };
  const grow = () => {
    const before = { low, high, rows };
    size *= 2;
    low = new Uint32Array(size);
    high = new Uint32Array(size);
    rows = new Uint32Array(size);
    before.rows.forEach((row, slot) => {
      if (row !== 0) put(before.low[slot] as number, before.high[slot] as number, row);
    });
  };

  return {
    claim(key, row) {
      const [a, b] = fingerprint(key);
      const slot = slotOf(a, b);
      const before = rows[slot];
      if (before) return before;
      put(a, b, row);
      if (++used > size * 0.75) grow();
      return undefined;
    },
  };
}

/** Two independent 32-bit lanes of multiply-and-rotate over UTF-16 units, each mixed at the end. */
function fingerprint(key: string): [number, number] {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index);
    a = Math.imul(a ^ unit, 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    b = Math.imul(b + unit, 0x1b873593);
    b = (b << 13) | (b >>> 19);
  }
  return [mix(a ^ key.length), mix(b ^ Math.imul(key.length, 0x27d4eb2f))];
}

function mix(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
