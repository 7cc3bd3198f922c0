import { expect, test } from 'vitest';
import { previewText } from '../../../src/cli/output/preview-text.ts';

const RECORD = {
  file: 'shop.csv',
  key: 'PEN-01',
  source: [{ row: 2, cells: { SKU: 'PEN-01', Name: 'Fountain\npen' } }],
  payload: { reference: 'PEN-01', price: { salePrice: 39 } },
  issues: [
    {
      row: 2,
      column: 'Price',
      field: 'price.salePrice',
      code: 'not-a-number',
      message: '"x" is not a number',
    },
  ],
};

test('a wide terminal shows cells and payload side by side, with the issues below', () => {
  expect(previewText([RECORD], 100).split('\n')).toEqual([
    'PEN-01, row 2',
    `  ${'SKU: PEN-01'.padEnd(47)} │ reference: PEN-01`,
    `  ${'Name: Fountain ⏎ pen'.padEnd(47)} │ price:`,
    `  ${''.padEnd(47)} │   salePrice: 39`,
    '  ! row 2, Price: "x" is not a number (not-a-number)',
  ]);
});

test.each([undefined, 60])('with %s columns the payload is below the cells', (columns) => {
  expect(previewText([RECORD], columns).split('\n')).toEqual([
    'PEN-01, row 2',
    '  SKU: PEN-01',
    '  Name: Fountain ⏎ pen',
    '  becomes',
    '    reference: PEN-01',
    '    price:',
    '      salePrice: 39',
    '  ! row 2, Price: "x" is not a number (not-a-number)',
  ]);
});

test.each([
  [[2, 3, 4], 'rows 2 to 4'],
  [[2, 9], 'rows 2, 9'],
  [[2, 4, 6, 8, 10, 12], 'rows 2, 4, 6, 8, 10 and 1 more'],
])('the rows %j of a record are "%s"', (rows, text) => {
  const source = rows.map((row) => ({ row, cells: {} }));
  expect(previewText([{ ...RECORD, source }], undefined).split('\n')[0]).toBe(`PEN-01, ${text}`);
});
