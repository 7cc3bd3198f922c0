import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadedLine, loadedText, storedText } from '../../src/postgres/text.ts';

test('any text is restored, and its stored form has nothing that Postgres refuses', () => {
  const units = fc.string({
    unit: fc.oneof(fc.constantFrom('\0', '\u001a', '\ud800', '\udfff', '😀', '0'), fc.string()),
  });
  fc.assert(
    fc.property(units, (text) => {
      const stored = storedText(text);
      expect(stored).not.toMatch(/[\0\p{Surrogate}]/u);
      expect(loadedText(stored)).toBe(text);
    }),
  );
});

test('a usual text is stored as it is', () => {
  for (const text of ['MUG-1', 'Große Tasse 😀', 'a\tb\n\u0001']) expect(storedText(text)).toBe(text);
});

test('two texts never have the same stored form', () => {
  expect(storedText('\0')).not.toBe(storedText('\u001a0000'));
});

test('only the columns that are named are restored', () => {
  const line = { key: storedText('a\0'), rows: '\u001a0000', seq: 1 };
  expect(loadedLine(line, ['key'])).toEqual({ key: 'a\0', rows: '\u001a0000', seq: 1 });
});
