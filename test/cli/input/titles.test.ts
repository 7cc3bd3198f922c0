import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { readTable } from '../../support/run.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

const cli = cliForEachTest();

const TITLES = ['Price list 2026;;;', 'valid from 1 May;;;', ';;;'];
const HEADER = 'SKU;Name;Price;Stock';
const WARNING =
  'Warning: Lines 1–3 of prices.csv are above the header and not read: "Price list 2026", "valid from 1 May". If the header is in line 1, add --skip-lines 0.';
const MAPPING = [
  'resource: products',
  'fields:',
  '  reference: SKU',
  '  name: Name',
  '  price.salePrice: { from: Price, number: german }',
];

/** Times that the warning is on standard error. */
const warnings = (stderr: string) => stderr.split(WARNING).length - 1;

test('a file with titles is read alike by every command, with one warning', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  cli.writeLines('prices.csv', ...TITLES, HEADER, 'A-1;Pen;2,50;4', 'A-2;Ink;x;', 'A-3;Pad;4,00;2');
  const suggested = await cli.run('mapping', 'suggest', 'products', 'prices.csv', '--out', 's.yaml');
  expect([suggested.code, warnings(suggested.stderr)], suggested.stderr).toEqual([0, 1]);
  for (const words of [
    ['validate', 'products', 'prices.csv', '--mapping', 'm.yaml'],
    ['clean', 'products', 'prices.csv', '--mapping', 'm.yaml', '--out', 'clean.csv'],
    ['import', 'products', 'prices.csv', '--mapping', 'm.yaml', '--out', 'out'],
  ]) {
    const { code, stderr } = await cli.run(...words);
    expect([code, warnings(stderr)], stderr).toEqual([1, 1]);
    expect(stderr).toContain('4 columns, without the first 3 lines.');
  }
  const checked = await cli.run('mapping', 'check', 'm.yaml', 'prices.csv');
  expect([checked.code, warnings(checked.stderr)], checked.stderr).toEqual([0, 1]);

  const { summary } = cli.reports('out');
  expect(summary.outcomes).toEqual({ created: 2, invalid: 1 });
  expect(summary.files).toMatchObject([{ skipped_lines: 3 }]);
  expect(readTable(join(cli.cwd, 'out/errors.csv'))).toMatchObject([{ SKU: 'A-2', storeport_row: '6' }]);
  cli.editRows('out/errors.csv', (row) => ({ ...row, Price: '3,00' }));
  const again = await cli.run('import', 'products', 'out/errors.csv', '--mapping', 'm.yaml');
  expect([again.code, cli.references()], again.stderr).toEqual([0, ['A-1', 'A-3', 'A-2']]);
});

test('a preset recognises the header below titles', async () => {
  const titles = ['Stock of May 2026', ''];
  cli.writeLines('in.csv', ...titles, 'reference,name,price.salePrice', 'A-1,Pen,2', 'A-2,Ink,3');
  const { code, stderr } = await cli.run('import', 'products', 'in.csv');
  expect(code, stderr).toBe(0);
  expect(cli.references()).toEqual(['A-1', 'A-2']);
});

test('a run below titles is resumed and retried', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  const rows = Array.from({ length: 6 }, (_, at) => `K-${at};Mug;${at > 0 && at < 4 ? 'x' : at};1`);
  cli.writeLines('prices.csv', ...TITLES, HEADER, ...rows);
  const options = ['--mapping', 'm.yaml', '--max-errors', '2', '--out', 'out'];
  const stopped = await cli.run('import', 'products', 'prices.csv', ...options);
  expect(stopped.code, stopped.stderr).toBe(3);
  const resumed = await cli.run('run', 'resume');
  expect(resumed.code, resumed.stderr).toBe(1);
  expect(cli.reports('out').summary).toMatchObject({ records: 6, outcomes: { created: 3, invalid: 3 } });
  expect(readTable(join(cli.cwd, 'out/errors.csv')).map((row) => row.storeport_row)).toEqual(['6', '7', '8']);
  expect(cli.references().sort()).toEqual(['K-0', 'K-4', 'K-5']);
  expect((await cli.run('run', 'retry')).code).toBe(1);
  expect(cli.reports('out').summary.outcomes).toEqual({ created: 3, invalid: 3 });
});

test('--skip-lines 0 reads the titles, and the error says what to do', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  cli.writeLines('prices.csv', ...TITLES, HEADER, 'A-1;Pen;2,50;4');
  const words = ['validate', 'products', 'prices.csv', '--mapping', 'm.yaml', '--skip-lines', '0'];
  const { code, stderr } = await cli.run(...words);
  expect([code, warnings(stderr)], stderr).toEqual([2, 0]);
  expect(stderr).toContain('add --skip-lines 3.');
});

test('titles of a sheet are skipped, and rows keep the numbers of the sheet', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  const rows = [
    textRow(1, 'Price list 2026'),
    textRow(3, 'SKU', 'Name', 'Price'),
    textRow(4, 'A-1', 'Pen', '3'),
    textRow(5, 'A-2', 'Ink', 'x1'),
  ].join('');
  writeFileSync(join(cli.cwd, 'prices.xlsx'), await makeWorkbook({ rows }));
  const options = ['--mapping', 'm.yaml', '--out', 'out'];
  const { code, stderr } = await cli.run('import', 'products', 'prices.xlsx', ...options);
  expect(code, stderr).toBe(1);
  expect(stderr).toContain(
    'Warning: Row 1 of prices.xlsx is above the header and not read: "Price list 2026".',
  );
  expect(readTable(join(cli.cwd, 'out/errors.csv'))).toMatchObject([{ SKU: 'A-2', storeport_row: '5' }]);
});
