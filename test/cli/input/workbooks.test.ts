import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

const cli = cliForEachTest();

const HEADER = textRow(1, 'reference', 'name', 'price.salePrice');
const row = (number: number, key: string, price: string) =>
  `<row r="${number}"><c t="inlineStr"><is><t>${key}</t></is></c><c t="inlineStr"><is><t>Mug</t></is></c>${price}</row>`;

async function writeWorkbook(file: string, ...rows: string[]) {
  const sheets = [
    { name: 'About', rows: textRow(1, 'a', 'b') },
    { name: 'Stock', rows: HEADER + rows.join('') },
  ];
  const bytes = await makeWorkbook({ sheets, formats: ['#,##0.00 "€"'] });
  writeFileSync(join(cli.cwd, file), bytes);
  return bytes;
}

test('a workbook is imported, its errors name the cell, and are corrected in errors.csv', async () => {
  await writeWorkbook(
    'shop.xlsx',
    row(2, '0017', '<c s="1"><v>1234.5</v></c>'),
    row(4, 'A2', '<c t="inlineStr"><is><t>12 EUR</t></is></c>'),
  );
  const first = await cli.run('import', 'products', 'shop.xlsx', '--sheet', 'Stock', '--out', 'first');
  expect(first.stderr).toContain(
    'Reading shop.xlsx: Excel workbook, sheet "Stock" (besides "About"; --sheet reads another), 3 columns.',
  );
  const { summary, results } = cli.reports('first');
  expect(summary.outcomes).toEqual({ created: 1, invalid: 1 });
  expect(summary.files).toMatchObject([
    { file: 'shop.xlsx', format: 'xlsx', sheet: 'Stock', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  expect(results[1]).toMatchObject({ row: '4', outcome: 'invalid' });
  expect(results[1]?.message).toMatch(/^row 4, column "price\.salePrice" \(C4\): "12 EUR" is not a number/);
  expect(cli.products()).toMatchObject([{ reference: '0017', price: { salePrice: 1234.5 } }]);

  cli.editRows('first/errors.csv', (each) => ({ ...each, 'price.salePrice': '12' }));
  const again = await cli.run('import', 'products', 'first/errors.csv');
  expect([again.code, cli.references().sort()]).toEqual([0, ['0017', 'A2']]);
});

test('a stopped import of a workbook is resumed from the same sheet, unless the file has changed', async () => {
  const bad = '<c t="inlineStr"><is><t>x</t></is></c>';
  const rows = Array.from({ length: 6 }, (_, at) => row(at + 2, `K${at}`, at > 0 && at < 4 ? bad : '<c/>'));
  const bytes = await writeWorkbook('shop.xlsx', ...rows);
  const stopped = await cli.run('import', 'products', 'shop.xlsx', '--sheet', '2', '--max-errors', '2');
  expect(stopped.code).toBe(3);
  await writeWorkbook('shop.xlsx', ...rows.slice(1));
  const changed = await cli.run('run', 'resume');
  expect([changed.code, changed.stderr]).toEqual([2, expect.stringContaining('shop.xlsx has changed')]);
  writeFileSync(join(cli.cwd, 'shop.xlsx'), bytes);
  const resumed = await cli.run('run', 'resume', '--json');
  expect(JSON.parse(resumed.stdout)).toMatchObject({ records: 6, outcomes: { created: 3, invalid: 3 } });
});

test('a workbook is read from standard input, and by clean and mapping check', async () => {
  await writeWorkbook('shop.xlsx', row(2, 'A1', '<c><v>3</v></c>'));
  const stdin = readFileSync(join(cli.cwd, 'shop.xlsx'));
  const checked = await cli.runWith(['validate', 'products', '-', '--sheet', 'stock'], { input: stdin });
  expect(checked.code, checked.stderr).toBe(0);
  const cleaned = await cli.run('clean', 'products', 'shop.xlsx', '--sheet', 'Stock', '--keep-columns');
  expect(cleaned.stdout).toBe('reference,name,price.salePrice\nA1,Mug,3\n');
  const missing = await cli.run('mapping', 'check', 'shopify-products', 'shop.xlsx', '--sheet', 'Prices');
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining('Its sheets: 1 "About", 2 "Stock".'),
  ]);
});
