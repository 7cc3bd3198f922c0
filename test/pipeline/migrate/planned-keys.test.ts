import { describe, expect, test } from 'vitest';
import type { Outcome, RecordResult } from '../../../src/model/index.ts';
import { createPlannedKeys } from '../../../src/pipeline/migrate/planned-keys.ts';

function result(key: string, row: number, outcome: Outcome['outcome']): RecordResult {
  return { seq: row, row, key, outcome: { outcome, attempts: 0, durationMs: 0 } };
}

describe('keys that the steps of a migration will create', () => {
  const keys = createPlannedKeys(true);
  const note = keys.begin('customers', ['customers.csv']);
  note(result('Ann@Example.com', 2, 'planned'));
  note(result('bob@example.com', 3, 'invalid'));
  note(result('', 4, 'planned'));
  const { find } = keys.referencesOf('orders');

  test.each(['Ann@Example.com', 'ann@example.com'])('a valid record is found by %s', (key) => {
    expect(find('customers', key)).toHaveProperty('value');
  });

  test.each([
    ['bob@example.com', 'is invalid in row 3 of customers.csv, so it will not be among the customers'],
    ['nobody@example.com', 'is neither in customers.csv nor among the customers of this store'],
    ['', 'is neither in customers.csv'],
  ])('"%s" is missing, with the reason', (key, says) => {
    expect(find('customers', key)).toMatchObject({ missing: 'unknown', says: expect.stringContaining(says) });
  });

  test('a resource without a step, and its own, are known by the store alone', () => {
    expect(find('suppliers', 'Tidewater Mill')).toEqual({ missing: 'unknown' });
    expect(keys.referencesOf('customers').find('customers', 'Ann@Example.com')).toEqual({
      missing: 'unknown',
    });
  });

  test('without a store, they may be known to it', () => {
    expect(
      createPlannedKeys(false).referencesOf('orders').find('suppliers', 'Tidewater Mill'),
    ).toBeUndefined();
  });
});
