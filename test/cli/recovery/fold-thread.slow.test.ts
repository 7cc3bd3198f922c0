import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { violations } from '../../faults/oracle.ts';
import { sentIn, sentTooEarly } from '../../faults/order.ts';
import { environmentFor, type FaultPlan, readTrace } from '../../faults/plan.ts';
import { writeProducts } from '../../faults/products.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, readReports } from '../../support/run.ts';

// A run of this size folds its log in a thread. Faults come at the k-th call of that thread and never after a time.

const cli = cliForEachTest();

const RECORDS = 3_000;
const CONCURRENCY = 16;

/** In a process of its own if there is a plan for it. */
function run(args: readonly string[], plan?: FaultPlan) {
  return plan ? cli.runProcess(args, { env: environmentFor(plan) }) : cli.run(...args);
}

const importing = ['import', 'products', 'in.csv', '--out', 'out', '--concurrency', String(CONCURRENCY)];

function found(wanted: readonly string[], mostInDoubt: number): string[] {
  return violations(
    { journal: cli.sandbox.journal, references: cli.references() },
    { wanted, out: join(cli.cwd, 'out'), mostInDoubt },
  );
}

interface Moments {
  readonly ready: number;
  readonly all: number;
  /** Calls of SQLite that could fail, until it is ready. */
  readonly calls: number;
}

let measured: Moments | undefined;

/** Calls of the thread until it is ready, and until its end, measured once. The number of its folds differs. */
async function momentsOfThread(): Promise<Moments> {
  if (measured) return measured;
  writeProducts(join(cli.cwd, 'in.csv'), RECORDS);
  const trace = join(cli.cwd, 'trace');
  expect((await run(importing, { thread: 'fold', trace })).code).toBe(0);
  const moments = readTrace(trace);
  await cli.renew();
  const ready = moments.findIndex(({ what }) => what === 'begin immediate') + 1;
  measured = {
    ready,
    all: moments.length,
    calls: moments.slice(0, ready).filter(({ what }) => what === 'sql run' || what === 'sql exec').length,
  };
  return measured;
}

describe('the thread that folds the log', () => {
  test('is not started by a short run', async () => {
    writeProducts(join(cli.cwd, 'in.csv'), 300);
    const trace = join(cli.cwd, 'trace');
    expect((await run(importing, { thread: 'fold', trace })).code).toBe(0);
    expect(existsSync(trace)).toBe(false);
  });

  test('changes nothing about the order: no create is sent before its intent is on disk', async () => {
    const wanted = writeProducts(join(cli.cwd, 'in.csv'), RECORDS);
    const trace = join(cli.cwd, 'trace');
    const { code } = await run(importing, { trace });
    expect(code).toBe(0);
    const moments = readTrace(trace);
    expect(moments.some(({ text }) => text?.endsWith('.2.tip'))).toBe(true);
    expect(sentTooEarly(moments)).toEqual([]);
    expect(sentIn(moments).length).toBe(RECORDS);
    expect(found(wanted, 0)).toEqual([]);
    const left = readdirSync(join(cli.cwd, '.storeport')).filter((name) => /\.(log|tip)$/.test(name));
    expect(left).toEqual([]);
  });

  test.each([0.1, 0.9])(
    'a kill of the process at its calls loses and doubles nothing: %d of them',
    async (share) => {
      const { ready, all } = await momentsOfThread();
      let killAt = Math.floor(ready + share * (all - ready) * 0.7);
      let wanted = writeProducts(join(cli.cwd, 'in.csv'), RECORDS);
      let killed = await run(importing, { thread: 'fold', killAt });
      // On a busy machine folds are fewer and larger, so that the run may end before that call.
      while (killed.code !== null && killAt > ready + 1) {
        await cli.renew();
        wanted = writeProducts(join(cli.cwd, 'in.csv'), RECORDS);
        killAt = Math.floor(ready + (killAt - ready) / 2);
        killed = await run(importing, { thread: 'fold', killAt });
      }
      expect(killed.code).toBe(null);
      expect((await run(['run', 'resume'])).code).toBeLessThan(2);
      expect(found(wanted, CONCURRENCY)).toEqual([]);
      const before = cli.references();
      expect((await run(importing)).code).toBeLessThan(2);
      expect(cli.references()).toEqual(before);
    },
  );

  test.each<[string, (moments: Moments) => FaultPlan]>([
    ['that ends before it is ready', () => ({ endAt: 1 })],
    ['that ends in a fold', ({ ready }) => ({ endAt: ready + 5 })],
    // In its first fold: on a busy machine there may be no other one.
    ['whose disk is full', ({ calls }) => ({ fail: { call: 'sql', from: calls + 2 } })],
  ])('%s stops the run, and the ledger is right', async (_, planOf) => {
    const plan = planOf(await momentsOfThread());
    const wanted = writeProducts(join(cli.cwd, 'in.csv'), RECORDS);
    const stopped = await run(importing, { thread: 'fold', ...plan });
    expect(stopped.code).toBe(3);
    expect(stopped.stderr + stopped.stdout).toContain(
      'The ledger could not be written, so nothing more was sent',
    );
    expect(stopped.stderr + stopped.stdout).not.toMatch(/^\s+at .*:\d+/m);
    const reports = readReports(join(cli.cwd, 'out'));
    expect(booksOf(reports).balanced).toBe(true);
    expect(reports.results.filter(({ outcome }) => outcome === 'created').length).toBe(
      cli.references().length,
    );
    expect((await run(['run', 'resume'])).code).toBeLessThan(2);
    expect(found(wanted, CONCURRENCY)).toEqual([]);
  });
});
