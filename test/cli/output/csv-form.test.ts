import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest({ seed: 5 });

const { importProducts, outcomesOf, run } = cli;
const textOf = (file: string) => readFileSync(join(cli.cwd, file), 'utf8');
const firstLine = (file: string) => textOf(file).split('\n')[0];

const FILE = 'name,reference,price.salePrice\nTea; green,T,3\nMug,0017,"1,2,3"\n';
const EXCEL = ['--out-delimiter', ';', '--out-bom'];

describe('--out-delimiter and --out-bom', () => {
  test('the CSV reports of a run have both, are written so again, and are imported without options', async () => {
    await importProducts(FILE, 'one', ...EXCEL);
    const reports = () => ['results', 'errors', 'in-doubt'].map((name) => firstLine(`one/${name}.csv`));
    const OWN =
      'storeport_run;storeport_row;storeport_outcome;storeport_code;storeport_field;storeport_message';
    const expected = [
      '\uFEFFrow;key;outcome;id;http_status;attempts;duration_ms;code;field;message',
      `\uFEFFname;reference;price.salePrice;${OWN}`,
      `\uFEFFname;reference;price.salePrice;${OWN};storeport_found`,
    ];
    expect(reports()).toEqual(expected);
    expect(textOf('one/errors.csv')).toContain('\nMug;0017;1,2,3;');
    await run('run', 'report');
    expect(reports()).toEqual(expected);
    const { run: id } = JSON.parse(textOf('one/summary.json'));

    writeFileSync(join(cli.cwd, 'fixed.csv'), textOf('one/errors.csv').replace('1,2,3', '1'));
    const again = await run('import', 'products', 'fixed.csv');
    expect(again.code, again.stderr).toBe(0);
    expect(await outcomesOf(id)).toEqual({ created: 2 });

    await run('run', 'report', id, '--out-delimiter', 'tab', '--no-out-bom');
    expect(firstLine('one/results.csv')).toMatch(/^row\tkey\toutcome\t/);
    await run('run', 'report', id, '--out-delimiter', ',');
    expect(firstLine('one/results.csv')).toMatch(/^\uFEFFrow,key,outcome,/);
  });

  test('the plan of a check has both', async () => {
    writeFileSync(join(cli.cwd, 'in.csv'), FILE);
    await run('validate', 'products', 'in.csv', '--out', 'v', ...EXCEL);
    expect(firstLine('v/plan.csv')).toMatch(/^\uFEFFrow;key;/);
    expect(JSON.parse(textOf('v/summary.json')).reports).toMatchObject({ plan: 'plan.csv' });
  });

  test('a report on JSON objects is imported again, whatever its delimiter', async () => {
    writeFileSync(
      join(cli.cwd, 'in.json'),
      '[{"reference":"T","tags":["a","b"]},{"reference":"U","name":"Cup"}]',
    );
    await run('import', 'products', 'in.json', '--out', 'one', ...EXCEL);
    const text = textOf('one/errors.csv').replaceAll('{""reference', '{""name"":""Mug"",""reference');
    writeFileSync(join(cli.cwd, 'fixed.csv'), text);
    const again = await run('import', 'products', 'fixed.csv', '--out', 'two');
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(cli.references()).toEqual(['U', 'T']);
  });

  test('results.csv with another delimiter is adopted', async () => {
    await importProducts(FILE, 'one', ...EXCEL);
    const adopted = await run(
      'run',
      'adopt',
      'products',
      'one/results.csv',
      '--out',
      'a',
      '--out-delimiter',
      ';',
    );
    expect(adopted.stdout).toContain('1 unchanged');
    expect(firstLine('a/errors.csv')).toContain('row;key;outcome;id');
    await run('run', 'report');
    expect(firstLine('a/errors.csv')).toContain('row;key;outcome;id');
  });

  test('clean writes both of its files so, and keeps the delimiter of the source without the option', async () => {
    writeFileSync(join(cli.cwd, 'in.csv'), FILE.replaceAll(',', '\t').replace('"1\t2\t3"', 'x'));
    await run('clean', 'products', 'in.csv', '--out', 'native.csv', ...EXCEL);
    expect(textOf('native.csv')).toMatch(/^\uFEFFname;reference;.*\n"Tea; green";T;/);
    expect(firstLine('native.rejects.csv')).toMatch(/^\uFEFFname;reference;price\.salePrice;storeport_run/);
    await run('clean', 'products', 'in.csv', '--keep-columns', '--out', 'kept.csv');
    expect(firstLine('kept.csv')).toBe('name\treference\tprice.salePrice');
    await run('clean', 'products', 'in.csv', '--keep-columns', '--out', 'kept.csv', '--out-delimiter', ',');
    expect(firstLine('kept.csv')).toBe('name,reference,price.salePrice');
  });

  test('an export has both, and more items are added only in the same form', async () => {
    const args = ['export', 'reviews', '--columns', '_id,rating', '--incremental', '--out', 'r.csv'];
    expect((await run(...args, '--limit', '2', ...EXCEL)).code).toBe(0);
    const two = textOf('r.csv');
    expect(two).toMatch(/^\uFEFF_id;rating\n[0-9a-f]+;\d\n[0-9a-f]+;\d\n$/);
    expect(JSON.parse(textOf('r.csv.manifest.json'))).toMatchObject({ delimiter: ';', bom: true });
    for (const other of [[], ['--out-bom'], ['--out-delimiter', ';']]) {
      const refused = await run(...args, ...other);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('another format')]);
    }
    expect((await run(...args, ...EXCEL)).code).toBe(0);
    expect(textOf('r.csv')).toMatch(/^\uFEFF_id;rating\n(?:[0-9a-f]+;\d\n){5}$/);
    await run('export', 'reviews', '--columns', '_id,rating', '--out', 'plain.csv');
    expect(Object.keys(JSON.parse(textOf('plain.csv.manifest.json')))).not.toContain('delimiter');
    const json = await run('export', 'reviews', '--format', 'json', ...EXCEL);
    expect(JSON.parse(json.stdout)).toHaveLength(5);
  });

  test('another delimiter is refused', async () => {
    const refused = await run('export', 'reviews', '--out-delimiter', 'x');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--out-delimiter takes ";", "," or tab'),
    ]);
  });
});
