import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReturningKeys } from '../../src/group/index.ts';

/** Finds the keys that occur again after another one, in the simplest way. */
function returning(keys: readonly string[]): Set<string> {
  const begun = new Map<string, number>();
  keys.forEach((key, index) => {
    if (key !== '' && key !== keys[index - 1]) begun.set(key, (begun.get(key) ?? 0) + 1);
  });
  return new Set([...begun].filter(([, times]) => times > 1).map(([key]) => key));
}

test('finds exactly the keys that occur again after others', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd', 'e')), (seen) => {
      const keys = createReturningKeys();
      for (const key of seen) keys.see(key);
      const expected = returning(seen);
      expect(keys.found.size).toBe(expected.size);
      for (const key of 'abcde') expect(keys.found.has(key)).toBe(expected.has(key));
    }),
  );
});

test('treats two Unicode normal forms of a key as one key', () => {
  const keys = createReturningKeys();
  for (const key of ['caf\u00e9', 'cafe\u0301']) keys.see(key);
  expect(keys.found.has('café')).toBe(true);
});

test('handles 200,000 keys if every thousandth occurs again', () => {
  const keys = createReturningKeys();
  for (let n = 0; n < 200_000; n++) keys.see(`product-${n}`);
  for (let n = 0; n < 200_000; n += 1000) keys.see(`product-${n}`);
  expect(keys.found.size).toBe(200);
  expect(keys.found.has('product-5000')).toBe(true);
  expect(keys.found.has('product-5001')).toBe(false);
});
