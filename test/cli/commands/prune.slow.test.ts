import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { ALL_VALID, ONE_INVALID, pruningWith } from '../../support/pruning.ts';

const cli = cliForEachTest();
const { editRows, importProducts, outcomesOf, reports, run } = cli;
const sends = () => cli.sends().length;

const { prune, listed, importTwice } = pruningWith(cli);

const inDoubt = async () => {
  cli.sandbox.misbehave({ 'late-reset': '#2@create', reset: '#4@create' });
  await importProducts(
    'name,reference\nTea,T\nA,a\nMug,M\nB,b\nPot,P\nNo name\n',
    'one',
    '--concurrency',
    '1',
    '--pad-rows',
  );
  cli.sandbox.misbehave({});
  expect(reports('one').summary.outcomes).toEqual({ created: 3, invalid: 1, 'in-doubt': 2 });
  return reports('one').summary.run as string;
};

describe('a pruned run', () => {
  test.each([
    ['show', 'shown'],
    ['report', 'reported on'],
    ['resume', 'resumed'],
    ['retry', 'retried'],
    ['undo', 'undone'],
  ])('is refused by run %s, which says when it was pruned and what is left', async (command, word) => {
    const [, id] = await importTwice();
    await prune();
    const before = sends();
    const results = readFileSync(join(cli.cwd, 'two/results.csv'), 'utf8');
    const { code, stdout, stderr } = await run('run', command, id, '--json');
    expect(code).toBe(2);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ kind: 'configuration', reason: 'pruned' });
    const today = new Date().toISOString().slice(0, 10);
    expect(error.message).toBe(
      `The run ${id} was pruned on ${today}: its records are no longer in the ledger, so it cannot be ${word}.`,
    );
    expect(error.hints.join('\n')).toContain(join(cli.cwd, 'two'));
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(sends()).toBe(before);
    expect(readFileSync(join(cli.cwd, 'two/results.csv'), 'utf8')).toBe(results);
  });

  test('keeps its doubts, which can be settled, and then be updated', async () => {
    const id = await inDoubt();
    expect(await prune()).toMatchObject({ pruned: [], kept: [{ reason: 'unfinished' }] });
    await prune('--also-unfinished');
    await importProducts('name,reference\nA,a\nB,b\n', 'again');
    expect(reports('again').summary.outcomes).toEqual({ 'in-doubt': 2 });
    const list = await run('run', 'resolve', id);
    expect(list.stdout).toContain('In doubt');
    const there = String(cli.products().find(({ reference }) => reference === 'a')?._id);
    const first = await run('run', 'resolve', id, '--key', 'a', '--there', there);
    expect(first.stdout).toMatch(
      /^1 record is no longer in doubt.\n1 record of the run \S+ waited .*\n {2}storeport run retry \S+\nThe run was pruned/,
    );
    expect(first.code).toBe(1);
    const reportsBefore = readFileSync(join(cli.cwd, 'one/results.csv'), 'utf8');
    const last = await run('run', 'resolve', id, '--all', '--not-there', '--json');
    expect(last.code).toBe(0);
    const again = reports('again').summary.run;
    expect(JSON.parse(last.stdout)).toEqual({
      ...{ exit_code: 0, resolved: 1 },
      released: [{ run: again, records: 1 }],
    });
    expect(readFileSync(join(cli.cwd, 'one/results.csv'), 'utf8')).toBe(reportsBefore);
    const before = sends();
    await run('import', 'products', 'one/in-doubt.csv', '--out', 'back');
    expect(reports('back').results.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['a', 'unchanged'],
      ['b', 'created'],
    ]);
    expect(sends() - before).toBe(1);
  });

  test('a row of the errors.csv of a pruned run is not sent again if it has arrived since', async () => {
    await importProducts(ONE_INVALID, 'one');
    editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '7' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    await prune();
    const before = sends();
    await run('import', 'products', 'one/errors.csv', '--out', 'three');
    expect(reports('three').summary.outcomes).toEqual({ unchanged: 1 });
    // Under another key it would be created a second time.
    editRows('one/errors.csv', (row) => ({ ...row, reference: 'other' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'four');
    expect(reports('four').results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['duplicate', 'returned-before'],
    ]);
    expect(sends()).toBe(before);
  });

  test('a row that was pruned before it arrived is not sent until it is declared new', async () => {
    await importProducts(ONE_INVALID, 'one');
    await prune('--also-unfinished');
    editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '7' }));
    const before = sends();
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    expect(reports('two').results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['invalid', 'pruned'],
    ]);
    expect(sends()).toBe(before);
    editRows('one/errors.csv', (row) => ({ ...row, storeport_run: '' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'three');
    expect(reports('three').summary.outcomes).toEqual({ created: 1 });
  });

  test('pruning a run leaves the books of the older run whose row it had imported again', async () => {
    await importProducts(ONE_INVALID, 'one');
    const first = reports('one').summary.run;
    editRows('one/errors.csv', (row) => ({ ...row, 'price.salePrice': '7' }));
    await run('import', 'products', 'one/errors.csv', '--out', 'two');
    await importProducts(ALL_VALID.replace('5', '8'), 'three');
    await prune();
    expect((await listed()).map(({ outcomes }) => outcomes)).toEqual([
      { updated: 1, unchanged: 2 },
      { created: 1 },
      { created: 3 },
    ]);
    expect(await outcomesOf(first)).toEqual({ created: 3 });
  });

  test('the reports of a pruned run may be moved away', async () => {
    const [, id] = await importTwice();
    await prune();
    renameSync(join(cli.cwd, 'two'), join(cli.cwd, 'away'));
    const { stderr } = await run('run', 'show', id);
    expect(stderr).not.toContain('Its reports are still');
    rmSync(join(cli.cwd, 'away'), { recursive: true });
    await importProducts(ALL_VALID, 'three');
    expect(reports('three').summary.outcomes).toEqual({ unchanged: 3 });
  });
});
