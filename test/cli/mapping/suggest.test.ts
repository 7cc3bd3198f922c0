import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onTerminal } from '../../support/on-terminal.ts';
import { readReports, storeport, temporaryFolder } from '../../support/run.ts';

const SHOP = `Item number,Item name,Unit price,On hand,Maker
PEN-01,Fountain pen,39.00,12,Quiet Inkwell
INK-07,Blue ink,9.50,3,Tidewater Mill
`;

function folder(): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'shop.csv'), SHOP);
  return cwd;
}

test('a suggestion is written, checked and used at once', async () => {
  const cwd = folder();
  const { code, stdout, stderr } = await storeport(
    ['mapping', 'suggest', 'products', 'shop.csv', '--out', 'shop.yaml'],
    { cwd },
  );
  expect(code).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('2 of 2 records of the sample are valid');
  expect(stderr).toContain('Next: storeport validate products shop.csv --mapping ./shop.yaml');
  expect(readFileSync(join(cwd, 'shop.yaml'), 'utf8')).toContain('reference: Item number');
  const check = await storeport(['mapping', 'check', './shop.yaml', 'shop.csv'], { cwd });
  expect(check.code).toBe(0);
  const validated = await storeport(
    ['validate', 'products', 'shop.csv', '--mapping', './shop.yaml', '--out', 'out'],
    { cwd },
  );
  expect(validated.code).toBe(0);
  expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({ planned: 2 });

  const again = await storeport(['mapping', 'suggest', 'products', 'shop.csv', '--out', 'shop.yaml'], {
    cwd,
  });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('shop.yaml exists already');
});

test('standard error names columns that seem to decide what is public and are not used', async () => {
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'pens.csv'),
    'SKU,Name,Price,Visible in portal,Release state,Published\nA,Pen,3.50,yes,green,2020-01-01\nB,Ink,4.50,partly,red,2021-01-01\n',
  );
  const { stderr } = await storeport(['mapping', 'suggest', 'products', 'pens.csv', '--out', 'm.yaml'], {
    cwd,
  });
  expect(stderr).toContain(
    'Visible in portal, Release state, Published are left out, each since its name does not say it clearly, though it may decide what is public.',
  );
});

test('what a suggestion leaves out is said, and each row of the file is accounted for', async () => {
  const cwd = temporaryFolder();
  const pens = Array.from(
    { length: 12 },
    (_, n) => `PEN-${n},Pen ${n},${n === 4 ? 'on request' : '3.50'},€${n}`,
  );
  const lines = ['SKU,Name,Price,Dealer price', ...pens, 'TOTAL,,38.50,'];
  lines[3] = 'PEN-2,Pen 2,3.50,$9';
  lines[4] = 'PEN-3,Pen 3,3.50,$9';
  writeFileSync(join(cwd, 'pens.csv'), `${lines.join('\n')}\n`);
  const { stderr } = await storeport(['mapping', 'suggest', 'products', 'pens.csv', '--out', 'm.yaml'], {
    cwd,
  });
  expect(stderr).toContain('Left out: row 14, since it says "TOTAL".');
  expect(stderr).toContain('Check price.salePrice from Price');
  expect(stderr).toContain(
    '1 of 12 records has an issue in it, the first in row 6: "on request" is not a number',
  );
  expect(stderr).toContain(
    'No price.buyingPrice will be imported: Dealer price is left out, since its cells are of several currencies: 10 × €, 2 × $.',
  );
  const checked = await storeport(
    ['validate', 'products', 'pens.csv', '--mapping', './m.yaml', '--out', 'out'],
    { cwd },
  );
  expect(checked.code).toBe(1);
  const { summary } = readReports(join(cwd, 'out'));
  expect(summary.outcomes).toEqual({ planned: 11, invalid: 1 });
  expect(summary.files).toMatchObject([{ skipped_rows: 1 }]);
});

test('guarding apostrophes need no rule in a suggested mapping, and others stay in the values', async () => {
  const cwd = temporaryFolder();
  const rows = ["'n Anker,'0017,'-12", "'90s Tee,'0018,5", 'Pen,0019,7'];
  writeFileSync(join(cwd, 'in.csv'), `Name,SKU,Stock\n${rows.join('\n')}\n`);
  await storeport(['mapping', 'suggest', 'products', 'in.csv', '--out', 'm.yaml'], { cwd });
  expect(readFileSync(join(cwd, 'm.yaml'), 'utf8')).not.toContain('replace');
  const clean = [
    'clean',
    'products',
    'in.csv',
    '--mapping',
    './m.yaml',
    '--to',
    'ndjson',
    '--out',
    'o.ndjson',
  ];
  await storeport(clean, { cwd });
  const items = readFileSync(join(cwd, 'o.ndjson'), 'utf8').trim().split('\n');
  expect(items.map((item) => JSON.parse(item))).toMatchObject([
    { name: "'n Anker", reference: '0017', quantity: { instock: -12 } },
    { name: "'90s Tee", reference: '0018' },
    { name: 'Pen', reference: '0019' },
  ]);
});

