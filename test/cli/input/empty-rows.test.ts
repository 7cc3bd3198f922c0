import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

function folderWith(files: Record<string, string>): string {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

test('empty rows are counted and are not records', async () => {
  const cwd = folderWith({ 's.csv': 'name,address1\nAnn,Pier 1\n,\nBob,Pier 2\n , \n,\n' });
  const ended = await storeport(['import', 'suppliers', 's.csv', '--sandbox', '--out', 'out'], { cwd });
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain('\n3 empty rows were left out.\n');
  const { summary, results } = readReports(join(cwd, 'out'));
  expect(summary).toMatchObject({ records: 2, outcomes: { created: 2 }, files: [{ empty_rows: 3 }] });
  expect(results.map(({ row }) => row)).toEqual(['2', '4']);
  const report = await storeport(['run', 'report', 'last', '--json'], { cwd });
  expect(JSON.parse(report.stdout)).toHaveProperty('files.0.empty_rows', 3);
});

test('an empty row continues no record and does not split the record around it', async () => {
  const mapping =
    'resource: products\ngroup: { by: Handle, empty: continues }\nfields:\n  reference: Handle\n  name: Title\n  productType: { const: PHYSICAL }\n  variants: { each: row, fields: { name: Size } }\n';
  const cwd = folderWith({
    'm.yaml': mapping,
    'p.csv': 'Handle,Title,Size\ntee,Tee,S\n,,\n,,M\n,,\ncap,Cap,\n',
  });
  const args = ['validate', 'products', 'p.csv', '--mapping', 'm.yaml', '--out', 'out'];
  const { stdout } = await storeport(args, { cwd });
  expect(stdout).toContain('2 empty rows were left out.');
  const { summary, results } = readReports(join(cwd, 'out'));
  expect(summary.outcomes).toEqual({ planned: 2 });
  expect(results.map(({ row, key }) => [row, key])).toEqual([
    ['2', 'tee'],
    ['6', 'cap'],
  ]);
});

test('clean omits empty rows from both files and counts them', async () => {
  const cwd = folderWith({ 's.csv': 'name,address1\nAnn,Pier 1\n,\n,Pier 2\n,\n' });
  const args = ['clean', 'suppliers', 's.csv', '--out', 'c.csv', '--keep-columns', '--json'];
  const { stdout } = await storeport(args, { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ records: 2, empty_rows: 2 });
  expect(readFileSync(join(cwd, 'c.csv'), 'utf8')).toBe('name,address1\nAnn,Pier 1\n');
  expect(readFileSync(join(cwd, 'c.rejects.csv'), 'utf8').trim().split('\n')).toHaveLength(2);
});

test('a resumed run counts each empty row once', async () => {
  // Without a name they are invalid, so nothing is sent; long, so that resuming reads on in the middle.
  const rows = Array.from({ length: 1600 }, (_, n) => `${n},,${'a mug '.repeat(40)}\n,,\n`);
  const cwd = folderWith({ 'p.csv': `reference,name,description\n${rows.join('')}` });
  const sandbox = await startSandbox();
  try {
    const to = { cwd, env: environmentOf(sandbox) };
    await storeport(['import', 'products', 'p.csv', '--max-errors', '1300', '--out', 'out'], to);
    const stopped = readReports(join(cwd, 'out')).summary;
    expect(stopped.files).toMatchObject([{ empty_rows: expect.any(Number) }]);
    await storeport(['run', 'resume', 'last'], to);
    const { summary } = readReports(join(cwd, 'out'));
    expect(summary).toMatchObject({ outcomes: { invalid: 1600 }, files: [{ empty_rows: 1600 }] });
  } finally {
    await sandbox.close();
  }
});
