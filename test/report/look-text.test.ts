import { expect, test } from 'vitest';
import type { FieldFigures } from '../../src/model/index.ts';
import { figureWords } from '../../src/report/look-text.ts';

function wordsOf(figures: Partial<FieldFigures>): string | undefined {
  const field = { field: 'name', count: 985, ...figures };
  return figureWords({ records: 985, fields: [field] }).filled[0]?.words;
}

test('values are all different only if each of them was counted', () => {
  expect(wordsOf({ different: 985 })).toBe('all different');
  expect(wordsOf({ different: 985, about: true })).toBe('about 985 different');
  expect(wordsOf({ different: 900, about: true })).toBe('about 900 different');
});
