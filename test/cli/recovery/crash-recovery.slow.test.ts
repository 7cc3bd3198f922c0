import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { violations } from '../../faults/oracle.ts';
import { environmentFor, type FaultPlan, readTrace } from '../../faults/plan.ts';
import { randomFrom, writeProducts } from '../../faults/products.ts';
import { cliForEachTest } from '../../support/cli.ts';
import type { Ended } from '../../support/run.ts';

// Kills come at the k-th system call or store call of a process and never after a time, so the speed of the
// machine does not matter. scripts/faults.mjs does the same at hundreds of moments, also at the writes of
// SQLite.

const cli = cliForEachTest();

const CONCURRENCY = 4;
const MOST_KILLS = 20;

function run(args: readonly string[], plan: FaultPlan): Promise<Ended> {
  return cli.runProcess(args, { env: environmentFor(plan) });
}

const importing = ['import', 'products', 'in.csv', '--out', 'out', '--concurrency', String(CONCURRENCY)];
const resuming = ['run', 'resume'];

/**
 * Imports, and resumes until a process ends normally. `killAt`: the moment of the kill of each process;
 * undefined for no kill. Returns the number of kills.
 */
async function untilEnd(killAt: (attempt: number) => number | undefined): Promise<number> {
  let isResumed = false;
  let kills = 0;
  for (let attempt = 0; attempt < MOST_KILLS; attempt++) {
    const at = killAt(attempt);
    const ended = await run(isResumed ? resuming : importing, at === undefined ? {} : { killAt: at });
    if (ended.code === 0 || ended.code === 1) return kills;
    // If the kill came before there was a run, there is nothing to resume.
    if (ended.code !== null) expect(ended.stderr).toContain('There are no runs');
    isResumed = ended.code === null;
    if (isResumed) kills++;
  }
  throw new Error(`not at its end after ${MOST_KILLS} attempts`);
}

const stored = () => cli.references();

function found(wanted: readonly string[], kills: number): string[] {
  return violations(
    { journal: cli.sandbox.journal, references: stored() },
    { wanted, out: join(cli.cwd, 'out'), mostInDoubt: kills * CONCURRENCY },
  );
}

/** The next run knows the outcomes of a run, also if it was killed at its very end. */
async function expectNothingSentAgain(): Promise<void> {
  const before = stored();
  const { code } = await run(importing, {});
  expect([0, 1]).toContain(code);
  expect(stored()).toEqual(before);
}

/** The number of moments of an undisturbed import of this size, measured once, in a folder of its own. */
const measured = new Map<number, number>();
async function momentsOf(records: number): Promise<number> {
  const known = measured.get(records);
  if (known !== undefined) return known;
  writeProducts(join(cli.cwd, 'in.csv'), records);
  const trace = join(cli.cwd, 'trace');
  expect((await run(importing, { trace })).code).toBe(0);
  const moments = readTrace(trace).length;
  measured.set(records, moments);
  await cli.renew();
  return moments;
}

describe('killed run', () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'a run killed and resumed at random moments loses and doubles nothing: seed %i',
    async (seed) => {
      const moments = await momentsOf(150);
      const wanted = writeProducts(join(cli.cwd, 'in.csv'), 150);
      const random = randomFrom(seed);
      const kills = await untilEnd((attempt) =>
        attempt === 0 || random() < 0.4 ? 1 + Math.floor(random() * moments) : undefined,
      );
      expect(found(wanted, kills)).toEqual([]);
      await expectNothingSentAgain();
    },
  );

  // All of them would take minutes. Odd steps, since every other moment is the end of a call.
  const PARTS = 10;
  test.each(Array.from({ length: PARTS }, (_, n) => n))(
    'a run killed in part %i of ten loses and doubles nothing',
    async (part) => {
      const moments = await momentsOf(12);
      const wanted = writeProducts(join(cli.cwd, 'in.csv'), 12);
      const killAt = Math.floor((moments * (part + 0.5)) / PARTS) + (part % 2);
      const kills = await untilEnd((attempt) => (attempt === 0 ? killAt : undefined));
      expect({ killAt, found: found(wanted, kills) }).toEqual({ killAt, found: [] });
    },
  );
});

test('a request that was still queued at the kill is not in doubt', async () => {
  const slow = [...importing.slice(0, -1), '16', '--rate', '20'];
  const wanted = writeProducts(join(cli.cwd, 'in.csv'), 16);
  const trace = join(cli.cwd, 'trace');
  expect((await run(slow, { trace })).code).toBe(0);
  const creating = readTrace(trace).findIndex(
    ({ what, text }) => what === 'sends' && text?.includes('/products'),
  );
  expect(creating).toBeGreaterThan(0);

  await cli.renew();
  writeProducts(join(cli.cwd, 'in.csv'), 16);
  expect((await run(slow, { killAt: creating + 1 })).code).toBeNull();
  expect([0, 1]).toContain((await run(resuming, {})).code);
  const facts = { journal: cli.sandbox.journal, references: stored() };
  // One was sent. The permit of another one may have come while the first was recorded.
  expect(violations(facts, { wanted, out: join(cli.cwd, 'out'), mostInDoubt: 2 })).toEqual([]);
});
