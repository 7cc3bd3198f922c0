import { describe, expect, test } from 'vitest';
import { mapRecord } from '../../support/map-rows.ts';

const STOCK = {
  'quantity.instock': [
    { from: 'Stock', when: { Tracked: 'N' }, 'leave-out': 'It is not counted.' },
    { from: 'Stock', number: true, when: { Tracked: { 'is-not': 'N' } } },
  ],
};

function stockOf(cells: readonly (readonly string[])[], rules: object = STOCK) {
  const { payload, issues, warnings = [] } = mapRecord(rules, ['Stock', 'Tracked'], ...cells);
  return { payload, issues, warnings };
}

describe('leave-out', () => {
  test('leave-out makes no value, and counts a filled cell', () => {
    expect(stockOf([['many', 'N']])).toEqual({ payload: {}, issues: [], warnings: ['It is not counted.'] });
  });

  test('leave-out says nothing of an empty cell', () => {
    expect(stockOf([['', 'N']])).toEqual({ payload: {}, issues: [], warnings: [] });
  });

  test('the next alternative is used if the condition of leave-out does not hold', () => {
    expect(stockOf([['7', 'Y']])).toEqual({
      ...{ payload: { quantity: { instock: 7 } }, issues: [], warnings: [] },
    });
  });

  test('leave-out counts rows that a sum does not use', () => {
    const rules = {
      'quantity.instock': [
        { from: 'Stock', rows: { Tracked: 'N' }, 'leave-out': 'It is not counted.' },
        { from: 'Stock', rows: { Tracked: 'Y' }, number: true, across: 'sum' },
      ],
    };
    const rows = [
      ['7', 'Y'],
      ['5', 'N'],
      ['2', 'Y'],
    ];
    expect(stockOf(rows, rules)).toEqual({
      ...{
        payload: { quantity: { instock: 9 } },
        issues: [],
        warnings: [{ message: 'It is not counted.', row: 3 }],
      },
    });
  });
});
