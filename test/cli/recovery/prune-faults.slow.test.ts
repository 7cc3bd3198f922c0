import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { environmentFor, type FaultPlan, readTrace } from '../../faults/plan.ts';
import { writeProducts } from '../../faults/products.ts';
import { fillPruneHome, type PruneHomeState, stateOfHome } from '../../faults/prune-home.ts';
import { cliForEachTest } from '../../support/cli.ts';

// scripts/faults.mjs does the same at every system call of a prune.

const cli = cliForEachTest();

const PRUNE = ['run', 'prune', '--older-than', '0d', '--also-unfinished'];
const PARTS = 6;

let filled: string;
let before: PruneHomeState;
beforeEach(async () => {
  filled = join(cli.cwd, 'filled');
  await fillPruneHome(filled);
  before = await stateOfHome(filled);
});

/** A home as it was before any prune. */
function freshHome(): string {
  const home = join(cli.cwd, 'home');
  rmSync(home, { recursive: true, force: true });
  cpSync(filled, home, { recursive: true });
  return home;
}

const pruneInProcess = (home: string, plan: FaultPlan = {}, fileBlocks?: number) =>
  cli.runProcess([...PRUNE, '--home', home], {
    env: environmentFor(plan),
    ...(fileBlocks === undefined ? {} : { fileBlocks }),
  });

const prune = (home: string) => cli.run(...PRUNE, '--home', home);

/** Counts the moments and SQLite calls of a whole prune, and returns the state at its end. */
async function wholePrune() {
  const trace = join(cli.cwd, 'trace');
  const home = freshHome();
  const ended = await pruneInProcess(home, { trace });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const moments = readTrace(trace);
  const after = await stateOfHome(home);
  expect(after.dropped).toBeGreaterThan(10_000);
  expect(after.kept).toBe(before.kept);
  return {
    moments: moments.length,
    sql: moments.filter(({ what }) => /^sql (exec|run)$/.test(what)).length,
    after,
  };
}

test('a prune that is killed at any moment has lost nothing, and the next one comes to its end', async () => {
  const { moments, after } = await wholePrune();
  const dropped: number[] = [];
  for (let part = 1; part <= PARTS; part++) {
    const home = freshHome();
    const killAt = Math.floor((moments * part) / (PARTS + 1));
    expect((await pruneInProcess(home, { killAt })).code).toBeNull();
    const state = await stateOfHome(home);
    expect(state.kept).toBe(before.kept);
    dropped.push(state.dropped);
    expect((await prune(home)).code).toBe(0);
    expect(await stateOfHome(home)).toEqual(after);
  }
  expect(dropped.some((count) => count > 0 && count < after.dropped)).toBe(true);
});

describe('a disk that is full during a prune', () => {
  test('is reported in plain words, and the next prune comes to its end', async () => {
    const { sql, after } = await wholePrune();
    for (const part of [1, 3, 5]) {
      const home = freshHome();
      const failed = await pruneInProcess(home, {
        fail: { call: 'sql', from: Math.floor((sql * part) / PARTS) },
      });
      expect(failed.code).toBe(3);
      expect(failed.stderr).toContain('could not be written');
      expect(failed.stderr + failed.stdout).not.toMatch(/^\s+at .*:\d+/m);
      expect((await stateOfHome(home)).kept).toBe(before.kept);
      expect((await prune(home)).code).toBe(0);
      expect(await stateOfHome(home)).toEqual(after);
    }
  });

  test('changes nothing that is kept if files cannot grow', async () => {
    const home = freshHome();
    const failed = await pruneInProcess(home, {}, 600);
    expect([failed.code, failed.stderr]).toEqual([3, expect.stringContaining('could not be written')]);
    expect(failed.stderr + failed.stdout).not.toMatch(/^\s+at .*:\d+/m);
    expect((await stateOfHome(home)).kept).toBe(before.kept);
    expect((await prune(home)).code).toBe(0);
  });
});

test('an import into another store and a second prune run at the same time', async () => {
  const home = freshHome();
  const wanted = writeProducts(join(cli.cwd, 'in.csv'), 300);
  const [first, imported, second] = await Promise.all([
    pruneInProcess(home),
    cli.run('import', 'products', 'in.csv', '--out', 'out', '--home', home),
    pruneInProcess(home),
  ]);
  expect([first.code, imported.code, second.code]).toEqual([0, 0, 0]);
  expect(cli.references().sort()).toEqual([...wanted].sort());
  expect((await prune(home)).code).toBe(0);
  const { outcomes: _, ...kept } = JSON.parse((await stateOfHome(home)).kept);
  const { outcomes: __, ...keptBefore } = JSON.parse(before.kept);
  expect(kept).toEqual(keptBefore);
});
