import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/model/index.ts';
import { createStatistics } from '../../../src/pipeline/summary/statistics.ts';

const outcome = (more: Partial<Outcome>): Outcome => ({
  outcome: 'created',
  attempts: 1,
  durationMs: 1,
  ...more,
});

describe('statistics of a run', () => {
  test('group messages that differ only in identifiers', () => {
    const statistics = createStatistics();
    for (const [row, id] of [
      '5a9d0b010000000000000001',
      'drafts.tea',
      'b496b35d-22c0-42a5-ba82-81d16799ddfd',
    ].entries())
      statistics.add(
        outcome({ outcome: 'rejected', code: 'store-refused', id, message: `There is no product ${id}.` }),
        row,
      );
    for (const number of ['E11000', 'E12'])
      statistics.add(
        outcome({ outcome: 'rejected', code: 'store-refused', message: `error ${number} at row-7a` }),
        9,
      );
    expect(statistics.problems(10).map(({ count }) => count)).toEqual([3, 2]);
  });

  test('add up outcomes in their fixed order, and attempts', () => {
    const statistics = createStatistics();
    statistics.add(outcome({ outcome: 'invalid', attempts: 0, code: 'required' }), 2);
    statistics.add(outcome({ attempts: 3 }), 3);
    statistics.add(outcome({}), 4);
    expect(statistics.records).toBe(3);
    expect(statistics.attempts).toBe(4);
    expect(Object.entries(statistics.outcomes())).toEqual([
      ['created', 2],
      ['invalid', 1],
    ]);
  });

  test('group problems of one shape, with the first as the example, most frequent first', () => {
    const statistics = createStatistics();
    statistics.add(
      outcome({
        outcome: 'invalid',
        code: 'unknown-word',
        field: 'status',
        message: 'row 2: "a" is not known',
      }),
      2,
    );
    for (const [row, text] of [
      [3, 'x'],
      [4, 'y'],
    ] as const)
      statistics.add(
        outcome({
          outcome: 'invalid',
          code: 'not-a-number',
          field: 'price',
          message: `row ${row}: "${text}" is not a number`,
        }),
        row,
      );
    expect(statistics.problems(10)).toEqual([
      {
        outcome: 'invalid',
        code: 'not-a-number',
        field: 'price',
        count: 2,
        issues: 2,
        example_row: 3,
        example: 'row 3: "x" is not a number',
      },
      {
        outcome: 'invalid',
        code: 'unknown-word',
        field: 'status',
        count: 1,
        issues: 1,
        example_row: 2,
        example: 'row 2: "a" is not known',
      },
    ]);
    expect(statistics.problems(1)).toHaveLength(1);
  });

  test('count every kind of issue of a record, in records and in issues, not only the first', () => {
    const statistics = createStatistics();
    for (const row of [2, 5]) {
      const kinds = [
        { code: 'not-a-number', field: 'price', count: 1, example: `row ${row}: "x" is not a number` },
        { code: 'unknown-word', field: 'images.*.kind', count: 40, example: `row ${row}: "y" is unknown` },
      ];
      statistics.add(
        outcome({ outcome: 'invalid', code: 'not-a-number', field: 'price', message: '…', kinds }),
        row,
      );
    }
    statistics.add(
      outcome({
        outcome: 'invalid',
        code: 'unknown-word',
        field: 'images.3.kind',
        message: 'row 9: "z" is unknown',
      }),
      9,
    );
    expect(statistics.records).toBe(3);
    expect(
      statistics
        .problems(10)
        .map(({ code, field, count, issues, example_row, example }) => [
          code,
          field,
          count,
          issues,
          example_row,
          example,
        ]),
    ).toEqual([
      ['unknown-word', 'images.*.kind', 3, 81, 2, 'row 2: "y" is unknown'],
      ['not-a-number', 'price', 2, 2, 2, 'row 2: "x" is not a number'],
    ]);
  });

  test('keep a limited number of shapes, even for a hostile file', () => {
    const statistics = createStatistics();
    for (let row = 0; row < 5000; row++)
      statistics.add(outcome({ outcome: 'invalid', code: `code-${row}` }), row);
    expect(statistics.records).toBe(5000);
    expect(statistics.problems(10_000).length).toBeLessThanOrEqual(1000);
  });
});
