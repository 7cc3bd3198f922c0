import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Summary } from '../../../src/report/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, storeport, temporaryFolder } from '../../support/run.ts';

const MAPPING = `resource: products
fields:
  name: Name
  reference: SKU
  price.salePrice: { from: Price, number: true }
  quantity.instock: { from: Stock, number: true }
`;

/** A shop with 30 products: the one of row 5 is free, and the one of row 9 has a price without its decimal point. */
function shop(): string {
  const cwd = temporaryFolder();
  const prices = new Map([
    [3, '0'],
    [7, '99900'],
  ]);
  const rows = Array.from(
    { length: 30 },
    (_, at) => `A-${at},Name ${at},${prices.get(at) ?? `${10 + at}.5`},${at}\n`,
  );
  writeFileSync(join(cwd, 'shop.csv'), `SKU,Name,Price,Stock\n${rows.join('')}`);
  writeFileSync(join(cwd, 'shop.yaml'), MAPPING);
  return cwd;
}

const COMMAND = ['validate', 'products', 'shop.csv', '--mapping', './shop.yaml', '--out', 'out'];

function summaryIn(cwd: string): Summary {
  return JSON.parse(readFileSync(join(cwd, 'out/summary.json'), 'utf8')) as Summary;
}

test('validate ends with figures of each field and with findings that name their rows', async () => {
  const cwd = shop();
  const { code, stdout } = await storeport(COMMAND, { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('A look at 30 valid records:\n');
  expect(stdout).toMatch(/ {2}price\.salePrice {3,}30 of 30: 0 \(row 5\) to 99,900 \(row 9\), middle 25\.5 /);
  expect(stdout).toContain('  None has price.comparePrice, price.buyingPrice, status, images,');
  expect(stdout).toContain('1 × no-price (price.salePrice), row 5: There is no price, or it is 0.');
  expect(stdout).toContain('1 × outlier (price.salePrice), row 9: Far from all others: 99,900.');
  const { findings, files } = summaryIn(cwd);
  expect(findings?.map(({ code: found, rows }) => [found, rows])).toEqual([
    ['no-price', [5]],
    ['outlier', [9]],
  ]);
  expect(files[0]?.figures).toMatchObject({ records: 30 });
});

test('findings exit with 1 under --strict, and with 0 once each is accepted', async () => {
  const cwd = shop();
  expect((await storeport([...COMMAND, '--strict'], { cwd })).code).toBe(1);
  expect(summaryIn(cwd).exit_code).toBe(1);
  expect((await storeport([...COMMAND, '--strict', '--accept', 'no-price'], { cwd })).code).toBe(1);
  const accepted = await storeport([...COMMAND, '--strict', '--accept', 'no-price', '--accept', 'outlier'], {
    cwd,
  });
  expect(accepted.code).toBe(0);
  expect(accepted.stdout).not.toContain('probably not meant');
  expect(summaryIn(cwd).findings).toBeUndefined();
});

test('a price that is a hundred times what was sent last is found by validate, by a dry run and by import', async () => {
  const cwd = shop();
  const sandbox = await startSandbox();
  const to = { cwd, env: environmentOf(sandbox) };
  const file = join(cwd, 'shop.csv');
  const [, ...args] = COMMAND;
  expect((await storeport(['import', ...args], to)).code).toBe(0);
  writeFileSync(file, readFileSync(file, 'utf8').replace(',14.5,', ',1450,'));
  const found =
    '1 × price-jump (price.salePrice), row 6: The price is at least 4 times what was sent last, or at most 1/4 of it: 14.5 → 1,450.';
  for (const command of [COMMAND, ['import', '--dry-run', ...args], ['import', ...args]]) {
    const { stdout } = await storeport(command, to);
    expect(stdout).toContain(found);
  }
  // It was sent now, so it is no jump any more.
  expect((await storeport(COMMAND, to)).stdout).not.toContain('price-jump');
  await sandbox.close();
});

test('an unknown code for --accept is refused with the codes that there are', async () => {
  const { code, stderr } = await storeport([...COMMAND, '--accept', 'no-prices'], { cwd: shop() });
  expect(code).toBe(2);
  expect(stderr).toContain('no-price');
  expect(stderr).toContain('missed-column');
});

test('report.html has findings and figures, and no values without rows', async () => {
  const cwd = shop();
  await storeport(COMMAND, { cwd });
  const page = readFileSync(join(cwd, 'out/report.html'), 'utf8');
  expect(page).toContain('Valid, and probably not meant');
  expect(page).toContain('99,900 (row 9)');
  await storeport([...COMMAND, '--report-without-rows'], { cwd });
  const without = readFileSync(join(cwd, 'out/report.html'), 'utf8');
  expect(without).toContain('Valid, and probably not meant');
  expect(without).not.toContain('99,900');
});

test('an import says at its end what was found, and its reports keep that when they are written again', async () => {
  const cwd = shop();
  const command = ['import', ...COMMAND.slice(1), '--sandbox', '--home', 'home'];
  const { code, stdout } = await storeport(command, { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('1 × outlier (price.salePrice), row 9');
  const before = summaryIn(cwd);
  writeFileSync(join(cwd, 'out/summary.json'), '{}');
  await storeport(['run', 'report', before.run, '--home', 'home'], { cwd });
  expect(summaryIn(cwd).findings).toEqual(before.findings);
  expect(summaryIn(cwd).files[0]?.figures).toEqual(before.files[0]?.figures);
});

test('findings name the column of prices that the mapping leaves out', async () => {
  const cwd = shop();
  writeFileSync(join(cwd, 'shop.yaml'), MAPPING.replace(/ {2}price.*\n/, ''));
  const { stdout } = await storeport(COMMAND, { cwd });
  expect(stdout).toContain(
    '30 × no-price (price.salePrice), rows 2, 3, 4, 5, 6 and 25 more: No product has a price.',
  );
  expect(stdout).toContain(
    '30 × missed-column (price.salePrice): No prices will be imported, and "Price" of the file is not used.',
  );
});
