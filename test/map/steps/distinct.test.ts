import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinct } from '../../../src/map/steps/distinct.ts';

const item = fc.oneof(
  fc.constantFrom('a', 'b', 'c', ''),
  fc.constantFrom(0, 1, Number.NaN, null),
  fc.string(),
);

test('each item is kept once, at its first place', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 20 }), (items) => {
      expect(distinct([...items])).toEqual([...new Set(items)]);
    }),
  );
});
