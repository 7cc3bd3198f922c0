import { expect, test } from 'vitest';
import { cutToWidth, displayWidth } from '../../../src/cli/output/width.ts';

test.each([
  ['', 0],
  ['45 % done', 9],
  ['Gâteau', 6],
  ['Ga\u0302teau', 6],
  ['日本語', 6],
  ['ｆｕｌｌ', 8],
  ['한국', 4],
  ['🛒 x', 4],
  ['a\u200db', 2],
])('%j takes %d columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['exactly ten', 10, 'exactly t…'],
  ['two words', 5, 'two…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
])('%j in %d columns is %j', (text, columns, cut) => {
  expect(cutToWidth(text, columns)).toBe(cut);
  expect(displayWidth(cutToWidth(text, columns))).toBeLessThanOrEqual(columns);
});
