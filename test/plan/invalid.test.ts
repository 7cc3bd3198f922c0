import { describe, expect, test } from 'vitest';
import type { Issue } from '../../src/model/index.ts';
import { invalid } from '../../src/plan/invalid.ts';

const issue = (row: number, code: string, field: string, message = `"x${row}" is wrong`): Issue => ({
  code,
  field,
  message,
  column: 'C',
  origin: { file: 'in.csv', row, line: row },
});

describe('the outcome of an invalid record', () => {
  test('with one issue has its code, its field and its sentence', () => {
    expect(invalid([issue(7, 'not-a-number', 'price')])).toMatchObject({
      outcome: 'invalid',
      code: 'not-a-number',
      field: 'price',
      message: 'row 7, column "C": "x7" is wrong',
    });
    expect(invalid([issue(7, 'not-a-number', 'price')]).kinds).toBeUndefined();
  });

  test('with a few issues has all sentences, each once, and counts the issues by code and field', () => {
    const twice = issue(7, 'required', 'name', 'name is missing');
    const outcome = invalid([
      issue(7, 'not-a-number', 'variants.0.price'),
      twice,
      twice,
      issue(8, 'not-a-number', 'variants.1.price'),
    ]);
    expect(outcome.message).toBe(
      'row 7, column "C": "x7" is wrong; row 7, column "C": name is missing; row 8, column "C": "x8" is wrong',
    );
    expect(outcome.kinds).toEqual([
      {
        code: 'not-a-number',
        field: 'variants.*.price',
        count: 2,
        example: 'row 7, column "C": "x7" is wrong',
      },
      { code: 'required', field: 'name', count: 2, example: 'row 7, column "C": name is missing' },
    ]);
  });

  test('with 100,000 issues has a message of readable length that counts the rest', () => {
    const issues = Array.from({ length: 100_000 }, (_, n) =>
      issue(n + 2, n % 4 === 3 ? 'unknown-word' : 'not-a-number', `variants.${n}.price`),
    );
    const { message = '', kinds } = invalid(issues);
    expect(message.length).toBeLessThan(1_200);
    const said = message.split('; ').length - 1;
    expect(said).toBeGreaterThan(10);
    expect(message).toMatch(
      new RegExp(
        `; and ${100_000 - said} more: \\d+ × not-a-number \\(variants\\.\\*\\.price\\), \\d+ × unknown-word \\(variants\\.\\*\\.price\\)$`,
      ),
    );
    expect(kinds?.map(({ code, count }) => [code, count])).toEqual([
      ['not-a-number', 75_000],
      ['unknown-word', 25_000],
    ]);
    const cells = (kinds ?? []).flatMap((kind) => kind.cells ?? []);
    expect(cells).toHaveLength(10_000);
    expect(new Set(cells.map(([row]) => row)).has(said + 1)).toBe(false);
    expect(cells).toContainEqual([said + 2, 'C']);
  });

  test('has a bounded number of kinds, even if a file makes up names of fields', () => {
    const issues = Array.from({ length: 5_000 }, (_, n) => issue(n, 'unknown-field', `name${n}x`));
    const { message = '', kinds = [] } = invalid(issues);
    expect(kinds.length).toBeLessThanOrEqual(100);
    expect(message).toMatch(/; and \d+ more: .*, …$/);
    expect(message.length).toBeLessThan(1_400);
  });

  test('truncates a sentence that is too long, but never inside a character', () => {
    const { message = '' } = invalid([issue(7, 'not-allowed', 'status', '😀'.repeat(5_000))]);
    expect(message.length).toBeLessThanOrEqual(500);
    expect(message.endsWith('😀…')).toBe(true);
  });
});
