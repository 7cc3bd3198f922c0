import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();
const pageIn = (out: string) => readFileSync(join(cli.cwd, out, 'report.html'), 'utf8');
const FILE = 'reference,name,price.salePrice\nPEN-01,Fountain pen,12\nINK-07,Blue ink,about 9\n';

test('a run leaves a page, and run report writes the same again', async () => {
  expect((await cli.importProducts(FILE, 'out')).code).toBe(1);
  const page = pageIn('out');
  expect(page).toContain('1 of 2 products arrived in 127.0.0.1');
  expect(page).toContain('about 9');
  rmSync(join(cli.cwd, 'out', 'report.html'));
  expect((await cli.run('run', 'report')).code).toBe(1);
  expect(pageIn('out')).toBe(page);
});

test('--report-without-rows is kept with the run, and run report can override it', async () => {
  await cli.importProducts(FILE, 'out', '--report-without-rows');
  for (const hidden of ['about 9', 'INK-07']) expect(pageIn('out')).not.toContain(hidden);
  await cli.run('run', 'report');
  expect(pageIn('out')).not.toContain('about 9');
  await cli.run('run', 'report', '--no-report-without-rows');
  expect(pageIn('out')).toContain('about 9');
});

test('a check has a page with its plan, and passwords of customers are in no page', async () => {
  cli.writeLines(
    'in.csv',
    'email,firstname,lastname,password,status',
    'ann@example.com,Ann,Leigh,hunter2-hunter2,GONE',
  );
  await cli.run('validate', 'customers', 'in.csv', '--out', 'check');
  expect(readFileSync(join(cli.cwd, 'check', 'errors.csv'), 'utf8')).toContain('hunter2');
  expect(pageIn('check')).toContain('ann@example.com');
  expect(pageIn('check')).toContain('What an import would do');
  expect(pageIn('check')).not.toContain('hunter2');
});

test('a clean-up and an export have a page beside their file, and none for standard output', async () => {
  cli.writeLines(
    'in.csv',
    'reference,name,price.salePrice',
    'PEN-01, Fountain pen,12',
    'INK-07,Blue ink,about 9',
  );
  await cli.run('clean', 'products', 'in.csv', '--out', 'clean.csv.gz');
  await cli.run('clean', 'products', 'in.csv');
  expect((await cli.run('export', 'reviews', '--out', 'reviews.csv')).code).toBe(0);
  await cli.run('export', 'reviews');
  const pages = readdirSync(cli.cwd).filter((name) => name.endsWith('.html'));
  expect(pages).toEqual(['clean.report.html', 'reviews.csv.report.html']);
  const clean = readFileSync(join(cli.cwd, 'clean.report.html'), 'utf8');
  for (const text of ['1 of 2 products are clean; 1 is left out', 'clean.rejects.csv', 'about 9'])
    expect(clean).toContain(text);
  await cli.run('clean', 'products', 'in.csv', '--out', 'other.csv', '--report-without-rows');
  expect(readFileSync(join(cli.cwd, 'other.report.html'), 'utf8')).not.toContain('about 9');
  const exported = readFileSync(join(cli.cwd, 'reviews.csv.report.html'), 'utf8');
  const { sha256 } = JSON.parse(readFileSync(join(cli.cwd, 'reviews.csv.manifest.json'), 'utf8'));
  expect(exported).toContain('reviews are in reviews.csv');
  expect(exported).toContain(sha256);
});

test('the page of a clean-up shows the empty rows and the digest of each of its files', async () => {
  cli.writeLines('a.csv', 'reference,name,shelf', 'PEN-01,Fountain pen,A1');
  cli.writeLines('b.csv', 'reference,name,shelf', 'INK-07,Blue ink,B4', ',,', 'NIB-02,Nib,B5');
  await cli.run('clean', 'products', 'a.csv', 'b.csv', '--out', 'clean.csv');
  const page = readFileSync(join(cli.cwd, 'clean.report.html'), 'utf8');
  expect(page).toContain('1 empty row in b.csv.');
  for (const file of ['a.csv', 'b.csv']) {
    const digest = createHash('sha256').update(readFileSync(join(cli.cwd, file)));
    expect(page).toContain(`${file}, sha256 ${digest.digest('hex')}`);
    expect(page).toContain(`Columns of ${file} that the mapping does not use`);
  }
});

test('the page of a clean-up hides passwords, also among changed and damaged cells', async () => {
  const lines = ['email,firstname,lastname,password', 'ann@example.com,Ann,Leigh, hunter2-hunter2 '];
  cli.writeLines('in.csv', ...lines, 'bob@example.com,Bob,Leigh,1.23457E+15');
  await cli.run('clean', 'customers', 'in.csv', '--out', 'clean.csv');
  const page = readFileSync(join(cli.cwd, 'clean.report.html'), 'utf8');
  for (const title of ['What was changed', 'Cells that look damaged']) expect(page).toContain(title);
  for (const hidden of ['hunter2', '1.23457E+15']) expect(page).not.toContain(hidden);
});

test('no page is written over a file that the command reads', async () => {
  cli.writeLines('in.report.html', 'reference,name', 'PEN-01,Fountain pen');
  const { code, stderr } = await cli.run('clean', 'products', 'in.report.html', '--out', 'in.csv');
  expect([code, stderr]).toEqual([2, expect.stringContaining('in.report.html')]);
});
