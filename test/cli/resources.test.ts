import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SandboxCollection, startSandbox } from '../../src/sandbox/index.ts';
import { environmentOf, readReports, storeport, temporaryFolder } from '../support/run.ts';

interface Given {
  readonly files: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** Imports `in.csv` into a sandbox of its own. */
async function importInto(resource: SandboxCollection, { files, args = [] }: Given) {
  const store = await startSandbox();
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  try {
    const ended = await storeport(['import', resource, 'in.csv', '--out', 'out', ...args], {
      cwd,
      env: environmentOf(store),
    });
    return { ended, stored: store.records(resource), cwd, reports: () => readReports(join(cwd, 'out')) };
  } finally {
    await store.close();
  }
}

const LINES = 'customer.email,details.0.product.name,details.0.quantity,details.0.price';

describe('orders', () => {
  test('have numbered lines, and are known by the column _key', async () => {
    const { ended, stored, reports } = await importInto('orders', {
      files: { 'in.csv': `_key,${LINES}\nA-1,a@example.com,Pot,2,9.80\nA-2,b@example.com,Cup,1,4\n` },
    });
    expect(ended.code).toBe(0);
    expect(stored).toMatchObject([
      {
        customer: { email: 'a@example.com' },
        details: [{ product: { name: 'Pot' }, quantity: 2, price: 9.8 }],
      },
      { customer: { email: 'b@example.com' } },
    ]);
    expect(JSON.stringify(stored)).not.toContain('A-1');
    expect(reports().results.map(({ key }) => key)).toEqual(['A-1', 'A-2']);
    expect(ended.stderr).not.toMatch(/sent before/);
  });

  test('without a key are sent, with a warning that the file must not be imported twice', async () => {
    const { ended, stored } = await importInto('orders', {
      files: { 'in.csv': `${LINES}\na@example.com,Pot,2,9.80\na@example.com,Pot,2,9.80\n` },
    });
    expect(ended.code).toBe(0);
    expect(stored).toHaveLength(2);
    expect(ended.stderr).toMatch(/Warning: .*which of these orders were sent before.*`_key`.*`key`/s);
  });

  test('are known by the column that the mapping names; the same one again, or none, is not sent', async () => {
    const { stored, reports } = await importInto('orders', {
      files: {
        'in.csv': 'No,Mail,Article\n7,a@example.com,Pot\n 7 ,b@example.com,Cup\n,c@example.com,Jug\n',
        'orders.yaml':
          'resource: orders\nkey: No\nfields:\n  customer.email: Mail\n  details.0.product.name: Article\n',
      },
      args: ['--mapping', 'orders.yaml'],
    });
    expect(stored).toMatchObject([{ customer: { email: 'a@example.com' } }]);
    expect(reports().results.map(({ key, outcome, code }) => [key, outcome, code])).toEqual([
      ['7', 'created', ''],
      ['7', 'duplicate', 'duplicate-key'],
      ['', 'invalid', 'required'],
    ]);
    expect(reports().results[2]?.message).toMatch(/^row 4, column "No": the key is missing: fill this cell/);
  });
});

describe('suppliers', () => {
  test('that are connectable need a route: where the file has no column for it, that is said', async () => {
    const { stored, reports } = await importInto('suppliers', {
      files: { 'in.csv': 'name,address1,connectable\nA,Street 1,no\nB,Street 2,yes\n' },
    });
    expect(stored).toMatchObject([{ name: 'A', connectable: false }]);
    expect(reports().results[1]).toMatchObject({ outcome: 'invalid', code: 'required', field: 'route' });
    expect(reports().results[1]?.message).toMatch(
      /route is missing, which is needed when connectable is true: the file has no column/,
    );
  });
});

describe('updates of a part of an object', () => {
  const ID = '5a9d0b010000000000000000';

  test.each([
    ['--mode', 'update'],
    ['--mode', 'upsert'],
  ])('%s %s: warn of the parts that the file does not have', async (...args) => {
    const { ended } = await importInto('products', {
      files: { 'in.csv': `_id,price.salePrice,seo\n${ID},5,"{""title"":""x""}"\n` },
      args,
    });
    expect(ended.stderr).toMatch(
      /Warning: An update replaces price as a whole\. The file has price\.salePrice; .*price\.buyingPrice, price\.comparePrice may be lost/,
    );
    expect(ended.stderr).not.toMatch(/replaces seo/);
  });

  test('nothing is said where all parts are there, or nothing is updated', async () => {
    const whole = await importInto('products', {
      files: { 'in.csv': `_id,price.salePrice,price.buyingPrice,price.comparePrice\n${ID},5,1,9\n` },
      args: ['--mode', 'update'],
    });
    const created = await importInto('products', {
      files: { 'in.csv': 'name,reference,price.salePrice\nA,a,5\n' },
    });
    expect(`${whole.ended.stderr}${created.ended.stderr}`).not.toMatch(/as a whole/);
  });
});
