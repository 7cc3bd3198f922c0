import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBitSet } from '../../../src/pipeline/prepare/bitset.ts';

test('a bitset has exactly the numbers that were added', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50_000 })), fc.nat({ max: 60_000 }), (added, asked) => {
      const seqs = createBitSet();
      for (const seq of added) seqs.add(seq);
      expect(added.every(seqs.has)).toBe(true);
      expect(seqs.has(asked)).toBe(added.includes(asked));
    }),
  );
});

test('a bitset finds the first number that is missing', () => {
  const seqs = createBitSet();
  for (let seq = 5; seq < 20_000; seq++) if (seq !== 12_345) seqs.add(seq);
  expect([seqs.firstAbsent(0), seqs.firstAbsent(5), seqs.firstAbsent(12_346)]).toEqual([0, 12_345, 20_000]);
});
