import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { readReports } from '../../support/run.ts';

const cli = cliForEachTest();

/** Runs a command on a file with this text, and returns the warnings of its summary. */
async function warningsOf(file: string, text: string, { command = 'import', resource = 'products' } = {}) {
  mkdirSync(dirname(join(cli.cwd, file)), { recursive: true });
  writeFileSync(join(cli.cwd, file), text);
  const args = [command, resource, file, '--out', 'out'];
  const { stdout, stderr } = await cli.run(...args);
  const { summary } = readReports(join(cli.cwd, 'out'));
  const [{ warnings = [] }] = summary.files;
  return { stdout, stderr, warnings, run: summary.run, outcomes: summary.outcomes };
}

/** Products with the same keys, whatever goods they are. */
const shop = (goods: string, records: number) =>
  ['name,reference,description,price.salePrice']
    .concat(
      Array.from(
        { length: records },
        (_, index) => `${goods} ${index},${1000 + index},Fine ${goods},${index + 1}`,
      ),
    )
    .join('\n');

describe('update of most fields of another file', () => {
  test('import and validate warn of updates that change most fields of another file, with count and rows', async () => {
    const first = await warningsOf('a/products.csv', shop('Tea', 12));
    expect(first.warnings).toEqual([]);
    const expected = [
      {
        message: expect.stringContaining(
          `"a/products.csv" (run ${first.run}), and most of its fields are changed`,
        ),
        count: 12,
        records: expect.arrayContaining([
          { row: 2, key: '1000' },
          { row: 11, key: '1009' },
        ]),
      },
    ];
    const checked = await warningsOf('b/products.csv', shop('Shoe', 12), { command: 'validate' });
    expect(checked).toMatchObject({ warnings: expected, outcomes: { planned: 12 } });
    const second = await warningsOf('b/products.csv', shop('Shoe', 12));
    expect(second).toMatchObject({ warnings: expected, outcomes: { updated: 12 } });
    expect(second.stdout).toContain('12 records: 1000 (row 2)');
    expect(second.stderr).toContain('10 products so far have keys of "a/products.csv"');
    // The overwritten fields belong to the second file now.
    expect((await warningsOf('b/products.csv', shop('Shoe', 12))).warnings).toEqual([]);
  });

  test('updates from the same file, or of prices and stock, cause no warning', async () => {
    await warningsOf('a/products.csv', 'name,reference,price.salePrice,quantity.instock\nTea,T,3,10\n');
    const stock = 'reference,price.salePrice,quantity.instock\nT,4,20\n';
    expect(await warningsOf('b/stock.csv', stock)).toMatchObject({ warnings: [], outcomes: { updated: 1 } });
    await warningsOf('c/products.csv', shop('Tea', 1));
    const changed = await warningsOf('c/products.csv', shop('Shoe', 1));
    expect(changed).toMatchObject({ warnings: [], outcomes: { updated: 1 } });
  });
});

describe('record without a key', () => {
  test('records without a key cause a warning with count and rows, since every import creates them again', async () => {
    const people = 'firstname,lastname,email,phone\nAnn,A,ann@x.example,\nBob,B,,\nCid,C,,555\nDee,D,,\n';
    const expected = [
      {
        message: expect.stringContaining('a customer without email and without phone a second time'),
        count: 2,
        records: [{ row: 3 }, { row: 5 }],
      },
    ];
    const checked = await warningsOf('people.csv', people, { command: 'validate', resource: 'customers' });
    expect(checked.warnings).toEqual(expected);
    const imported = await warningsOf('people.csv', people, { resource: 'customers' });
    expect(imported).toMatchObject({ warnings: expected, outcomes: { created: 4 } });
    expect(imported.stdout).toContain('2 records: row 3, row 5.');
  });

  test('orders without a key cause a warning, but updates by identifier do not', async () => {
    const orders = 'customer.firstname,details\nAnn,"[{""quantity"":1}]"\n';
    expect((await warningsOf('orders.csv', orders, { resource: 'orders' })).warnings).toMatchObject([
      { message: expect.stringContaining('an order without a key'), count: 1 },
    ]);
    const byId = '_id,description\n5a9d0b010000000000000000,Green\n';
    expect((await warningsOf('ids.csv', byId)).warnings).toEqual([]);
    expect((await warningsOf('ids.csv', byId, { command: 'validate' })).warnings).toEqual([]);
  });
});

test('orders that are not their total in the file are named with both figures, and are sent', async () => {
  const header = 'Name,Email,Financial Status,Total,Lineitem quantity,Lineitem name,Lineitem price';
  const rows = ['#1,a@b.example,paid,20.00,2,Mug,10.00', '#2,a@b.example,paid,99.95,1,Mug,10.00'];
  const found = await warningsOf('orders.csv', [header, ...rows].join('\n'), { resource: 'orders' });
  expect(found.outcomes).toMatchObject({ created: 2 });
  expect(found.warnings).toEqual([
    {
      message: expect.stringContaining('are not its total, "Total"'),
      count: 1,
      records: [{ row: 3, key: '#2', found: '10, not 99.95' }],
    },
  ]);
  expect(found.stdout).toContain('1 record: #2 (row 3: 10, not 99.95).');
});
