import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, environmentOf, readTable, storeport } from '../../support/run.ts';

const cli = cliForEachTest();

const inStore = () => cli.references();
const { editRows, importProducts, outcomesOf, reports, run } = cli;

const FILE = `name,reference,price.salePrice
Tea,T,3
Mug,M,abc
Cup,C,4
Pot,P,def
`;

describe('import of a corrected errors.csv', () => {
  test('a corrected errors.csv completes the outcomes of its run after any number of rounds', async () => {
    await importProducts(FILE, 'one');
    const first = reports('one').summary.run;
    expect(await outcomesOf(first)).toEqual({ created: 2, invalid: 2 });

    editRows('one/errors.csv', (row) => ({
      ...row,
      'price.salePrice': row.reference === 'M' ? '7' : 'still wrong',
    }));
    const second = await run('import', 'products', 'one/errors.csv', '--out', 'two');
    expect(second.code).toBe(1);
    expect(reports('two').summary.outcomes).toEqual({ created: 1, invalid: 1 });
    expect(await outcomesOf(first)).toEqual({ created: 3, invalid: 1 });

    editRows('two/errors.csv', (row) => ({ ...row, 'price.salePrice': '9' }));
    const third = await run('import', 'products', 'two/errors.csv', '--out', 'three');
    expect(third.code).toBe(0);
    expect(await outcomesOf(first)).toEqual({ created: 4 });
    expect(await outcomesOf(reports('two').summary.run)).toEqual({ created: 2 });
    expect(inStore().sort()).toEqual(['C', 'M', 'P', 'T']);

    // The reports of the first run have the same outcomes, in its own order and with its own rows.
    const { code } = await run('run', 'report', first);
    expect(code).toBe(0);
    expect(booksOf(reports('one')).balanced).toBe(true);
    expect(reports('one').results.map(({ row, key, outcome }) => [row, key, outcome])).toEqual([
      ['2', 'T', 'created'],
      ['3', 'M', 'created'],
      ['4', 'C', 'created'],
      ['5', 'P', 'created'],
    ]);
    expect(reports('one').errors).toEqual([]);
  });

  test('the report of the first run contains the current rows, so that they can be corrected from there', async () => {
    await importProducts(FILE, 'one');
    const first = reports('one').summary.run;
    editRows('one/errors.csv', (row) => ({ ...row, name: `New ${row.name}`, 'price.salePrice': 'xyz' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    await run('run', 'report', first);
    const { errors } = reports('one');
    expect(
      errors.map((row) => [row.name, row['price.salePrice'], row.storeport_run, row.storeport_row]),
    ).toEqual([
      ['New Mug', 'xyz', reports('two').summary.run, '2'],
      ['New Pot', 'xyz', reports('two').summary.run, '3'],
    ]);
    editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
    expect((await run('import', 'products', 'one/errors.csv', '--out', 'three')).code).toBe(0);
    expect(await outcomesOf(first)).toEqual({ created: 4 });
    expect(await outcomesOf(reports('two').summary.run)).toEqual({ created: 2 });
  });

  test('an older errors.csv that is imported again does not revert a correction', async () => {
    await importProducts(FILE, 'one');
    const first = reports('one').summary.run;
    const old = join(cli.cwd, 'old.csv');
    writeFileSync(old, stringify(readTable(join(cli.cwd, 'one/errors.csv')), { header: true }));
    editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    await run('import', 'products', 'old.csv', '--out', 'three');
    expect(reports('three').summary.outcomes).toEqual({ invalid: 2 });
    expect(await outcomesOf(first)).toEqual({ created: 4 });
  });

  test('a corrected row with a changed key creates nothing twice', async () => {
    await importProducts(FILE, 'one');
    editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    editRows('one/errors.csv', (row) => ({ ...row, reference: `${row.reference}-new` }));
    await run('import', 'products', 'one/errors.csv', '--out', 'three');
    expect(reports('three').results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['duplicate', 'returned-before'],
      ['duplicate', 'returned-before'],
    ]);
    expect(inStore()).toHaveLength(4);
  });

  test('uncorrected rows that could not be read are not sent', async () => {
    const ended = await importProducts(
      'name,reference,price.salePrice\nTea,T\nMug,M,7\nCup,C,4,extra\n',
      'one',
    );
    expect(ended.code).toBe(1);
    const first = reports('one').summary.run;
    expect(reports('one').errors).toHaveLength(2);
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    expect(reports('two').results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['invalid', 'ragged-row'],
      ['invalid', 'ragged-row'],
    ]);
    expect(reports('two').results[0]?.message).toContain(`not corrected since the run ${first}`);
    editRows('two/errors.csv', (row) => ({
      ...row,
      'price.salePrice': row.reference === 'T' ? '3' : '4.5',
      storeport_surplus: '',
    }));
    expect((await run('import', 'products', 'two/errors.csv', '--out', 'three')).code).toBe(0);
    expect(await outcomesOf(first)).toEqual({ created: 3 });
  });

  test('a corrected row ends as if right from the start when a later valid row has its key', async () => {
    const twice = 'name,reference,price.salePrice\nTea,T,abc\nMug,M,7\nOther tea,T,3\n';
    for (const args of [['validate'], ['import', '--sandbox'], ['import']]) {
      const [command = '', ...more] = args;
      writeFileSync(join(cli.cwd, 'in.csv'), twice);
      await run(command, 'products', 'in.csv', '--out', 'one', ...more);
      expect(reports('one').results.map(({ outcome }) => outcome)).toEqual([
        'invalid',
        command === 'validate' ? 'planned' : 'created',
        'duplicate',
      ]);
      expect(reports('one').results[2]?.message).toContain(
        '"T" is already in row 2, and that row is invalid',
      );
    }
    editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    const names = cli.products().map(({ name }) => name);
    expect(names.sort()).toEqual(['Mug', 'Tea']);
    // After both files were imported once more, nothing is left to do and nothing is overwritten.
    await importProducts(twice.replace('abc', '5'), 'again');
    expect(reports('again').summary.outcomes).toEqual({ unchanged: 2, duplicate: 1 });
  });

  test('a corrected errors.csv belongs to no earlier run in another store', async () => {
    await importProducts(FILE, 'one');
    const first = reports('one').summary.run;
    const other = await startSandbox();
    try {
      editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
      const args = ['import', 'products', 'one/errors.csv', '--out', 'two'];
      expect((await storeport(args, { cwd: cli.cwd, env: environmentOf(other) })).code).toBe(0);
      expect(other.count('products')).toBe(2);
      expect(await outcomesOf(first)).toEqual({ created: 2, invalid: 2 });
    } finally {
      await other.close();
    }
  });
});
