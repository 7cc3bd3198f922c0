import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { violations } from '../../faults/oracle.ts';
import { sentIn, sentTooEarly, writtenIn } from '../../faults/order.ts';
import { environmentFor, type FaultPlan, type Moment, readTrace } from '../../faults/plan.ts';
import { writeProducts } from '../../faults/products.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, readReports } from '../../support/run.ts';

const cli = cliForEachTest();

const RECORDS = 200;
const CONCURRENCY = 8;

function run(args: readonly string[], plan: FaultPlan = {}) {
  return cli.runProcess(args, { env: environmentFor(plan) });
}

const importing = ['import', 'products', 'in.csv', '--out', 'out', '--concurrency', String(CONCURRENCY)];

const stored = () => cli.references();

function found(wanted: readonly string[], mostInDoubt = CONCURRENCY): string[] {
  const facts = { journal: cli.sandbox.journal, references: stored() };
  return violations(facts, { wanted, out: join(cli.cwd, 'out'), mostInDoubt });
}

type LogFault = Exclude<FaultPlan['fail'], { readonly call: 'sql' } | undefined>;

/** The failing call in the message about the log; undefined if no log failed. */
function faultIn(moments: readonly Moment[], { fail }: FaultPlan): number {
  const at = moments.findIndex(({ what }, n) =>
    fail?.call === 'sync'
      ? what === 'sync failed'
      : what === 'half written' && moments[n + 1]?.what !== 'written',
  );
  expect(at).toBeGreaterThan(0);
  return at;
}

const FAULTS: readonly LogFault[] = [
  { call: 'write', from: 2, code: 'ENOSPC' },
  { call: 'write', from: 9, code: 'ENOSPC' },
  { call: 'sync', from: 2, code: 'EIO' },
  { call: 'sync', from: 9, code: 'EIO' },
];

describe.each(FAULTS)('a log with a failing $call ($code) from call number $from on', (fail) => {
  test('a failing log stops the run before the next request, and the run can be resumed', async () => {
    const wanted = writeProducts(join(cli.cwd, 'in.csv'), RECORDS);
    const plan = { trace: join(cli.cwd, 'trace'), fail };
    const stopped = await run(importing, plan);
    expect(stopped.code).toBe(3);
    expect(stopped.stderr + stopped.stdout).toContain(
      'The ledger could not be written, so nothing more was sent',
    );
    expect(stopped.stderr + stopped.stdout).toContain(`It is in the folder ${join(cli.cwd, '.storeport')}.`);
    expect(stopped.stderr + stopped.stdout).not.toMatch(/^\s+at .*:\d+/m);

    const moments = readTrace(plan.trace);
    const fault = faultIn(moments, plan);
    // A record with its intent on disk, and about to be written to a socket at that moment, may still be sent;
    // no other.
    expect(sentIn(moments.slice(fault)).length).toBeLessThan(CONCURRENCY);
    expect(sentTooEarly(moments)).toEqual([]);
    expect(stored().sort()).toEqual(sentIn(moments).sort());

    // The reports have the records that the store created, although the ledger could not store them.
    const before = readReports(join(cli.cwd, 'out'));
    expect(booksOf(before).balanced).toBe(true);
    expect(before.summary.stopped.reason).toBe('ledger-failed');
    expect(before.summary.records + before.summary.not_read).toBe(RECORDS);
    const created = before.results.filter(({ outcome }) => outcome === 'created').map(({ key }) => key);
    expect(created.sort()).toEqual(stored().sort());

    const { code } = await run(['run', 'resume']);
    expect(code).toBeLessThan(2);
    expect(found(wanted)).toEqual([]);
    // A failed write had confirmed nothing, so its records are sent now. Only a record whose intent was in the log before can
    // be missing: its sync was under way, or its request was about to be written to a socket. It is in doubt.
    if (fail.call === 'write') {
      const missing = wanted.filter((reference) => !stored().includes(reference));
      expect([...writtenIn(moments.slice(0, fault))]).toEqual(expect.arrayContaining(missing));
    }
  });
});

test.each<LogFault>([
  { call: 'write', from: 1, code: 'ENOSPC' },
  { call: 'sync', from: 1, code: 'EIO' },
])('nothing is sent if the log cannot be created ($code), and resuming sends it all', async (fail) => {
  const wanted = writeProducts(join(cli.cwd, 'in.csv'), 20);
  const stopped = await run(importing, { fail });
  expect([stopped.code, stopped.stderr]).toEqual([
    3,
    expect.stringContaining('The ledger could not be written'),
  ]);
  expect(stored()).toEqual([]);
  expect((await run(['run', 'resume'])).code).toBe(0);
  expect(found(wanted, 0)).toEqual([]);
});

test('queued requests are not sent after the log fails', async () => {
  const wanted = writeProducts(join(cli.cwd, 'in.csv'), RECORDS);
  const plan = { trace: join(cli.cwd, 'trace'), fail: { call: 'write', from: 5, code: 'ENOSPC' } } as const;
  const stopped = await run([...importing, '--rate', '20'], plan);
  expect(stopped.code).toBe(3);
  const moments = readTrace(plan.trace);
  // Of eight, one at a time has its turn, and may be on its way to a socket.
  expect(sentIn(moments.slice(faultIn(moments, plan))).length).toBeLessThan(3);
  expect(readReports(join(cli.cwd, 'out')).summary.outcomes.created).toBe(stored().length);
  // A request that was on its way at that moment is in doubt.
  expect([0, 1]).toContain((await run(['run', 'resume', '--rate', '10000'])).code);
  expect(found(wanted)).toEqual([]);
});

describe('failed writes of SQLite', () => {
  const PARTS = 8;

  /** The number of SQLite calls in an import of these few records, measured once, in a folder of its own. */
  let measured: number | undefined;
  async function sqlCalls(): Promise<number> {
    if (measured !== undefined) return measured;
    writeProducts(join(cli.cwd, 'in.csv'), 20);
    const trace = join(cli.cwd, 'trace');
    expect((await run(importing, { trace })).code).toBe(0);
    const calls = readTrace(trace).filter(({ what }) => /^sql (exec|run)$/.test(what));
    // Calls after the last commit only clean up.
    measured = calls.findLastIndex(({ text }) => text === 'commit') + 1;
    await cli.renew();
    return measured;
  }

  test.each(Array.from({ length: PARTS }, (_, part) => part))(
    'a failed write of SQLite is reported in plain words, and the run can be resumed: part %i of eight',
    async (part) => {
      const calls = await sqlCalls();
      const from = calls - Math.floor((calls * part) / PARTS);
      const wanted = writeProducts(join(cli.cwd, 'in.csv'), 20);
      const { code, stdout, stderr } = await run(importing, { fail: { call: 'sql', from } });
      const said = stdout + stderr;
      expect({ from, said }).toEqual({ from, said: expect.stringContaining('database or disk is full') });
      // The call may also be the lock of the store.
      expect(said).toMatch(
        /The ledger (could not be written|.* cannot be opened)|The disk that holds .* is full/,
      );
      expect(said).not.toContain('bug in storeport');
      // If the ledger could not even be opened, no run has begun.
      expect(code).toBe(said.includes('cannot be opened') ? 2 : 3);
      const resumed = await run(['run', 'resume']);
      const ended = resumed.stderr.includes('There are no runs') ? await run(importing) : resumed;
      expect([0, 1]).toContain(ended.code);
      expect(found(wanted)).toEqual([]);
    },
  );
});
