import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextStore } from '../../../src/read/workbook/text-store.ts';

test('texts are returned as they were added, in memory and on disk, in any order', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 80 });
  const indexes = fc.array(fc.nat(100), { maxLength: 100 });
  fc.assert(
    fc.property(texts, indexes, fc.integer({ min: 1, max: 4 }), (added, wanted, pages) => {
      const store = createTextStore({ pages, pageBytes: 16 });
      try {
        for (const text of added) store.add(text);
        expect(store.length).toBe(added.length);
        for (const index of wanted) expect(store.get(index)).toBe(added[index]?.toWellFormed());
      } finally {
        store.close();
      }
    }),
  );
});

test('texts can be added and read in turn', () => {
  const store = createTextStore({ pages: 2, pageBytes: 8 });
  for (let index = 0; index < 200; index++) {
    store.add(`text ${index}`);
    expect([store.get(index), store.get(index >> 1)]).toEqual([`text ${index}`, `text ${index >> 1}`]);
  }
  expect(store.get(200)).toBeUndefined();
  expect(store.get(Number.NaN)).toBeUndefined();
  store.close();
});
