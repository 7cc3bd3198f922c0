import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { readTable } from '../../support/run.ts';
import {
  editWorkbook,
  makeWorkbook,
  markedCells,
  notesIn,
  readParts,
  readWorkbookTable,
  textRow,
} from '../../support/workbook.ts';

const cli = cliForEachTest();

const { importProducts, outcomesOf, run } = cli;
const inFolder = (name: string) => join(cli.cwd, name);
const summaryIn = (folder: string) => JSON.parse(readFileSync(inFolder(`${folder}/summary.json`), 'utf8'));
const filesIn = (folder: string) => readdirSync(inFolder(folder)).sort();

const FILE = `name,reference,price.salePrice,html
Tea,T,3,
Mug,0017,abc,"=1+1, as
  text _x0041_ "
Cup,C,4,
,P,5,
`;
const AS_XLSX = ['errors.xlsx', 'in-doubt.xlsx', 'report.html', 'results.csv', 'summary.json'];
const AS_CSV = ['errors.csv', 'in-doubt.csv', 'report.html', 'results.csv', 'summary.json'];

describe('--errors-as xlsx', () => {
  test('errors.xlsx marks the wrong cells, and completes its run after any number of rounds', async () => {
    const first = await importProducts(FILE, 'one', '--errors-as', 'xlsx');
    expect(first.stdout).toContain('To do: correct the rows in errors.xlsx, then import that file.');
    expect(filesIn('one')).toEqual(AS_XLSX);
    const { run: id, reports } = summaryIn('one');
    expect(reports).toMatchObject({
      results: 'results.csv',
      errors: ['errors.xlsx'],
      in_doubt: ['in-doubt.xlsx'],
    });
    const parts = await readParts(inFolder('one/errors.xlsx'));
    expect(markedCells(parts['xl/worksheets/sheet1.xml'] ?? '')).toEqual(['C2', 'A3']);
    expect(notesIn(parts['xl/comments1.xml'])).toMatchObject({
      C2: '&quot;abc&quot; is not a number; write it like 1234.50',
      A3: 'name is missing: fill this cell',
    });

    await editWorkbook(inFolder('one/errors.xlsx'), (row) =>
      row.reference === '0017' ? { ...row, 'price.salePrice': '7' } : row,
    );
    const second = await run('import', 'products', 'one/errors.xlsx', '--out', 'two', '--errors-as', 'xlsx');
    expect(second.code, second.stderr).toBe(1);
    expect(await outcomesOf(id)).toEqual({ created: 3, invalid: 1 });
    expect(cli.products()).toContainEqual(
      expect.objectContaining({ reference: '0017', html: '=1+1, as\n  text _x0041_ ' }),
    );
    await editWorkbook(inFolder('two/errors.xlsx'), (row) => ({ ...row, name: 'Pot' }));
    expect((await run('import', 'products', 'two/errors.xlsx', '--out', 'three')).code).toBe(0);
    expect(await outcomesOf(id)).toEqual({ created: 4 });
    expect(cli.references().sort()).toEqual(['0017', 'C', 'P', 'T']);

    expect((await run('run', 'report', id)).code).toBe(0);
    expect(await readWorkbookTable(inFolder('one/errors.xlsx'))).toEqual([]);
  });

  test('run report, resume and show use the form of the run, and --errors-as overrides it', async () => {
    const bad = ['a', 'b', 'c'].map((key) => `Mug,${key},x,`).join('\n');
    const text = `name,reference,price.salePrice,html\n${bad}\nTea,T,3,\n`;
    await importProducts(text, 'one', '--errors-as', 'xlsx', '--max-errors', '1');
    expect(filesIn('one')).toEqual(AS_XLSX);
    rmSync(inFolder('one/errors.xlsx'));
    expect((await run('run', 'resume')).code).toBe(1);
    expect(filesIn('one')).toEqual(AS_XLSX);
    expect(await readWorkbookTable(inFolder('one/errors.xlsx'))).toHaveLength(3);
    const shown = JSON.parse((await run('run', 'show', '--json')).stdout);
    expect(shown.reports.errors).toEqual(['errors.xlsx']);

    const report = await run('run', 'report', '--errors-as', 'csv');
    expect(report.stdout).toContain('correct the rows in errors.csv');
    expect(filesIn('one')).toEqual(AS_CSV);
    expect((await run('run', 'show')).stdout).toContain('correct the rows in errors.csv');
    await run('run', 'report');
    expect(filesIn('one')).toEqual(AS_XLSX);
    await run('run', 'retry', '--errors-as', 'csv');
    expect(filesIn('one')).toEqual(AS_CSV);
  });

  test('validate, adopt and undo write workbooks too', async () => {
    writeFileSync(inFolder('in.csv'), FILE);
    const checked = await run('validate', 'products', 'in.csv', '--out', 'v', '--errors-as', 'xlsx');
    expect(checked.stdout).toContain('errors.xlsx has the rows to correct.');
    expect(await readWorkbookTable(inFolder('v/errors.xlsx'))).toHaveLength(2);
    cli.writeLines('ids.csv', 'reference,_id', 'A,', 'B,5a9d0b010000000000000007');
    await run('run', 'adopt', 'products', 'ids.csv', '--out', 'a', '--errors-as', 'xlsx');
    expect(filesIn('a')).toEqual(AS_XLSX);
    await run('run', 'report');
    expect(filesIn('a')).toEqual(AS_XLSX);
    await run('import', 'products', 'in.csv', '--out', 'i', '--errors-as', 'xlsx');
    await run('run', 'undo', '--yes', '--out', 'u');
    expect(filesIn('u')).toEqual(AS_XLSX);
  });

  test('all wrong cells of a record are marked, also those that its message only counts', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => `K,Shirt,${at},x${at}`);
    writeFileSync(inFolder('in.csv'), `key,name,size,price\n${rows.join('\n')}\n`);
    cli.writeLines(
      'map.yaml',
      'resource: products',
      'group: { by: key }',
      'fields:',
      '  reference: key',
      '  name: name',
      '  variants: { each: row, fields: { price.salePrice: { from: price, number: true } } }',
    );
    const ended = await run('import', 'products', 'in.csv', '--mapping', './map.yaml', '--out', 'one');
    expect(ended.stderr + ended.stdout).toContain('40 ×');
    await run('run', 'report', '--errors-as', 'xlsx');
    const sheet = (await readParts(inFolder('one/errors.xlsx')))['xl/worksheets/sheet1.xml'] ?? '';
    expect(markedCells(sheet)).toEqual(rows.map((_, at) => `D${at + 2}`));
  });

  test('rows that no workbook can hold are in errors.csv beside it, and both files are imported', async () => {
    const long = 'x'.repeat(32_768);
    const text = `name,reference,price.salePrice,html\nTea,T,x,${long}\nMug,M,x,short\n`;
    const first = await importProducts(text, 'one', '--errors-as', 'xlsx');
    expect(first.stdout).toContain(
      'correct the rows in errors.xlsx and errors.csv (rows that a workbook cannot hold), then import both files.',
    );
    const { run: id } = summaryIn('one');
    cli.editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '1' }));
    await editWorkbook(inFolder('one/errors.xlsx'), (row) => ({ ...row, 'price.salePrice': '2' }));
    const again = await run('import', 'products', 'one/errors.xlsx', 'one/errors.csv', '--out', 'two');
    expect(again.code, again.stderr).toBe(0);
    expect(await outcomesOf(id)).toEqual({ created: 2 });
  });

  test('the rows of a workbook of JSON objects, and of damaged rows, are recognised as before', async () => {
    writeFileSync(inFolder('in.json'), '[{"name":"Tea","reference":"T"},{"reference":"0017","tags":["a"]}]');
    await run('import', 'products', 'in.json', '--out', 'one', '--errors-as', 'xlsx');
    const { run: id } = summaryIn('one');
    await editWorkbook(inFolder('one/errors.xlsx'), (row) => ({
      ...row,
      json: row.json?.replace('{', '{"name":"Mug",') ?? '',
    }));
    expect((await run('import', 'products', 'one/errors.xlsx', '--out', 'two')).code).toBe(0);
    expect(await outcomesOf(id)).toEqual({ created: 2 });

    await importProducts('name,reference,html\nPot,P\n', 'three', '--errors-as', 'xlsx');
    await run('import', 'products', 'three/errors.xlsx', '--out', 'four');
    expect(readTable(inFolder('four/errors.csv'))).toMatchObject([
      { storeport_code: 'ragged-row', storeport_message: expect.stringContaining('not corrected since') },
    ]);
  });

  test('surplus cells of a workbook are red, and hold their row until they are empty', async () => {
    await importProducts('name,reference,price.salePrice\nTea,T,1,200\n', 'one', '--errors-as', 'xlsx');
    const sheet = (await readParts(inFolder('one/errors.xlsx')))['xl/worksheets/sheet1.xml'] ?? '';
    expect(markedCells(sheet)).toEqual(['J2']);
    await editWorkbook(inFolder('one/errors.xlsx'), (row) => ({ ...row, name: 'Green tea' }));
    await run('import', 'products', 'one/errors.xlsx', '--out', 'two', '--errors-as', 'xlsx');
    expect(summaryIn('two').outcomes).toEqual({ invalid: 1 });
    await editWorkbook(inFolder('two/errors.xlsx'), (row) => {
      expect(row.storeport_surplus).toBe('200');
      return { ...row, 'price.salePrice': '1200', storeport_surplus: '' };
    });
    expect((await run('import', 'products', 'two/errors.xlsx', '--out', 'three')).code).toBe(0);
    expect(cli.products()).toMatchObject([{ name: 'Green tea', price: { salePrice: 1200 } }]);
    expect(await outcomesOf(summaryIn('one').run)).toEqual({ created: 1 });
  });

  test('answers in in-doubt.xlsx resolve its records', async () => {
    cli.sandbox.misbehave({ 'late-reset': '#2@create' });
    const text = 'name,reference\nTea,T\nMug,M\nPot,P\n';
    const ended = await importProducts(text, 'one', '--concurrency', '1', '--errors-as', 'xlsx');
    cli.sandbox.misbehave({});
    expect(ended.stdout).toContain('look in the store for the records in in-doubt.xlsx');
    const listed = await run('run', 'resolve');
    expect(listed.stdout).toContain('--from one/in-doubt.xlsx');
    const id = String(cli.products().find(({ reference }) => reference === 'M')?._id);
    await editWorkbook(inFolder('one/in-doubt.xlsx'), (row) => ({ ...row, storeport_found: id }));
    const resolved = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.xlsx');
    expect(resolved.code, resolved.stderr).toBe(0);
    expect(await outcomesOf(summaryIn('one').run)).toEqual({ created: 3 });
    expect(filesIn('one')).toEqual(AS_XLSX);
  });

  test('a report in the other form that is a source of the run is not removed', async () => {
    await importProducts(FILE, 'one');
    const refused = await run('import', 'products', 'one/errors.csv', '--out', 'one', '--errors-as', 'xlsx');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('one/errors.csv')]);
    expect(existsSync(inFolder('one/errors.csv'))).toBe(true);
    writeFileSync(inFolder('one/errors.xlsx'), await makeWorkbook({ rows: textRow(1, 'name', 'reference') }));
    expect((await run('import', 'products', 'one/errors.xlsx', '--out', 'one')).code).toBe(2);
  });

  test('a full disk leaves no part of a workbook', async () => {
    const bad = Array.from({ length: 3000 }, (_, at) => `Mug ${at},${at},x,${at * 7919}`).join('\n');
    writeFileSync(inFolder('in.csv'), `name,reference,price.salePrice,html\n${bad}\n`);
    const args = ['validate', 'products', 'in.csv', '--errors-as', 'xlsx', '--out', 'v'];
    const full = await cli.runProcess(args, { fileBlocks: 100 });
    expect([full.code, full.stderr]).toEqual([3, expect.stringContaining('cannot be written')]);
    expect(filesIn('v')).toEqual([]);
    expect((await run(...args)).code).toBe(1);
    expect(await readWorkbookTable(inFolder('v/errors.xlsx'))).toHaveLength(3000);
  });
});
