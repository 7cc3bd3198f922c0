import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { httpStore, pageOf } from '../../support/http-store.ts';
import { readTable, storeport, temporaryFolder } from '../../support/run.ts';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

describe('nested objects from item 90,000 on', () => {
  const [TOTAL, LATE] = [91_000, 90_000];

  /** In earlier items, `product` and `customer` are null or absent. */
  function item(number: number): JsonObject {
    const late = number >= LATE;
    return {
      _id: `r${number}`,
      ...(late
        ? {
            product: { _id: `p${number}`, name: `Cup, "${number}"` },
            customer: { firstname: `Ann ${number}` },
          }
        : number % 2 === 0 && { product: null, customer: null }),
      rating: number % 5,
      ...(late && { extra: { deep: { number } } }),
    };
  }

  /** Expected values of these columns. */
  function cells(number: number): Record<string, string> {
    const late = number >= LATE;
    return {
      _id: `r${number}`,
      'product.name': late ? `Cup, "${number}"` : '',
      'customer.firstname': late ? `Ann ${number}` : '',
      rating: String(number % 5),
    };
  }

  const firstWrong = (rows: readonly Record<string, string>[], want: (n: number) => Record<string, string>) =>
    rows.findIndex((row, n) => Object.entries(want(n)).some(([name, text]) => row[name] !== text));

  async function exportTo(name: string, options: readonly string[] = []) {
    writeFileSync(join(cwd, 'storeport.config.yaml'), 'api:\n  reviews:\n    list: { pageSize: 1000 }\n');
    const store = await httpStore(({ query }) => pageOf(TOTAL, query, item));
    const args = ['export', 'reviews', '--out', name, ...options, '--json'];
    const { code, stdout, stderr } = await storeport(args, { cwd, env: store.environment });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout);
  }

  // `readTable` is strict: a row with too many or too few cells is an error.
  test('late fields shift no column, and those without a column are counted', async () => {
    const summary = await exportTo('reviews.csv');
    expect(summary).toMatchObject({ items: TOTAL, not_in_columns: { extra: TOTAL - LATE } });
    const rows = readTable(join(cwd, 'reviews.csv'));
    expect(rows).toHaveLength(TOTAL);
    expect(firstWrong(rows, cells)).toBe(-1);
  });

  test('the column * contains late fields', async () => {
    const columns = ['_id', 'product.name', 'customer.firstname', 'rating', '*'];
    const summary = await exportTo('reviews.csv', ['--columns', columns.join()]);
    expect(summary).toMatchObject({ items: TOTAL, not_in_columns: {} });
    const rows = readTable(join(cwd, 'reviews.csv'));
    expect(rows).toHaveLength(TOTAL);
    expect(Object.keys(rows[0] ?? {})).toEqual(columns);
    const rest = (number: number) =>
      number < LATE ? '' : JSON.stringify({ 'product._id': `p${number}`, extra: { deep: { number } } });
    expect(firstWrong(rows, (number) => ({ ...cells(number), '*': rest(number) }))).toBe(-1);
  });

  test('NDJSON contains late fields', async () => {
    await exportTo('reviews.ndjson.gz');
    const text = gunzipSync(readFileSync(join(cwd, 'reviews.ndjson.gz'))).toString();
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(TOTAL);
    expect(lines.findIndex((line, number) => line !== JSON.stringify(item(number)))).toBe(-1);
  });
});
