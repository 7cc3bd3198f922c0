import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

const cli = cliForEachTest();

const FIELDS = [
  'fields:',
  '  reference: SKU',
  '  name: Name',
  '  price.salePrice: { from: Price, number: true }',
];

test('a suggested mapping is enough to read the file again', async () => {
  const text = 'Price list;;\nfür Mai;;\n;;\nSKU;Name;Price\nA-1;Tür;3\nA-2;Öl;x1\n';
  writeFileSync(join(cli.cwd, 'in.csv'), Buffer.from(text, 'latin1'));
  const options = ['--skip-lines', '3', '--encoding', 'windows-1252', '--out', 'm.yaml'];
  const suggested = await cli.run('mapping', 'suggest', 'products', 'in.csv', ...options);
  expect(suggested.code, suggested.stderr).toBe(0);
  expect(readFileSync(join(cli.cwd, 'm.yaml'), 'utf8')).toContain(
    'source: { skip-lines: 3, encoding: windows-1252 }\n',
  );
  const { code, stderr } = await cli.run('import', 'products', 'in.csv', '--mapping', 'm.yaml');
  expect(stderr).toContain('CSV in windows-1252, delimiter ";", 3 columns, without the first 3 lines.');
  expect([code, cli.products().map(({ name }) => name)], stderr).toEqual([0, ['Tür', 'Öl']]);
});

test('titles that a suggestion left out, and the sheet that it read, are in its mapping', async () => {
  const prices = [
    textRow(1, 'Price list 2026'),
    textRow(2, 'SKU', 'Name', 'Price'),
    textRow(3, 'A-1', 'Pen', '3'),
  ];
  const sheets = [
    { name: 'Notes', rows: textRow(1, 'none') },
    { name: 'Prices', rows: prices.join('') },
  ];
  writeFileSync(join(cli.cwd, 'in.xlsx'), await makeWorkbook({ sheets }));
  const { stdout } = await cli.run('mapping', 'suggest', 'products', 'in.xlsx', '--sheet', '2');
  expect(stdout).toContain('source: { sheet: Prices, skip-lines: 1 }\n');
  writeFileSync(join(cli.cwd, 'm.yaml'), stdout);
  const checked = await cli.run('validate', 'products', 'in.xlsx', '--mapping', 'm.yaml');
  expect(checked.code, checked.stderr).toBe(0);
  cli.writeLines('in.csv', 'SKU,Name,Price', 'A-1,Pen,3');
  const plain = await cli.run('mapping', 'suggest', 'products', 'in.csv');
  expect(plain.stdout).not.toMatch(/^source:/m);
});

test('standard input is read as the mapping says', async () => {
  cli.writeLines('m.yaml', 'resource: products', 'source: { skip-lines: 1, delimiter: ";" }', ...FIELDS);
  const input = 'Prices\nSKU;Name;Price\nA-1;Pen;3\n';
  const { code, stderr } = await cli.runWith(['validate', 'products', '-', '--mapping', 'm.yaml'], { input });
  expect([code, stderr.includes('without the first line')], stderr).toEqual([0, true]);
});

test('options of the command line win over the mapping', async () => {
  cli.writeLines('m.yaml', 'resource: products', 'source: { skip-lines: 2, no-header: true }', ...FIELDS);
  cli.writeLines('in.csv', 'SKU,Name,Price', 'A-1,Pen,3');
  const words = ['validate', 'products', 'in.csv', '--mapping', 'm.yaml'];
  const refused = await cli.run(...words);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    'The mapping m.yaml says under "source" how its files are read; options of the command line win over it.',
  );
  const read = await cli.run(...words, '--skip-lines', '0', '--no-header=false');
  expect(read.code, read.stderr).toBe(0);
});

test('a report is read without the source of the mapping, and a run is resumed with it', async () => {
  cli.writeLines('m.yaml', 'resource: products', 'source: { skip-lines: 1, delimiter: ";" }', ...FIELDS);
  const rows = Array.from({ length: 6 }, (_, at) => `K-${at};Mug;${at > 0 && at < 4 ? 'x' : at}`);
  cli.writeLines('in.csv', 'Prices', 'SKU;Name;Price', ...rows);
  const options = ['--mapping', 'm.yaml', '--max-errors', '2', '--out', 'out'];
  const stopped = await cli.run('import', 'products', 'in.csv', ...options);
  expect(stopped.code, stopped.stderr).toBe(3);
  const resumed = await cli.run('run', 'resume');
  expect(resumed.code, resumed.stderr).toBe(1);
  expect(cli.reports('out').summary).toMatchObject({ records: 6, files: [{ skipped_lines: 1 }] });
  cli.editRows('out/errors.csv', (row) => ({ ...row, Price: '7' }));
  const again = await cli.run('import', 'products', 'out/errors.csv', '--mapping', 'm.yaml');
  expect([again.code, cli.references().length], again.stderr).toEqual([0, 6]);
  expect(again.stderr).not.toContain('Warning');
});
