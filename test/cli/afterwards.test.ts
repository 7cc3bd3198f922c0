import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { cliForEachTest } from '../support/cli.ts';
import { booksOf, type Ended, environmentOf, readTable, storeport } from '../support/run.ts';

const cli = cliForEachTest();

const { run } = cli;

/** Imports this text into the folder `out`. */
async function importing(text: string, out: string, ...more: string[]): Promise<Ended> {
  writeFileSync(join(cli.cwd, 'in.csv'), text);
  return run('import', 'products', 'in.csv', '--out', out, ...more);
}

const inStore = () => cli.references();
const sends = () => cli.sends().length;
const { reports } = cli;

/** The books of a run as the ledger has them now. */
async function books(id: string): Promise<Record<string, number>> {
  const { stdout } = await run('run', 'show', id, '--json');
  return JSON.parse(stdout).outcomes;
}

/** Changes the rows of a report as people do in a spreadsheet. */
function edit(
  file: string,
  change: (row: Record<string, string>) => Record<string, string> | undefined,
): void {
  const path = join(cli.cwd, file);
  const rows = readTable(path).map(change);
  writeFileSync(path, stringify(rows, { header: true }));
}

const FILE = `name,reference,price.salePrice
Tea,T,3
Mug,M,abc
Cup,C,4
Pot,P,def
`;

