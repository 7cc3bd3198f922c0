import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { interruptWhen } from '../../support/interrupt.ts';
import { environmentOf, temporaryFolder } from '../../support/run.ts';
import { keptOutput, testIo } from '../../support/test-io.ts';

const cli = cliForEachTest({ seed: 3 });

/** All of the process that a command line could change. */
function stateOfProcess() {
  const listeners = [process, process.stdout, process.stderr, process.stdin].map((emitter) =>
    emitter.eventNames().map((name) => [String(name), emitter.listenerCount(name)]),
  );
  const { exitCode, title, env } = process;
  return { exitCode, title, env: { ...env }, cwd: process.cwd(), umask: process.umask(), listeners };
}

test.each([
  ['an import', ['import', 'products', 'in.csv', '--log-level', 'info', '--metrics', 'a.prom']],
  ['an import that is interrupted', ['import', 'products', '-'], 130],
  ['an export to standard output', ['export', 'reviews']],
  ['a clean-up', ['clean', 'products', 'in.csv']],
  ['a migration into a sandbox', ['migrate', 'plan.yaml', '--sandbox', '--yes']],
  ['help', ['import', '--help']],
  ['the version', ['--version']],
  ['no command', [], 2],
  ['a mistake', ['import', 'products', 'missing.csv'], 2],
])('%s leaves the process as it was', async (_, args, expected = 0) => {
  cli.writeLines('in.csv', 'name,reference', 'Pot,POT');
  cli.writeLines('plan.yaml', 'steps:', '  - { import: products, files: in.csv }');
  const env = environmentOf(cli.sandbox);
  const before = stateOfProcess();
  const folder = readdirSync(process.cwd());
  const silent = new Readable({ read() {} });
  const signal = expected === 130 ? interruptWhen(() => true) : undefined;
  const io = testIo({ cwd: cli.cwd, env, signal, ...(expected === 130 && { stdin: silent }) });
  expect(await main(args, io)).toBe(expected);
  expect(stateOfProcess()).toEqual(before);
  expect(readdirSync(process.cwd())).toEqual(folder);
});

test('command lines that run at once keep their folders, variables and outputs apart', async () => {
  const folders = Array.from({ length: 4 }, () => temporaryFolder());
  const outputs = folders.map(() => keptOutput());
  const codes = await Promise.all(
    folders.map((cwd, n) => {
      writeFileSync(join(cwd, 'in.csv'), `name,reference\nPot ${n},POT-${n}\n`);
      const env = { ...environmentOf(cli.sandbox), STOREPORT_OUT: `out-${n}` };
      return main(
        ['import', 'products', 'in.csv', '--json'],
        testIo({ cwd, env, stdout: outputs[n] as never }),
      );
    }),
  );
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(cli.references().sort()).toEqual(['POT-0', 'POT-1', 'POT-2', 'POT-3']);
  for (const [n, cwd] of folders.entries()) {
    expect(JSON.parse(outputs[n]?.text() ?? '').outcomes).toEqual({ created: 1 });
    expect(readFileSync(join(cwd, `out-${n}`, 'results.csv'), 'utf8')).toContain(`POT-${n}`);
    expect(existsSync(join(cwd, '.storeport', 'ledger.db'))).toBe(true);
  }
});

test('settings of the working directory are those of the given folder', async () => {
  cli.writeLines(
    '.env',
    ...Object.entries(environmentOf(cli.sandbox)).map(([name, value]) => `${name}=${value}`),
  );
  const stderr = keptOutput();
  expect(await main(['auth', 'check'], testIo({ cwd: cli.cwd, stderr }))).toBe(0);
  expect(stderr.text()).toContain(`Store: ${cli.sandbox.url} (from .env)`);
});

test('a command line whose output cannot be written ends with 3, and says so', async () => {
  const stderr = keptOutput();
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space')) });
  const io = testIo({ cwd: cli.cwd, env: environmentOf(cli.sandbox), stdout, stderr });
  expect(await main(['export', 'reviews'], io)).toBe(3);
  expect(stderr.text()).toContain('tandard output cannot be written: no space.');
});
