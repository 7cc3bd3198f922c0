import { writeFileSync } from 'node:fs';

/**
 * Writes a file of `count` valid products; returns their references, which begin with `prefix`. `padding`: characters that
 * each row has besides.
 */
export function writeProducts(file: string, count: number, prefix = 'ref', padding = 0): string[] {
  const references = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  const more = padding > 0 ? `,${'x'.repeat(padding)}` : '';
  const lines = references.map((reference, n) => `Product ${n},${reference},${n}${more}`);
  const header = `name,reference,price.salePrice${more && ',description'}`;
  writeFileSync(file, `${header}\n${lines.join('\n')}\n`);
  return references;
}

/** Random numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
