import { expect, test } from 'vitest';
import { exportPage } from '../../src/report/index.ts';

test('the page of an export says how many fields its list leaves out', () => {
  const pageWith = (fields: number) =>
    exportPage({
      ...{ resource: 'reviews', singular: 'review', file: 'reviews.csv', store: 'https://shop.example.com' },
      ...{ startedAt: '2026-11-21T09:30:12.000Z', durationMs: 2000, complete: true, rows: 2, added: 2 },
      ...{ noted: [], facts: [], activity: undefined },
      notInColumns: Object.fromEntries(Array.from({ length: fields }, (_, n) => [`field${n}`, 1])),
    });
  expect(pageWith(212)).toContain('And 12 more.');
  expect(pageWith(200)).not.toContain('more.');
});

test.each([
  [1, 1, '1 review is in reviews.csv'],
  [2, 2, '2 reviews are in reviews.csv'],
  [1200, 1, '1 new review is in reviews.csv, which has 1,200 now'],
])('the page of an export of %i items, %i of them new, begins with a sentence', (rows, added, sentence) => {
  const page = exportPage({
    ...{ resource: 'reviews', singular: 'review', file: 'reviews.csv', store: 'https://shop.example.com' },
    ...{ startedAt: '2026-11-21T09:30:12.000Z', durationMs: 2000, complete: true, rows, added },
    ...{ noted: [], facts: [], activity: undefined, notInColumns: {} },
  });
  expect(page).toContain(`<h1>${sentence}</h1>`);
});
