import { expect, test } from 'vitest';
import { columnsByField } from '../../../src/map/index.ts';
import { productMapping, tableOf } from '../../support/map-rows.ts';

test('fields name the columns of the file that they are read from, by aliases, gaps and families', () => {
  const mapping = productMapping(
    {
      name: ['Title', 'Name'],
      'sizes.weight.value': { from: 'Weight', number: true, when: 'Heavy' },
      'sizes.weight.unit': '{Weight.unit}',
      options: { each: { n: { columns: 'Option {n}' } }, fields: { name: 'Option {n}' } },
      html: 'Body',
    },
    { columns: { Weight: ['Weight ({unit})'] } },
  );
  const header = ['name', 'Weight (kg)', 'HEAVY', 'Option 1', 'Option 3'];
  expect(Object.fromEntries(columnsByField(mapping, tableOf(...header), header))).toEqual({
    name: ['name'],
    'sizes.weight.value': ['Weight (kg)', 'HEAVY'],
    // It is read from the name of the column, and from no cell.
    'sizes.weight.unit': [],
    options: ['Option 1', 'Option 3'],
    html: [],
  });
});