test('standard input of any length is sampled, and foreign identifiers are ignored by the next command', async () => {
  const rows = Array.from(
    { length: 5000 },
    (_, n) => `{"_id":"product.${n}","sku":"A-${n}","name":"Pen ${n}"}\n`,
  );
  const { code, stderr } = await storeport(['mapping', 'suggest', 'products', '-'], {
    cwd: temporaryFolder(),
    input: rows.join(''),
  });
  expect(code).toBe(0);
  expect(stderr).toContain('The column _id has identifiers of another system');
  expect(stderr).toContain('--mapping ./products.yaml --mode create');
  const csv = rows.map((_, n) => `A-${n},Pen ${n}\n`).join('');
  const table = await storeport(['mapping', 'suggest', 'products', '-'], {
    cwd: temporaryFolder(),
    input: `SKU,Name\n${csv}`,
  });
  expect(table).toMatchObject({ code: 0, stdout: expect.stringContaining('reference: SKU') });
});

test.each([
  ['suppliers', 'Name\nQuiet Inkwell\n', 'No column was found for address1'],
  ['products', 'Name,Price\nPen,3\nPen,4\n', 'Add a column with a code for each'],
])('no value for %s that lack a field is invented in the next command', async (resource, text, says) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), text);
  const { stderr } = await storeport(['mapping', 'suggest', resource, 'in.csv'], { cwd });
  expect(stderr).toContain(says);
  expect(stderr).toMatch(
    new RegExp(`Once that is done: storeport validate ${resource} in.csv --mapping ./${resource}.yaml\n$`),
  );
});

test('the commands after a suggestion read the file as it was read, and overwrite no mapping', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'Stock list;;\nSKU;Name;Price\nA;Pen;3\n');
  writeFileSync(join(cwd, 'products.yaml'), 'resource: products\nfields: { name: Name }\n');
  const args = ['--skip-lines', '1', '--delimiter', ';', '--home', 'my home'];
  const { stderr } = await storeport(['mapping', 'suggest', 'products', 'in.csv', ...args], { cwd });
  const options = "--skip-lines 1 --delimiter ';'";
  expect(stderr).toContain(
    `To save it: storeport mapping suggest products in.csv ${options} --home 'my home' --out products-2.yaml\n`,
  );
  expect(stderr).toContain(
    `Next: storeport validate products in.csv ${options} --mapping ./products-2.yaml --home 'my home'\n`,
  );
});

test('without a resource the best one is taken, and --json has all of it', async () => {
  const cwd = folder();
  const { code, stdout } = await storeport(['mapping', 'suggest', 'shop.csv', '--json'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    resource: 'products',
    mapping: expect.stringContaining('resource: products'),
    fields: expect.arrayContaining([{ field: 'reference', columns: ['Item number'], confidence: 1 }]),
    missing: [],
    sampled_records: 2,
    valid_records: 2,
    exit_code: 0,
  });
});

test.each([['validate'], ['import', '--sandbox']])(
  '%s of an unknown file ends with the command that suggests a mapping',
  async (command, ...more) => {
    const cwd = folder();
    const { code, stderr } = await storeport([command, 'products', 'shop.csv', ...more], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('reference from Item number');
    expect(stderr).toContain('storeport mapping suggest products shop.csv --out products.yaml');
  },
);

test('--ask needs a terminal', async () => {
  const { code, stderr } = await storeport(['mapping', 'suggest', 'products', 'shop.csv', '--ask'], {
    cwd: folder(),
  });
  expect(code).toBe(2);
  expect(stderr).toContain('no terminal to ask on');
});

test.runIf(process.platform === 'linux')(
  'a column that may be the name is offered, and the printed command asks about it',
  async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'stock.csv'), 'Item No.;Item Description\n1000;Bicycle\n1001;Touring bicycle\n');
    const { stderr } = await storeport(['mapping', 'suggest', 'products', 'stock.csv'], { cwd });
    expect(stderr).toContain(
      'No column is surely name, which each record must have. The likeliest is Item Description (80 %), such as Bicycle.',
    );
    const [, printed = ''] = /answer yes: storeport (.*)/.exec(stderr) ?? [];
    const asked = await onTerminal(printed.split(' '), [['Use Item Description for name?', 'y\n']], { cwd });
    expect(asked.stdout).toContain('2 of 2 records of the sample are valid');
    expect(readFileSync(join(cwd, 'products.yaml'), 'utf8')).toContain('name: Item Description');
  },
);

test.each([1, 2])(
  '%d lines without the number of their order make no field of the others be left out',
  async (lost) => {
    const cwd = temporaryFolder();
    const rows = Array.from({ length: 40 }, (_, n) => {
      const order = n % 2 === 1 && n > 39 - 2 * lost ? '' : `#${Math.floor(n / 2)}`;
      // The customer is in the first row of an order.
      return `${order},${n % 2 === 0 ? `Ann Lee${n}` : ''},Pen ${n},2,1.50`;
    });
    const file = `Order,Customer name,Item,Quantity,Unit price\n${rows.join('\n')}\n`;
    writeFileSync(join(cwd, 'orders.csv'), file.replaceAll('#', 'A'));
    const { stdout, stderr } = await storeport(['mapping', 'suggest', 'orders', 'orders.csv'], { cwd });
    expect(stdout).toContain('customer.firstname: { from: Customer name, person: first }');
    expect(stdout).toContain('customer.lastname: { from: Customer name, person: last }');
    expect(stderr).toMatch(/ of 2\d records of the sample are valid/);
  },
);
