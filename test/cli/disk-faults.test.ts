import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { violations } from '../faults/oracle.ts';
import { sentIn, sentTooEarly } from '../faults/order.ts';
import { environmentFor, type FaultPlan, type Moment, readTrace } from '../faults/plan.ts';
import { writeProducts } from '../faults/products.ts';
import { booksOf, environmentOf, readReports, storeport, temporaryFolder } from '../support/run.ts';

let sandbox: Sandbox;
let cwd: string;
beforeEach(async () => {
  sandbox = await startSandbox();
  cwd = temporaryFolder();
});
afterEach(() => sandbox.close());

const RECORDS = 200;
const CONCURRENCY = 8;

function run(args: readonly string[], plan: FaultPlan = {}) {
  return storeport(args, { cwd, env: { ...environmentOf(sandbox), ...environmentFor(plan) } });
}

const importing = ['import', 'products', 'in.csv', '--out', 'out', '--concurrency', String(CONCURRENCY)];

const stored = () => (sandbox.records('products') as JsonObject[]).map(({ reference }) => String(reference));

function found(wanted: readonly string[], mostInDoubt = CONCURRENCY): string[] {
  const facts = { journal: sandbox.journal, references: stored() };
  return violations(facts, { wanted, out: join(cwd, 'out'), mostInDoubt });
}

type LogFault = Exclude<FaultPlan['fail'], { readonly call: 'sql' } | undefined>;

/** Where the log could not be written or synced; undefined: it could. */
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

describe.each(FAULTS)('a log whose $call fails with $code from the one with number $from on', (fail) => {
  test('a failing log stops the run before the next request, and the run can be resumed', async () => {
    const wanted = writeProducts(join(cwd, 'in.csv'), RECORDS);
    const plan = { trace: join(cwd, 'trace'), fail };
    const stopped = await run(importing, plan);
    expect(stopped.code).toBe(3);
    expect(stopped.stderr + stopped.stdout).toContain(
      'The ledger could not be written, so nothing more was sent',
    );
    expect(stopped.stderr + stopped.stdout).toContain(`It is in the folder ${join(cwd, '.storeport')}.`);
    expect(stopped.stderr + stopped.stdout).not.toMatch(/^\s+at .*:\d+/m);

    const moments = readTrace(plan.trace);
    const fault = faultIn(moments, plan);
    // What had its intent on disk, and was being handed to a socket at that moment, may still go out; nothing else.
    expect(sentIn(moments.slice(fault)).length).toBeLessThan(CONCURRENCY);
    expect(sentTooEarly(moments)).toEqual([]);
    expect(stored().sort()).toEqual(sentIn(moments).sort());

    // The reports know what the store made, although the ledger could not keep it.
    const before = readReports(join(cwd, 'out'));
    expect(booksOf(before).balanced).toBe(true);
    expect(before.summary.stopped.reason).toBe('ledger-failed');
    expect(before.summary.records + before.summary.not_read).toBe(RECORDS);
    const created = before.results.filter(({ outcome }) => outcome === 'created').map(({ key }) => key);
    expect(created.sort()).toEqual(stored().sort());

    const { code } = await run(['run', 'resume']);
    expect(code).toBeLessThan(2);
    expect(found(wanted)).toEqual([]);
    // A write that failed was not promised to anyone, so all that it held is sent now.
    if (fail.call === 'write') expect(stored().sort()).toEqual([...wanted].sort());
  });
});

test.each<LogFault>([
  { call: 'write', from: 1, code: 'ENOSPC' },
  { call: 'sync', from: 1, code: 'EIO' },
])('nothing is sent if the log cannot be created ($code), and resuming sends it all', async (fail) => {
  const wanted = writeProducts(join(cwd, 'in.csv'), 20);
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
  const wanted = writeProducts(join(cwd, 'in.csv'), RECORDS);
  const plan = { trace: join(cwd, 'trace'), fail: { call: 'write', from: 5, code: 'ENOSPC' } } as const;
  const stopped = await run([...importing, '--rate', '20'], plan);
  expect(stopped.code).toBe(3);
  const moments = readTrace(plan.trace);
  // Of eight, one at a time has its turn, and may be on its way to a socket.
  expect(sentIn(moments.slice(faultIn(moments, plan))).length).toBeLessThan(3);
  expect(readReports(join(cwd, 'out')).summary.outcomes.created).toBe(stored().length);
  expect((await run(['run', 'resume', '--rate', '10000'])).code).toBe(1);
  expect(found(wanted)).toEqual([]);
});

describe('failed writes of SQLite', () => {
  const PARTS = 8;

  /** How often an import of so few records tells SQLite to do something; measured once, in a folder of its own. */
  let measured: number | undefined;
  async function sqlCalls(): Promise<number> {
    if (measured !== undefined) return measured;
    writeProducts(join(cwd, 'in.csv'), 20);
    const trace = join(cwd, 'trace');
    expect((await run(importing, { trace })).code).toBe(0);
    const calls = readTrace(trace).filter(({ what }) => /^sql (exec|run)$/.test(what));
    // What comes after the last commit only tidies up.
    measured = calls.findLastIndex(({ text }) => text === 'commit') + 1;
    await sandbox.close();
    sandbox = await startSandbox();
    cwd = temporaryFolder();
    return measured;
  }

  test.each(Array.from({ length: PARTS }, (_, part) => part))(
    'a failed write of SQLite is reported in plain words, and the run can be resumed: part %i of eight',
    async (part) => {
      const calls = await sqlCalls();
      const from = calls - Math.floor((calls * part) / PARTS);
      const wanted = writeProducts(join(cwd, 'in.csv'), 20);
      const { code, stdout, stderr } = await run(importing, { fail: { call: 'sql', from } });
      const said = stdout + stderr;
      expect({ from, said }).toEqual({ from, said: expect.stringContaining('database or disk is full') });
      expect(said).toMatch(/The ledger (could not be written|.* cannot be opened)/);
      expect(said).not.toContain('bug in storeport');
      // Where the ledger could not even be opened, nothing has begun.
      expect(code).toBe(said.includes('cannot be opened') ? 2 : 3);
      const resumed = await run(['run', 'resume']);
      const ended = resumed.stderr.includes('There are no runs') ? await run(importing) : resumed;
      expect([0, 1]).toContain(ended.code);
      expect(found(wanted)).toEqual([]);
    },
  );
});
