import { join } from 'node:path';
import { expect, test } from 'vitest';
import { previewRecords } from '../../../src/pipeline/index.ts';
import { products } from '../../../src/resources/products.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, readTable } from '../../support/run.ts';

const cli = cliForEachTest();

const MAPPING = `resource: products
group: { by: SKU }
fields:
  reference: SKU
  name: Title
  price.salePrice: { from: Price, number: true }
  price.buyingPrice: { from: Cost, number: true }
  variants: { each: row, when: Size, fields: { name: Size, price: { from: Extra, number: true } } }
checks:
  - { that: "price.salePrice > price.buyingPrice", message: "The price is below the cost." }
  - { each: variants, that: "price <= $record.price.salePrice", message: "A size costs more than the product." }
  - { that: "$contains(name, /^[A-Z]/)", warn: "Names begin with a capital letter." }
`;

const ROWS = [
  'SKU,Title,Price,Cost,Size,Extra',
  'PEN,Pen,30,20,,',
  'INK,Ink,10,12,,',
  'TEE,tee,9,,S,8',
  'TEE,,,,M,11',
  'CAP,cap,5,4,L,3',
  'MUG,Mug,x,9,,',
];

test.each([
  ['validate', ['validate', 'products'], 'planned'],
  ['import --dry-run', ['import', 'products', '--dry-run'], 'planned'],
  ['import', ['import', 'products'], 'created'],
])('%s keeps records back that fail a check, and names cell, rule and values', async (_, command, done) => {
  cli.writeLines('shop.yaml', MAPPING);
  cli.writeLines('shop.csv', ...ROWS);
  const { code, stdout } = await cli.run(
    ...[...command, 'shop.csv', '--mapping', './shop.yaml', '--out', 'out'],
  );
  expect(code).toBe(1);
  const reports = cli.reports('out');
  expect(booksOf(reports)).toMatchObject({ balanced: true });
  expect(reports.summary.outcomes).toEqual({ [done]: 2, invalid: 3 });
  expect(
    reports.errors.map(({ SKU, storeport_code, storeport_field }) => [SKU, storeport_code, storeport_field]),
  ).toEqual([
    ['INK', 'check-failed', 'price.salePrice'],
    ['TEE', 'check-failed', 'variants.1.price'],
    ['TEE', 'check-failed', 'variants.1.price'],
    ['MUG', 'not-a-number', 'price.salePrice'],
  ]);
  expect(reports.errors.map(({ storeport_message }) => storeport_message).slice(0, 2)).toEqual([
    'row 3, column "Price": The price is below the cost: price.salePrice is 10, price.buyingPrice is 12 (column "Cost")',
    'row 5, column "Extra": A size costs more than the product: variants.1.price is 11, price.salePrice is 9 (column "Price")',
  ]);
  const warning = 'Names begin with a capital letter.';
  expect(reports.summary.files[0].warnings).toEqual([
    { message: warning, count: 1, records: [{ row: 6, key: 'CAP', found: 'name is "cap"' }] },
  ]);
  expect(stdout).toContain(`Warning: ${warning} 1 record: CAP (row 6: name is "cap").`);
  if (done === 'created') expect(cli.references()).toEqual(['PEN', 'CAP']);
});

test('a corrected record is sent by the file of errors, with the same mapping', async () => {
  cli.writeLines('shop.yaml', MAPPING);
  cli.writeLines('shop.csv', ...ROWS);
  await cli.run('import', 'products', 'shop.csv', '--mapping', './shop.yaml', '--out', 'out');
  cli.editRows('out/errors.csv', (row) => ({ ...row, Cost: row.SKU === 'INK' ? '8' : (row.Cost ?? '') }));
  const again = ['import', 'products', 'out/errors.csv', '--mapping', './shop.yaml', '--out', 'again'];
  expect((await cli.run(...again)).code).toBe(1);
  expect(cli.reports('again').summary.outcomes).toEqual({ created: 1, invalid: 2 });
  expect(cli.references()).toEqual(['PEN', 'CAP', 'INK']);
});

test('an unknown field in a check is refused before anything is read', async () => {
  cli.writeLines('shop.yaml', MAPPING.replace('> price.buyingPrice', '> price.buyngPrice'));
  cli.writeLines('shop.csv', ...ROWS);
  const { code, stderr } = await cli.run('import', 'products', 'shop.csv', '--mapping', './shop.yaml');
  expect(code).toBe(2);
  expect(stderr).toContain(
    'line 10, column 7: product has no field "price.buyngPrice" here. Did you mean "price.buyingPrice"?',
  );
});

test('a check sees the contacts of the file, also if they are masked', async () => {
  cli.writeLines(
    'people.yaml',
    'resource: customers',
    'fields: { email: Mail, firstname: First, lastname: Last }',
    'checks: [{ that: "$contains(email, \\"@acme.example\\")", message: "This is not a mail address of Acme." }]',
  );
  cli.writeLines('people.csv', 'Mail,First,Last', 'eve@acme.example,Eve,Lee', 'max@other.example,Max,Ax');
  const args = ['validate', 'customers', 'people.csv', '--mapping', './people.yaml', '--mask-contacts'];
  await cli.run(...args, '--out', 'out');
  expect(cli.reports('out').summary.outcomes).toEqual({ planned: 1, invalid: 1 });
});

test('clean rejects records that fail a check, and the page shows their issues', async () => {
  cli.writeLines('shop.yaml', MAPPING);
  cli.writeLines('shop.csv', ...ROWS);
  const args = ['clean', 'products', 'shop.csv', '--mapping', './shop.yaml', '--out', 'good.csv'];
  await cli.run(...args, '--rejects', 'rejects.csv');
  const namesIn = (file: string, column: string) => readTable(join(cli.cwd, file)).map((row) => row[column]);
  expect(namesIn('good.csv', 'reference')).toEqual(['PEN', 'CAP']);
  expect(namesIn('rejects.csv', 'SKU')).toEqual(['INK', 'TEE', 'TEE', 'MUG']);

  const { records } = await previewRecords({
    ...{ files: [join(cli.cwd, 'shop.csv')], mapping: join(cli.cwd, 'shop.yaml'), read: {}, constants: {} },
    ...{ resource: products, mode: 'upsert', offset: 0, from: 0, count: 9, withIssues: true },
    stopped: new AbortController().signal,
  } as Parameters<typeof previewRecords>[0]);
  expect(records.map(({ key }) => key)).toEqual(['INK', 'TEE', 'MUG']);
  expect(records[0]?.issues).toMatchObject([{ code: 'check-failed', field: 'price.salePrice' }]);
});
