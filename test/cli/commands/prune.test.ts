import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { ALL_VALID, ONE_INVALID, pruningWith } from '../../support/pruning.ts';

const cli = cliForEachTest();
const { importProducts, outcomesOf, reports, run } = cli;
const sends = () => cli.sends().length;

const { prune, listed, importTwice } = pruningWith(cli);

describe('run prune', () => {
  test('after it, the same import sends nothing, and a changed record is updated', async () => {
    const [first, second] = await importTwice();
    const before = sends();
    const summary = await prune();
    expect(summary).toMatchObject({ dry_run: false, records: 3, kept: [] });
    expect(summary.pruned).toMatchObject([
      { run: first, records: 0, kept_records: 3 },
      { run: second, records: 3, dropped: { unchanged: 3 }, kept_records: 0 },
    ]);
    await importProducts(ALL_VALID, 'three');
    expect(reports('three').summary.outcomes).toEqual({ unchanged: 3 });
    expect(sends()).toBe(before);
    await importProducts(ALL_VALID.replace('Mug', 'Big mug'), 'four');
    expect(reports('four').summary.outcomes).toEqual({ unchanged: 2, updated: 1 });
    const runs = await listed();
    expect(runs.slice(2).map(({ outcomes }) => outcomes)).toEqual([{ unchanged: 3 }, { created: 3 }]);
    expect(runs.map(({ pruned_at }) => pruned_at !== null)).toEqual([false, false, true, false]);
  });

  test('a run whose records all stay can still be shown and undone', async () => {
    const [first] = await importTwice();
    await prune();
    expect(await outcomesOf(first)).toEqual({ created: 3 });
    expect((await run('run', 'undo', first, '--yes', '--out', 'undone')).code).toBe(0);
    expect(cli.products().map(({ status }) => status)).toEqual(['TRASH', 'TRASH', 'TRASH']);
  });

  test('a dry run changes no file and says what a prune does', async () => {
    await importTwice();
    const ledger = () => readFileSync(join(cli.cwd, '.storeport/ledger.db'));
    const before = ledger();
    const trial = await prune('--dry-run');
    expect(ledger().equals(before)).toBe(true);
    expect(trial).toMatchObject({ dry_run: true, records: 3 });
    expect(trial.record_bytes).toBeGreaterThan(100);
    const done = await prune();
    expect(done.pruned).toEqual(trial.pruned);
  });

  test('younger runs, and those for other stores, are left alone', async () => {
    await importTwice();
    const { stdout } = await run('run', 'prune', '--older-than', '1h');
    expect(stdout).toMatch(/^No run to prune/);
    const other = await run('run', 'prune', '--older-than', '0d', '--store', 'https://other.example');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('No run in this ledger is for')]);
    expect(other.stderr).toContain(`Its stores: ${cli.sandbox.url}`);
    expect((await prune('--store', cli.sandbox.url)).records).toBe(3);
  });

  test.each([['90'], ['d'], ['-1d'], ['0'], ['1y'], ['']])('an age of "%s" is refused', async (age) => {
    const { code, stderr } = await run('run', 'prune', `--older-than=${age}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--older-than')]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('without an age nothing is pruned', async () => {
    await importTwice();
    const { code, stderr } = await run('run', 'prune');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--older-than is missing')]);
    expect((await prune()).records).toBe(3);
  });

  test('a run with rows that did not arrive is kept whole and named, unless they may go', async () => {
    await importProducts(ONE_INVALID, 'one');
    const id = reports('one').summary.run;
    expect(await prune()).toMatchObject({
      pruned: [],
      kept: [{ run: id, reason: 'unfinished', open: { invalid: 1 }, stopped: null }],
    });
    const text = await run('run', 'prune', '--older-than', '0d');
    expect(text.stdout).toContain('1 invalid');
    expect(text.stdout).toContain('--also-unfinished');
    expect(await outcomesOf(id)).toEqual({ created: 2, invalid: 1 });
    expect(await prune('--also-unfinished')).toMatchObject({
      pruned: [{ run: id, dropped: { invalid: 1 } }],
    });
    expect(existsSync(join(cli.cwd, 'one/errors.csv'))).toBe(true);
    expect((await listed())[0]).toMatchObject({ outcomes: { created: 2, invalid: 1 }, next: [] });
  });

  test('rows that did not arrive stay after an interrupted prune, unless they may go again', async () => {
    await importProducts(ONE_INVALID, 'one');
    const ledger = openLedger(join(cli.cwd, '.storeport'));
    await ledger.lock(cli.sandbox.url, 'test');
    const [found] = await ledger.runs();
    const interrupted = () => {
      throw new Error('interrupted');
    };
    expect(() =>
      ledger.prune(found as never, { at: Date.now(), isTrial: false, onDropped: interrupted }),
    ).toThrow('interrupted');
    await ledger.close();
    expect(await prune()).toMatchObject({ pruned: [], kept: [{ open: { invalid: 1 } }] });
    expect(await outcomesOf('last')).toEqual({ created: 2, invalid: 1 });
    expect(await prune('--also-unfinished')).toMatchObject({ records: 1 });
  });

  test('a run that stopped early is kept whole, and can be resumed', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => `P,r${n},${n < 5 ? 'abc' : n}`);
    await importProducts(`name,reference,price.salePrice\n${rows.join('\n')}\n`, 'one', '--max-errors', '2');
    const { run: id, stopped } = reports('one').summary;
    expect(stopped.reason).toBe('too-many-errors');
    expect(await prune()).toMatchObject({
      pruned: [],
      kept: [{ run: id, reason: 'unfinished', stopped: 'too-many-errors' }],
    });
    expect((await run('run', 'resume', id)).code).toBe(1);
    expect(await outcomesOf(id)).toEqual({ created: 25, invalid: 5 });
  });

  test('a store that another process has locked is left alone, and its process named', async () => {
    await importTwice();
    const ledger = openLedger(join(cli.cwd, '.storeport'));
    await ledger.lock(cli.sandbox.url, 'r-other');
    const summary = await prune();
    expect(summary.records).toBe(0);
    expect(summary.kept).toMatchObject([
      { reason: 'in-use', process: { who: 'run r-other', pid: process.pid } },
      { reason: 'in-use' },
    ]);
    await ledger.close();
    expect((await prune()).records).toBe(3);
  });

  test('the file gets smaller when many records are dropped', async () => {
    const lines = Array.from({ length: 1500 }, (_, n) => `Product ${n},ref-${n}`);
    const text = `name,reference\n${lines.join('\n')}\n`;
    await importProducts(text, 'one');
    const size = () => statSync(join(cli.cwd, '.storeport/ledger.db')).size;
    const after = size();
    await importProducts(text, 'two');
    const grown = size();
    expect(grown).toBeGreaterThan(after + 100_000);
    const { bytes_before, bytes_after } = await prune();
    expect([bytes_before, bytes_after]).toEqual([grown, size()]);
    expect(size()).toBeLessThan(after + 0.2 * (grown - after));
  });
});