describe('import of a corrected errors.csv', () => {
  test('a corrected errors.csv completes the outcomes of its run after any number of rounds', async () => {
    await importing(FILE, 'one');
    const first = reports('one').summary.run;
    expect(await books(first)).toEqual({ created: 2, invalid: 2 });

    edit('one/errors.csv', (row) => ({
      ...row,
      'price.salePrice': row.reference === 'M' ? '7' : 'still wrong',
    }));
    const second = await run('import', 'products', 'one/errors.csv', '--out', 'two');
    expect(second.code).toBe(1);
    expect(reports('two').summary.outcomes).toEqual({ created: 1, invalid: 1 });
    expect(await books(first)).toEqual({ created: 3, invalid: 1 });

    edit('two/errors.csv', (row) => ({ ...row, 'price.salePrice': '9' }));
    const third = await run('import', 'products', 'two/errors.csv', '--out', 'three');
    expect(third.code).toBe(0);
    expect(await books(first)).toEqual({ created: 4 });
    expect(await books(reports('two').summary.run)).toEqual({ created: 2 });
    expect(inStore().sort()).toEqual(['C', 'M', 'P', 'T']);

    // The reports of the first run say so too, in its own order and with its own rows.
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
    await importing(FILE, 'one');
    const first = reports('one').summary.run;
    edit('one/errors.csv', (row) => ({ ...row, name: `New ${row.name}`, 'price.salePrice': 'xyz' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    await run('run', 'report', first);
    const { errors } = reports('one');
    expect(
      errors.map((row) => [row.name, row['price.salePrice'], row.storeport_run, row.storeport_row]),
    ).toEqual([
      ['New Mug', 'xyz', reports('two').summary.run, '2'],
      ['New Pot', 'xyz', reports('two').summary.run, '3'],
    ]);
    edit('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
    expect((await run('import', 'products', 'one/errors.csv', '--out', 'three')).code).toBe(0);
    expect(await books(first)).toEqual({ created: 4 });
    expect(await books(reports('two').summary.run)).toEqual({ created: 2 });
  });

  test('an older errors.csv that is imported again does not revert a correction', async () => {
    await importing(FILE, 'one');
    const first = reports('one').summary.run;
    const old = join(cli.cwd, 'old.csv');
    writeFileSync(old, stringify(readTable(join(cli.cwd, 'one/errors.csv')), { header: true }));
    edit('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    await run('import', 'products', 'old.csv', '--out', 'three');
    expect(reports('three').summary.outcomes).toEqual({ invalid: 2 });
    expect(await books(first)).toEqual({ created: 4 });
  });

  test('a corrected row with a changed key creates nothing twice', async () => {
    await importing(FILE, 'one');
    edit('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    edit('one/errors.csv', (row) => ({ ...row, reference: `${row.reference}-new` }));
    await run('import', 'products', 'one/errors.csv', '--out', 'three');
    expect(reports('three').results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['duplicate', 'returned-before'],
      ['duplicate', 'returned-before'],
    ]);
    expect(inStore()).toHaveLength(4);
  });

  test('uncorrected rows that could not be read are not sent', async () => {
    const ended = await importing('name,reference,price.salePrice\nTea,T\nMug,M,7\nCup,C,4,extra\n', 'one');
    expect(ended.code).toBe(1);
    const first = reports('one').summary.run;
    expect(reports('one').errors).toHaveLength(2);
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    expect(reports('two').results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['invalid', 'ragged-row'],
      ['invalid', 'ragged-row'],
    ]);
    expect(reports('two').results[0]?.message).toContain(`not corrected since the run ${first}`);
    edit('two/errors.csv', (row) => ({ ...row, 'price.salePrice': row.reference === 'T' ? '3' : '4.5' }));
    expect((await run('import', 'products', 'two/errors.csv', '--out', 'three')).code).toBe(0);
    expect(await books(first)).toEqual({ created: 3 });
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
        '"T" stands in row 2 already, and that row is invalid',
      );
    }
    edit('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    const names = cli.products().map(({ name }) => name);
    expect(names.sort()).toEqual(['Mug', 'Tea']);
    // Both files once more: nothing is left to do, and nothing is overwritten.
    await importing(twice.replace('abc', '5'), 'again');
    expect(reports('again').summary.outcomes).toEqual({ unchanged: 2, duplicate: 1 });
  });

  test('a corrected errors.csv belongs to no earlier run in another store', async () => {
    await importing(FILE, 'one');
    const first = reports('one').summary.run;
    const other = await startSandbox();
    try {
      edit('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '5' }));
      const args = ['import', 'products', 'one/errors.csv', '--out', 'two'];
      expect((await storeport(args, { cwd: cli.cwd, env: environmentOf(other) })).code).toBe(0);
      expect(other.count('products')).toBe(2);
      expect(await books(first)).toEqual({ created: 2, invalid: 2 });
    } finally {
      await other.close();
    }
  });
});

/** A run with three products that are there, one that is there without an answer, and one that is not. */
async function inDoubt(): Promise<string> {
  cli.sandbox.misbehave({ 'late-reset': '#2@create', reset: '#4@create' });
  // One by one, with answers between: a store that gives none at all would stop the run.
  const text = 'name,reference\nTea,T\nA,a\nMug,M\nB,b\nPot,P\n';
  await importing(text, 'one', '--concurrency', '1');
  cli.sandbox.misbehave({});
  expect(reports('one').summary.outcomes).toEqual({ created: 3, 'in-doubt': 2 });
  expect(inStore()).toEqual(['T', 'a', 'M', 'P']);
  return reports('one').summary.run;
}

const idOf = (key: string) => String(cli.products().find(({ reference }) => reference === key)?._id);

describe('run resolve', () => {
  test('records in doubt are listed, resolved one by one, and sent again if they are missing in the store', async () => {
    const id = await inDoubt();
    const listed = await run('run', 'resolve');
    expect(listed.code).toBe(1);
    expect(listed.stdout).toContain(`In doubt in the run ${id}: 2.`);
    const resolved = await run('run', 'resolve', 'last', '--key', 'a', '--there', idOf('a'), '--json');
    expect(JSON.parse(resolved.stdout)).toMatchObject({
      resolved: 1,
      outcomes: { created: 4, 'in-doubt': 1 },
    });
    const others = await run('run', 'resolve', 'last', '--all', '--not-there');
    expect(others.code).toBe(1);
    expect(await books(id)).toEqual({ created: 4, failed: 1 });
    expect(booksOf(reports('one')).balanced).toBe(true);
    expect(reports('one').errors).toHaveLength(1);

    const before = sends();
    const retried = await run('run', 'retry');
    expect(retried.code).toBe(0);
    expect(sends() - before).toBe(1);
    expect(await books(id)).toEqual({ created: 5 });
    expect(inStore().sort()).toEqual(['M', 'P', 'T', 'a', 'b']);
    expect(booksOf(reports('one')).balanced).toBe(true);
    expect(reports('one').errors).toEqual([]);
    // Whose identifier is known is not made again: the file once more sends nothing.
    await importing('name,reference\nA,a\nB,b\n', 'again');
    expect(reports('again').summary.outcomes).toEqual({ unchanged: 2 });
  });

  test('an edited in-doubt.csv resolves its records and leaves empty answers in doubt', async () => {
    const id = await inDoubt();
    const found: Record<string, string> = { a: idOf('a') };
    edit('one/in-doubt.csv', (row) => ({ ...row, storeport_found: found[row.reference ?? ''] ?? '' }));
    const { stdout, code } = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.csv');
    expect(code).toBe(1);
    expect(stdout).toContain('1 record is no longer in doubt');
    expect(await books(id)).toEqual({ created: 4, 'in-doubt': 1 });
    expect(reports('one').inDoubt.map(({ reference }) => reference)).toEqual(['b']);
  });

  test('invalid answers in an edited in-doubt.csv are reported row by row', async () => {
    await inDoubt();
    edit('one/in-doubt.csv', (row) => ({
      ...row,
      storeport_row: row.reference === 'a' ? 'x' : row.reference === 'b' ? '2' : (row.storeport_row ?? ''),
      storeport_found: 'no',
    }));
    const { stderr, stdout } = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.csv', '--json');
    expect(stderr).toContain('in-doubt.csv, row 2: storeport_row holds "x"');
    expect(stderr).toContain('in-doubt.csv, row 3: row 2 of the run');
    expect(JSON.parse(stdout)).toMatchObject({
      resolved: 0,
      outcomes: { created: 3, 'in-doubt': 2 },
    });
  });

  test('a record in doubt is not resolved with the identifier of another record', async () => {
    await inDoubt();
    edit('one/in-doubt.csv', (row) => ({ ...row, storeport_found: idOf('a') }));
    const { stderr, stdout } = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.csv', '--json');
    expect(stderr).toContain(`in-doubt.csv, row 3: the identifier ${idOf('a')} is already that of "a"`);
    expect(JSON.parse(stdout)).toMatchObject({ resolved: 1, outcomes: { created: 4, 'in-doubt': 1 } });
  });

  test('a record in doubt is not resolved with an empty or blank identifier, one with blanks, or a word for no value', async () => {
    await inDoubt();
    for (const there of ['', '  ', '\u00a0', '5a9d 0b01', '5a9d\u200b0b01', 'null']) {
      const { code, stderr } = await run('run', 'resolve', 'last', '--key', 'a', '--there', there);
      expect([there, code, stderr]).toEqual([
        there,
        2,
        expect.stringMatching(/--there (is empty|.* is no identifier)/),
      ]);
    }
    for (const option of ['--key', '--code', '--from']) {
      const rest = option === '--from' ? [] : ['--not-there'];
      const { code, stderr } = await run('run', 'resolve', 'last', option, ' ', ...rest);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} is empty`)]);
    }
    const answers: Record<string, string> = { a: '5a9d 0b01', b: 'yes' };
    edit('one/in-doubt.csv', (row) => ({ ...row, storeport_found: answers[row.reference ?? ''] ?? '' }));
    const { stderr } = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.csv');
    expect(stderr).toContain('in-doubt.csv, row 2: storeport_found holds "5a9d 0b01": it has blanks');
    expect(stderr).toContain('in-doubt.csv, row 3: storeport_found holds "yes": it is unclear');
    expect(await books('last')).toEqual({ created: 3, 'in-doubt': 2 });
  });

  test('a record in doubt is not resolved with an identifier that the ledger knows', async () => {
    await inDoubt();
    const taken = await run('run', 'resolve', 'last', '--key', 'b', '--there', idOf('T'));
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringContaining(`${idOf('T')} is already that of "T"`),
    ]);
    // What was resolved before counts as well, and blanks around an identifier do not.
    const first = await run('run', 'resolve', 'last', '--key', 'a', '--there', ` ${idOf('a')} `);
    expect(first.stdout).toContain('1 record is no longer in doubt');
    const second = await run('run', 'resolve', 'last', '--key', 'b', '--there', idOf('a'));
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('already that of "a"')]);
    edit('one/in-doubt.csv', (row) => ({ ...row, storeport_found: idOf('M') }));
    const many = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.csv');
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('already that of "M"')]);
    expect(await books('last')).toEqual({ created: 4, 'in-doubt': 1 });
  });

  test('--ask searches the list of the store and checks it against records known to be there', async () => {
    const id = await inDoubt();
    const ended = await run('run', 'resolve', 'last', '--ask');
    expect(ended.stderr).toContain("The store's list has 3 of 3 products that are known to be there.");
    expect(await books(id)).toEqual({ created: 4, failed: 1 });
    expect(reports('one').results.find(({ key }) => key === 'a')?.id).toBe(idOf('a'));
    expect((await run('run', 'retry')).code).toBe(0);
    expect(await books(id)).toEqual({ created: 5 });
    expect(inStore().sort()).toEqual(['M', 'P', 'T', 'a', 'b']);
  });

  test('--ask decides nothing when no record is known to be in the store', async () => {
    cli.sandbox.misbehave({ reset: '#1-3@create' });
    await importing('name,reference\nA,a\n', 'one');
    const { code, stderr } = await run('run', 'resolve', 'last', '--ask');
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be judged')]);
  });

  test('a record in doubt stays in doubt when it is imported again', async () => {
    const id = await inDoubt();
    const before = sends();
    const { stdout } = await run('import', 'products', 'one/in-doubt.csv', '--out', 'two');
    expect(sends()).toBe(before);
    expect(reports('two').summary.outcomes).toEqual({ 'in-doubt': 2 });
    expect(stdout).toContain('storeport run resolve');
    expect(reports('two').inDoubt.map((row) => row.storeport_run)).toEqual([id, id]);
    // Resolved where it belongs, it can be sent.
    await run('run', 'resolve', id, '--all', '--not-there');
    await run('run', 'retry', id);
    expect(await books(id)).toEqual({ created: 5 });
    // What was imported in vain is no longer in doubt either.
    expect(await books(reports('two').summary.run)).toEqual({ created: 2 });
  });

  test.each([
    [['--not-there'], 'Which records?'],
    [['--there', 'x', '--all'], '--there is for one record, and 2 are meant'],
    [['--not-there', '--row', '99'], 'No record in doubt has row 99'],
    [['--not-there', '--ask'], 'exclude each other'],
    [['--from', 'in.csv'], 'in.csv does not have the column storeport_run'],
  ])('run resolve refuses %j', async (args, message) => {
    await inDoubt();
    const { code, stderr } = await run('run', 'resolve', 'last', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
