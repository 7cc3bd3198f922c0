import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { readTable } from '../../support/run.ts';

const cli = cliForEachTest();

const MAPPING = [
  'resource: products',
  'fields: { reference: SKU, name: Name, price.salePrice: { from: Price, number: true } }',
];

test('rows that options leave out are counted by every command, and the rows add up', async () => {
  cli.writeLines('m.yaml', ...MAPPING, 'skip: { when: { Name: Heading } }');
  const rows = ['A,Mug,3', 'B,Cup,x', ',Heading,', ',,', 'Total,2,6', 'C,Pot,4', '', 'D,Pan,5'];
  cli.writeLines('in.csv', 'SKU,Name,Price', ...rows);
  const options = ['--mapping', 'm.yaml', '--rows', '2-7', '--skip-rows', 'sku=TOTAL'];
  const imported = await cli.run('import', 'products', 'in.csv', '--out', 'out', ...options);
  expect(imported.code, imported.stderr).toBe(1);
  expect(imported.stdout).toContain('2 rows were left out, as the options for reading say.');
  const { summary } = cli.reports('out');
  expect(summary).toMatchObject({ records: 3, outcomes: { created: 2, invalid: 1 } });
  // Seven rows: the empty line is not one.
  expect(summary.files).toMatchObject([{ skipped_rows: 1, empty_rows: 1, left_out_rows: 2 }]);
  expect(readTable(join(cli.cwd, 'out/errors.csv'))).toMatchObject([{ SKU: 'B', storeport_row: '3' }]);
  expect(readFileSync(join(cli.cwd, 'out/report.html'), 'utf8')).toContain(
    '2 rows that the options for reading leave out',
  );
  const checked = await cli.run('validate', 'products', 'in.csv', '--json', ...options);
  expect(JSON.parse(checked.stdout)).toMatchObject({ records: 3, files: [{ left_out_rows: 2 }] });
  const cleaned = await cli.run('clean', 'products', 'in.csv', '--json', '--out', 'c.csv', ...options);
  expect(JSON.parse(cleaned.stdout)).toMatchObject({ records: 3, left_out_rows: 2, skipped_rows: 1 });
});

test('nothing is read below the first empty row, and a warning says if nothing is left', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  cli.writeLines('in.csv', 'SKU,Name,Price', 'A,Mug,3', '', '* net prices', 'Z,Z,z');
  const words = ['validate', 'products', 'in.csv', '--mapping', 'm.yaml'];
  expect((await cli.run(...words)).code).toBe(1);
  const until = await cli.run(...words, '--until-blank-row', '--json');
  expect([until.code, JSON.parse(until.stdout)]).toMatchObject([
    0,
    { records: 1, files: [{ left_out_rows: 2 }] },
  ]);
  const none = await cli.run(...words, '--rows=-1');
  expect(none.stderr).toContain(
    'in.csv has only rows that --rows, --skip-rows or --until-blank-row leaves out (3), so no record comes from it.',
  );
});

test('an unknown column of --skip-rows is an error that suggests one', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  cli.writeLines('in.csv', 'SKU,Name,Price', 'A,Mug,3');
  const words = ['import', 'products', 'in.csv', '--mapping', 'm.yaml', '--skip-rows', 'Nmae=x'];
  const { code, stderr } = await cli.run(...words);
  expect(code).toBe(2);
  expect(stderr).toContain('in.csv has no column "Nmae", and --skip-rows names it.');
  expect(stderr).toContain('Did you mean "Name"?');
  expect((await cli.run(...words.slice(0, -1), 'Name')).stderr).toContain('--skip-rows takes column=text');
  expect((await cli.run(...words.slice(0, -2), '--rows', '9-3')).stderr).toContain(
    '--rows takes rows such as 4-63',
  );
});

test('a run is resumed and retried with the rows that were selected', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  const rows = Array.from({ length: 8 }, (_, at) => `K${at},Mug,${at > 1 && at < 5 ? 'x' : at}`);
  cli.writeLines('in.csv', 'SKU,Name,Price', ...rows, 'TOTAL,8,1', '', 'note,x,1');
  const options = ['--rows', '3-', '--skip-rows', 'SKU=total', '--until-blank-row'];
  const words = ['import', 'products', 'in.csv', '--mapping', 'm.yaml', '--out', 'out', '--max-errors', '2'];
  const stopped = await cli.run(...words, ...options);
  expect(stopped.code, stopped.stderr).toBe(3);
  const resumed = await cli.run('run', 'resume');
  expect(resumed.code, resumed.stderr).toBe(1);
  const { summary } = cli.reports('out');
  expect(summary).toMatchObject({ records: 7, outcomes: { created: 4, invalid: 3 } });
  expect(summary.files).toMatchObject([{ left_out_rows: 3 }]);
  expect(readTable(join(cli.cwd, 'out/errors.csv')).map((row) => row.storeport_row)).toEqual(['4', '5', '6']);
  await cli.run('run', 'retry');
  expect(cli.reports('out').summary).toMatchObject({ records: 7, files: [{ left_out_rows: 3 }] });
  expect(cli.references().sort()).toEqual(['K1', 'K5', 'K6', 'K7']);
});

test('a long run is resumed from its beginning, so that all rows that are left out count', async () => {
  cli.writeLines('m.yaml', ...MAPPING);
  const rows = Array.from({ length: 2600 }, (_, at) =>
    at % 100 === 0 ? 'TOTAL,8,1' : `K${at},Mug,${at > 2400 && at < 2404 ? 'x' : at}`,
  );
  cli.writeLines('in.csv', 'SKU,Name,Price', ...rows);
  const options = ['--mapping', 'm.yaml', '--skip-rows', 'SKU=TOTAL', '--max-errors', '2', '--out', 'out'];
  expect((await cli.run('import', 'products', 'in.csv', ...options)).code).toBe(3);
  expect((await cli.run('run', 'resume')).code).toBe(1);
  const { summary } = cli.reports('out');
  expect(summary).toMatchObject({ records: 2574, outcomes: { created: 2571, invalid: 3 } });
  expect(summary.files).toMatchObject([{ left_out_rows: 26 }]);
});

test('a suggested mapping says which rows are read, and an option wins over it', async () => {
  cli.writeLines('in.csv', 'SKU,Name,Price', 'A,Mug,3', 'TOTAL,1,x', '', 'B,Cup,4');
  const options = ['--rows', '2-8', '--skip-rows', 'SKU=TOTAL', '--until-blank-row'];
  const suggested = await cli.run('mapping', 'suggest', 'products', 'in.csv', '--out', 'm.yaml', ...options);
  expect(suggested.code, suggested.stderr).toBe(0);
  expect(readFileSync(join(cli.cwd, 'm.yaml'), 'utf8')).toContain(
    'source: { rows: 2-8, skip-rows: [ SKU=TOTAL ], until-blank-row: true }\n',
  );
  const words = ['validate', 'products', 'in.csv', '--mapping', 'm.yaml', '--json'];
  const read = await cli.run(...words);
  expect(JSON.parse(read.stdout)).toMatchObject({ records: 1, files: [{ left_out_rows: 2 }] });
  const more = await cli.run(...words, '--until-blank-row=false');
  expect(JSON.parse(more.stdout)).toMatchObject({ records: 2, files: [{ left_out_rows: 1 }] });
});
