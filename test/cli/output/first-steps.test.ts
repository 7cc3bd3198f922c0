import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptCall } from '../../../src/cli/output/first-steps.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { storeport } from '../../support/run.ts';

test.each([
  ['/usr/local/bin/storeport'],
  ['/usr/local/lib/node_modules/storeport/dist/storeport.js'],
  ['/home/ann/.npm/_npx/1a2b/node_modules/.bin/storeport'],
  [undefined],
])('an installed program is called by its name: %s', (script) => {
  expect(scriptCall(script)).toBeUndefined();
});

test('a program that is built but not installed is called by its path', () => {
  expect(scriptCall(resolve('dist/storeport.js'))).toBe(`node ${join('dist', 'storeport.js')}`);
});

describe('storeport without a command', () => {
  // The answer to the second create is lost.
  const cli = cliForEachTest({ faults: { 'late-reset': '#2@create' } });
  const alone = (...args: string[]) => storeport(args, { cwd: cli.cwd });
  const commandsIn = (text: string) =>
    [...text.matchAll(/^ {2}storeport (.*?)(?: {3}|$)/gm)].map(([, command = '']) => command);
  const PRODUCTS = 'name,reference\nLamp,L1\nDesk,D1\n,X1\n';

  test('shows the way to a new user, and creates nothing', async () => {
    const { code, stdout, stderr } = await alone();
    expect([code, stdout]).toEqual([2, '']);
    expect(commandsIn(stderr).slice(0, 3)).toEqual(['demo', 'init', 'ui']);
    expect(stderr).not.toContain('Left to do');
    expect(readdirSync(cli.cwd)).toEqual([]);
  });

  test('names a profile of the folder, unless the environment names a store', async () => {
    writeFileSync(join(cli.cwd, 'storeport.config.yaml'), 'profiles: { paris: {}, lyon: {} }\n');
    const { stderr } = await alone();
    expect(commandsIn(stderr)).toContain('export reviews --out reviews.csv --profile paris');
    expect(stderr).toContain('other profiles: lyon');
    const known = await cli.run();
    expect(commandsIn(known.stderr)).toContain('export reviews --out reviews.csv');
    expect(known.stderr).not.toContain('demo');
  });

  test('says what is wrong with the configuration file, and shows the rest', async () => {
    writeFileSync(join(cli.cwd, 'storeport.config.yaml'), 'profils: {}\n');
    const { stderr } = await alone();
    expect(stderr).toContain('Warning: storeport.config.yaml has 1 mistake.');
    expect(commandsIn(stderr)).toContain('demo');
  });

  test('names what earlier runs left to do, and leaves their ledger as it is', async () => {
    const { stdout } = await cli.importProducts(PRODUCTS, 'out', '--concurrency', '1', '--json');
    const { run, outcomes } = JSON.parse(stdout);
    expect(outcomes).toEqual({ created: 1, invalid: 1, 'in-doubt': 1 });
    const bytes = () => readFileSync(join(cli.cwd, '.storeport', 'ledger.db'));
    const before = bytes();
    const { stderr } = await alone();
    expect(commandsIn(stderr).slice(0, 2)).toEqual([
      `run resolve ${run}`,
      `import products ${join('out', 'errors.csv')} --concurrency 1`,
    ]);
    expect(bytes().equals(before)).toBe(true);
    await cli.run('run', 'resolve', '--all', '--not-there');
    expect(commandsIn((await alone()).stderr)).toContain(`run retry ${run}`);
  });

  test('names a run that stopped, also in another home', async () => {
    const stopped = await cli.importProducts(
      `name,reference\n${',X\n'.repeat(2)}Lamp,L1\n`,
      'out',
      '--home',
      'led',
      '--max-errors',
      '0',
      '--json',
    );
    const { run } = JSON.parse(stopped.stdout);
    expect(commandsIn((await alone('--home', 'led')).stderr)[0]).toBe(`run resume ${run} --home led`);
    expect((await alone()).stderr).not.toContain('Left to do');
  });

  test('names a run that was killed', async () => {
    const rows = Array.from({ length: 200 }, (_, n) => `Lamp ${n},r${n}`).join('\n');
    writeFileSync(join(cli.cwd, 'in.csv'), `name,reference\n${rows}\n`);
    await cli.runProcess(['import', 'products', 'in.csv', '--rate', '20'], {
      onStart: (child) => {
        const timer = setInterval(() => {
          if (cli.products().length < 1) return;
          clearInterval(timer);
          child.kill('SIGKILL');
        }, 5);
      },
    });
    const { stderr } = await alone();
    expect(commandsIn(stderr)[0]).toBe('run list');
    expect(stderr).toContain('has not ended: it is at work, or was killed');
  });

  test('is an error with --json, for scripts', async () => {
    const { code, stdout } = await alone('--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.message).toBe('No command is named.');
  });
});
