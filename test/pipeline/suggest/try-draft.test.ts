import { expect, test } from 'vitest';
import { tryDraft } from '../../../src/pipeline/suggest/try-draft.ts';
import { products } from '../../../src/resources/products.ts';
import { rowsOf, tableOf } from '../../support/map-rows.ts';

/** Tries a draft whose column of stock is not clear by its name, on 20 rows with words in some of its cells. */
function triedWith(words: number) {
  const cells = Array.from({ length: 20 }, (_, n) => [`Pen ${n}`, n < words ? 'none' : `${n}`]);
  const table = tableOf('Name', 'Maybe');
  const fields = [
    { field: 'name', rule: 'Name', columns: ['Name'], score: 1 },
    { field: 'quantity.instock', rule: { from: 'Maybe', number: true }, columns: ['Maybe'], score: 0.7 },
  ];
  return tryDraft({ resource: 'products', fields, leftOut: [] }, products, {
    table,
    rows: rowsOf(table, ...cells),
    records: cells.map((_, n) => [n]),
  });
}

test('a field whose column is not clear stays if one record of 20 has an issue in it, and is left out if two have', () => {
  const [one, two] = [triedWith(1), triedWith(2)];
  expect(one.draft.fields.map(({ field }) => field)).toEqual(['name', 'quantity.instock']);
  expect(one.draft.fields[1]?.doubt).toMatch(/^1 of 20 records has an issue in it, the first in row 2: /);
  expect(two.draft.fields.map(({ field }) => field)).toEqual(['name']);
  expect(two).toMatchObject({
    draft: { leftOut: [{ column: 'Maybe', field: 'quantity.instock' }] },
  });
});
