import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeTestFolder } from '../support/run.ts';
import { readOptions } from './options.ts';

const TITLES = ['import', 'validate'];
const ROOT = join(import.meta.dirname, '..', '..');

test('the options have defaults, and are read from the arguments', () => {
  const rest = { skip: '', docs: false, short: false, noteRelease: false };
  expect(readOptions([], TITLES)).toEqual({
    ...{ records: undefined, rounds: 3, concurrency: 32, latencyMs: 0, only: TITLES },
    ...rest,
  });
  const args = ['--records', '1000,5', '--rounds', '1', '--latency=20', '--only', 'validate', '--docs'];
  expect(readOptions(args, TITLES)).toEqual({
    ...{ records: [1000, 5], rounds: 1, concurrency: 32, latencyMs: 20, only: ['validate'] },
    ...{ ...rest, docs: true },
  });
});

test.each([
  [['--record', '5'], "Unknown option '--record'"],
  [['--records'], "Option '--records <value>' argument missing"],
  [['--docs=yes'], "Option '--docs' does not take an argument"],
  [['import'], "Unexpected argument 'import'"],
  [['--records', '5,many'], "--records: 'many' is not a whole number from 1 on"],
  [['--rounds', '0'], "--rounds: '0' is not a whole number from 1 on"],
  [['--latency', ''], "--latency: '' is not a whole number from 0 on"],
  [['--only', 'imports'], "--only: no comparison is called 'imports'; there are import, validate"],
])('%j is a mistake that one line explains', (args, message) => {
  expect(() => readOptions(args, TITLES)).toThrow(new RegExp(`^${message}[^\n]*$`));
});

describe('the program of the benchmark', () => {
  let folder: string;

  /** Below node_modules, where the program finds the installed libraries. */
  beforeAll(async () => {
    folder = mkdtempSync(join(ROOT, 'node_modules', '.bench-test-'));
    await build({
      entryPoints: [join(import.meta.dirname, 'bench.ts')],
      outfile: join(folder, 'bench.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    });
  });

  afterAll(() => removeTestFolder(folder));

  function bench(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bench.mjs'), ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  test('prints its options and comparisons with --help', () => {
    const { status, stdout, stderr } = bench('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm run bench/);
    expect(stdout).toContain('Comparisons: import, import into a cheap store,');
  });

  test('names an unknown option in one line, with exit code 2', () => {
    expect(bench('--recods', '5')).toEqual({
      status: 2,
      stdout: '',
      stderr: "Unknown option '--recods' (see --help)\n",
    });
  });
});
