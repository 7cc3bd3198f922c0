import fc from 'fast-check';
import { expect, test } from 'vitest';
import { removeUnordered } from '../../src/model/index.ts';

test('removes one item and keeps all others', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 0, max: 5 }), (items, wanted) => {
      const left = [...items];
      removeUnordered(left, left.indexOf(wanted));
      const expected = items.filter((_, at) => at !== items.indexOf(wanted));
      expect(left.sort()).toEqual(expected.sort());
    }),
  );
});
