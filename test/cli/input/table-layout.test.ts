import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { readTable } from '../../support/run.ts';

const cli = cliForEachTest();

const MAPPING = [
  'resource: products',
  'fields:',
  '  reference: A',
  '  name: B',
  '  price.salePrice: { from: C, number: true }',
];

test('a file with a title and no header is imported, corrected and imported again', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  cli.writeLines('in.csv', 'Price list', '', 'A1,Mug,3', 'A2,Cup,three', 'A3,Pot', 'A4,Pan,5');
  const options = ['--skip-lines', '2', '--no-header', '--pad-rows', '--mapping', 'm.yaml'];
  const first = await cli.run('import', 'products', 'in.csv', '--out', 'first', ...options);
  expect(first.stderr).toContain('3 columns, without the first 2 lines, no header, missing cells are empty.');
  const { summary } = cli.reports('first');
  expect(summary.outcomes).toEqual({ created: 3, invalid: 1 });
  expect(summary.files).toMatchObject([{ skipped_lines: 2, no_header: true, padded_rows: true }]);
  expect(readTable(join(cli.cwd, 'first/errors.csv'))).toMatchObject([{ A: 'A2', storeport_row: '4' }]);

  cli.editRows('first/errors.csv', (row) => ({ ...row, C: '4' }));
  const again = await cli.run('import', 'products', 'first/errors.csv', '--mapping', 'm.yaml');
  expect(again.code).toBe(0);
  expect(cli.references().sort()).toEqual(['A1', 'A2', 'A3', 'A4']);
});

test('a run is resumed with the same layout', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  const rows = Array.from({ length: 6 }, (_, at) => `K${at},Mug ${at},${at > 0 && at < 4 ? 'x' : at}`);
  cli.writeLines('in.csv', '# by hand', ...rows);
  const options = ['--skip-lines', '1', '--no-header', '--mapping', 'm.yaml', '--max-errors', '2'];
  const stopped = await cli.run('import', 'products', 'in.csv', '--out', 'out', ...options);
  expect(stopped.code).toBe(3);
  const resumed = await cli.run('run', 'resume', '--json');
  expect(JSON.parse(resumed.stdout)).toMatchObject({ records: 6, outcomes: { created: 3, invalid: 3 } });
  expect(cli.references().sort()).toEqual(['K0', 'K4', 'K5']);
});

test('an unknown header names the option that is missing, in every command that reads files', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  cli.writeLines('title.csv', 'Price list', 'SKU,Titel,Preis', 'A1,Mug,3');
  const advice = 'add --skip-lines 1.';
  for (const words of [
    ['validate', 'products', 'title.csv'],
    ['clean', 'products', 'title.csv'],
    ['mapping', 'check', 'm.yaml', 'title.csv'],
  ]) {
    const { code, stderr } = await cli.run(...words);
    expect([code, stderr.includes(advice)], stderr).toEqual([2, true]);
  }
  const checked = await cli.run('mapping', 'check', 'm.yaml', 'title.csv', '--skip-lines=1', '--no-header');
  expect(checked.code, checked.stderr).toBe(0);
});
