import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readReports, storeport, temporaryFolder } from '../../support/run.ts';

const GERMAN = 'name;reference;price.salePrice\nGrüne Tasse;T-1;12.50\nMüsli mit Nüssen;T-2;4\n';

test('the format of a file is detected, printed, reported, and can be overridden', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'a.csv.gz'), gzipSync(Buffer.from(GERMAN, 'latin1')));
  writeFileSync(join(cwd, 'b.csv'), Buffer.from(`\uFEFF${GERMAN.replaceAll(';', '\t')}`, 'utf16le'));
  const found = await storeport(['validate', 'products', 'a.csv.gz', 'b.csv', '--out', 'out'], { cwd });
  expect(found.stderr).toContain(
    'Reading a.csv.gz: gzipped CSV in windows-1252 (guessed: set --encoding if it is wrong), delimiter ";", 3 columns.\n' +
      'Reading b.csv: CSV in UTF-16LE, delimiter "\\t", 3 columns.\n',
  );
  const { summary, results } = readReports(join(cwd, 'out'));
  expect(summary.files).toMatchObject([
    {
      file: 'a.csv.gz',
      format: 'csv',
      packed: 'gzip',
      encoding: 'windows-1252',
      guessed: true,
      delimiter: ';',
    },
    { file: 'b.csv', format: 'csv', encoding: 'UTF-16LE', delimiter: '\t', quote: '"' },
  ]);
  expect(summary.outcomes).toEqual({ planned: 2, duplicate: 2 });
  expect(results[2]?.message).toBe('"T-1" is already in "a.csv.gz", row 2; that row was used');

  const named = await storeport(
    ['validate', 'products', 'a.csv.gz', '--out', 'named', '--encoding', 'iso-8859-15', '--format', 'csv'],
    { cwd },
  );
  expect(named.stderr).toContain('Reading a.csv.gz: gzipped CSV in iso-8859-15, delimiter ";", 3 columns.');
  const unknown = await storeport(['validate', 'products', 'a.csv.gz', '--encoding', 'klingon'], { cwd });
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('--encoding "klingon" is not known.');
});

test('unused columns are listed: the first ones on the terminal, all in the summary', async () => {
  const cwd = temporaryFolder();
  const more = Array.from({ length: 9 }, (_, index) => `More ${index}`);
  writeFileSync(
    join(cwd, 'p.csv'),
    `name,reference,productType,${more.join()}\nMug,M-1,PHYSICAL${','.repeat(9)}\n`,
  );
  const ended = await storeport(['validate', 'products', 'p.csv', '--out', 'out'], { cwd });
  expect(ended.stderr).toContain(
    'Not used by the mapping: "More 0", "More 1", "More 2", "More 3", "More 4", "More 5" and 3 more columns.',
  );
  expect(readReports(join(cwd, 'out')).summary.files).toMatchObject([{ unused_columns: more }]);
  const { stdout } = await storeport(['clean', 'products', 'p.csv', '--out', 'c.csv', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ unused_columns: more });
});
