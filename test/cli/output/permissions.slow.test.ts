import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { httpStore } from '../../support/http-store.ts';
import { hasModes, modeOf } from '../../support/modes.ts';
import { environmentOf, filesBelow, storeportProcess, temporaryFolder } from '../../support/run.ts';

/** A working directory in which new files are readable by all, unless the program restricts them. */
function openFolder(): { readonly cwd: string; readonly env: Record<string, string> } {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'umask.mjs'), 'process.umask(0);');
  return { cwd, env: { NODE_OPTIONS: '--import ./umask.mjs' } };
}

describe.runIf(hasModes)('file permissions', () => {
  test('only the owner can read the home and its files, during a run and after a kill', async () => {
    const { cwd, env } = openFolder();
    let kill = () => {};
    const store = await httpStore(() => {
      kill();
      return { status: 500, body: {} };
    });
    writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\nB,2\n');
    await storeportProcess(['import', 'products', 'in.csv'], {
      cwd,
      env: { ...env, ...store.environment },
      onStart(child) {
        kill = () => child.kill('SIGKILL');
      },
    });
    const home = join(cwd, '.storeport');
    const files = readdirSync(home);
    expect(modeOf(home)).toBe(0o700);
    for (const name of [
      /^ledger\.db$/,
      /-wal$/,
      /-shm$/,
      /^20.*\.log$/,
      /^store-.*\.lock$/,
      /^store-.*\.json$/,
    ])
      expect(
        files.some((file) => name.test(file)),
        String(name),
      ).toBe(true);
    for (const file of filesBelow(home)) expect([file, modeOf(file)]).toEqual([file, 0o600]);
  });

  test('only the owner can read the state of exports, the learned rate and the report folder', async () => {
    const { cwd, env } = openFolder();
    const sandbox = await startSandbox({ seed: 20 });
    try {
      const settings = { cwd, env: { ...env, ...environmentOf(sandbox) } };
      writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\nB,2\n');
      expect((await storeportProcess(['import', 'products', 'in.csv'], settings)).code).toBe(0);
      const night = ['export', 'reviews', '--out', 'reviews.csv', '--incremental'];
      expect((await storeportProcess(night, settings)).code).toBe(0);
    } finally {
      await sandbox.close();
    }
    const home = join(cwd, '.storeport');
    expect(modeOf(join(home, 'exports'))).toBe(0o700);
    expect(filesBelow(home).some((file) => file.endsWith('.keys'))).toBe(true);
    for (const file of filesBelow(home)) expect([file, modeOf(file)]).toEqual([file, 0o600]);
    const [run = ''] = readdirSync(join(cwd, 'storeport-runs'));
    expect(modeOf(join(cwd, 'storeport-runs', run))).toBe(0o700);
    // A file whose name the user gave has the user's default permissions.
    expect(modeOf(join(cwd, 'reviews.csv'))).toBe(0o666);
  });

  test('the next command makes a home private that others can read', async () => {
    const { cwd, env } = openFolder();
    writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\n');
    expect((await storeportProcess(['import', 'products', 'in.csv', '--sandbox'], { cwd, env })).code).toBe(
      0,
    );
    const home = join(cwd, '.storeport');
    mkdirSync(join(home, 'exports'));
    writeFileSync(join(home, 'exports', '0123456789abcdef.keys'), '');
    for (const file of filesBelow(home)) chmodSync(file, 0o644);
    chmodSync(home, 0o755);
    expect((await storeportProcess(['run', 'list'], { cwd, env })).code).toBe(0);
    expect(modeOf(home)).toBe(0o700);
    for (const file of filesBelow(home)) expect([file, modeOf(file)]).toEqual([file, 0o600]);
  });
});
