import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf } from '../../support/run.ts';

const cli = cliForEachTest();

const inStore = () => cli.references();
const sends = () => cli.sends().length;
const { editRows, importProducts, outcomesOf, reports, run } = cli;

/** A run with three products in the store, one in the store whose answer was lost, and one that was never created. */
async function inDoubt(): Promise<string> {
  cli.sandbox.misbehave({ 'late-reset': '#2@create', reset: '#4@create' });
  // One by one, with answers between: the run would stop at a store that never answers.
  const text = 'name,reference\nTea,T\nA,a\nMug,M\nB,b\nPot,P\n';
  await importProducts(text, 'one', '--concurrency', '1');
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
    expect(await outcomesOf(id)).toEqual({ created: 4, failed: 1 });
    expect(booksOf(reports('one')).balanced).toBe(true);
    expect(reports('one').errors).toHaveLength(1);

    const before = sends();
    const retried = await run('run', 'retry');
    expect(retried.code).toBe(0);
    expect(sends() - before).toBe(1);
    expect(await outcomesOf(id)).toEqual({ created: 5 });
    expect(inStore().sort()).toEqual(['M', 'P', 'T', 'a', 'b']);
    expect(booksOf(reports('one')).balanced).toBe(true);
    expect(reports('one').errors).toEqual([]);
    // A record with a known identifier is not created again: importing the file again sends nothing.
    await importProducts('name,reference\nA,a\nB,b\n', 'again');
    expect(reports('again').summary.outcomes).toEqual({ unchanged: 2 });
  });

  test.each([
    ['is there', 'late-reset', 'updated'],
    ['is not there', 'reset', 'created'],
  ] as const)('values of a later import that met a doubt are sent once it %s', async (_, fault, sent) => {
    cli.sandbox.misbehave({ [fault]: '#1@create' });
    const file = (price: number) => `name,reference,price.salePrice\nMug,M,${price}\n`;
    await importProducts(file(1), 'one');
    cli.sandbox.misbehave({});
    await importProducts(file(2), 'two');
    expect(reports('two').summary.outcomes).toEqual({ 'in-doubt': 1 });

    const first = reports('one').summary.run;
    const later = reports('two').summary.run;
    const answer = fault === 'reset' ? ['--not-there'] : ['--there', idOf('M')];
    const { stdout } = await run('run', 'resolve', first, '--all', ...answer);
    expect(stdout).toContain(`1 record of the run ${later} waited for this.`);
    expect(stdout).toContain(`\n  storeport run retry ${later}\n`);
    expect(await outcomesOf(later)).toEqual({ unsent: 1 });
    expect(reports('two').results).toMatchObject([{ outcome: 'unsent', code: 'doubt-over' }]);
    expect(booksOf(reports('two')).balanced).toBe(true);

    expect((await run('run', 'retry', later)).code).toBe(0);
    expect(await outcomesOf(later)).toEqual({ [sent]: 1 });
    expect(cli.products()).toMatchObject([{ reference: 'M', price: { salePrice: 2 } }]);
  });

  test('an edited in-doubt.csv resolves its records and leaves empty answers in doubt', async () => {
    const id = await inDoubt();
    const found: Record<string, string> = { a: idOf('a') };
    editRows('one/in-doubt.csv', (row) => ({ ...row, storeport_found: found[row.reference ?? ''] ?? '' }));
    const { stdout, code } = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.csv');
    expect(code).toBe(1);
    expect(stdout).toContain('1 record is no longer in doubt');
    expect(await outcomesOf(id)).toEqual({ created: 4, 'in-doubt': 1 });
    expect(reports('one').inDoubt.map(({ reference }) => reference)).toEqual(['b']);
  });

  test('invalid answers in an edited in-doubt.csv are reported row by row', async () => {
    await inDoubt();
    editRows('one/in-doubt.csv', (row) => ({
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
    editRows('one/in-doubt.csv', (row) => ({ ...row, storeport_found: idOf('a') }));
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
        expect.stringMatching(/--there (is empty|.* is not an identifier)/),
      ]);
    }
    for (const option of ['--key', '--code', '--from']) {
      const rest = option === '--from' ? [] : ['--not-there'];
      const { code, stderr } = await run('run', 'resolve', 'last', option, ' ', ...rest);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} is empty`)]);
    }
    const answers: Record<string, string> = { a: '5a9d 0b01', b: 'yes' };
    editRows('one/in-doubt.csv', (row) => ({ ...row, storeport_found: answers[row.reference ?? ''] ?? '' }));
    const { stderr } = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.csv');
    expect(stderr).toContain('in-doubt.csv, row 2: storeport_found holds "5a9d 0b01": it contains blanks');
    expect(stderr).toContain('in-doubt.csv, row 3: storeport_found holds "yes": it is unclear');
    expect(await outcomesOf('last')).toEqual({ created: 3, 'in-doubt': 2 });
  });

  test('a record in doubt is not resolved with an identifier that the ledger knows', async () => {
    await inDoubt();
    const taken = await run('run', 'resolve', 'last', '--key', 'b', '--there', idOf('T'));
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringContaining(`${idOf('T')} is already that of "T"`),
    ]);
    // Identifiers from earlier answers count too, and blanks around an identifier do not matter.
    const first = await run('run', 'resolve', 'last', '--key', 'a', '--there', ` ${idOf('a')} `);
    expect(first.stdout).toContain('1 record is no longer in doubt');
    const second = await run('run', 'resolve', 'last', '--key', 'b', '--there', idOf('a'));
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('already that of "a"')]);
    editRows('one/in-doubt.csv', (row) => ({ ...row, storeport_found: idOf('M') }));
    const many = await run('run', 'resolve', 'last', '--from', 'one/in-doubt.csv');
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('already that of "M"')]);
    expect(await outcomesOf('last')).toEqual({ created: 4, 'in-doubt': 1 });
  });

  test('--ask searches the list of the store and checks it against records known to be there', async () => {
    const id = await inDoubt();
    const ended = await run('run', 'resolve', 'last', '--ask');
    expect(ended.stderr).toContain("The store's list has 3 of 3 products that are known to be there.");
    expect(await outcomesOf(id)).toEqual({ created: 4, failed: 1 });
    expect(reports('one').results.find(({ key }) => key === 'a')?.id).toBe(idOf('a'));
    expect((await run('run', 'retry')).code).toBe(0);
    expect(await outcomesOf(id)).toEqual({ created: 5 });
    expect(inStore().sort()).toEqual(['M', 'P', 'T', 'a', 'b']);
  });

  test('--ask decides nothing when no record is known to be in the store', async () => {
    cli.sandbox.misbehave({ reset: '#1-3@create' });
    await importProducts('name,reference\nA,a\n', 'one');
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
    // Once resolved in its own run, it can be sent.
    await run('run', 'resolve', id, '--all', '--not-there');
    await run('run', 'retry', id);
    expect(await outcomesOf(id)).toEqual({ created: 5 });
    // The records of the second import are no longer in doubt either, and have nothing else to send.
    const second = reports('two').summary.run;
    expect(await outcomesOf(second)).toEqual({ unsent: 2 });
    const all = sends();
    await run('run', 'retry', second);
    expect(await outcomesOf(second)).toEqual({ unchanged: 2 });
    expect(sends()).toBe(all);
  });

  test.each([
    [['--not-there'], 'Which records?'],
    [['--there', 'x', '--all'], '--there is for one record, and 2 are selected'],
    [['--not-there', '--row', '99'], 'No record in doubt has row 99'],
    [['--not-there', '--ask'], 'exclude each other'],
    [['--from', 'in.csv'], 'in.csv does not have the column storeport_run'],
  ])('run resolve refuses %j', async (args, message) => {
    await inDoubt();
    const { code, stderr } = await run('run', 'resolve', 'last', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
