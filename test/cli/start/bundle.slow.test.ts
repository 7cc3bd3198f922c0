import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import { COMMANDS } from '../../../src/cli/main.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import {
  binary,
  type Ended,
  environmentOf,
  sample,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';

// Most tests call the command line as a function. These start the real binary once for each command, and once for each exit
// code, and compare it with the function.

const NO_DATABASE = ['--database', 'postgres://127.0.0.1:1/none'];

/** A short command line of each command, after its name. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  import: ['products', 'in.csv', '--sandbox'],
  validate: ['products', 'in.csv', '--out', 'plan'],
  clean: ['products', 'in.csv', '--out', 'clean.csv'],
  migrate: [sample('shop/plan.yaml'), '--sandbox', '--dry-run'],
  export: ['reviews', '--sandbox', '--limit', '3'],
  'run list': [],
  'run show': ['last'],
  'run resume': ['last'],
  'run retry': ['last'],
  'run resolve': ['last'],
  'run undo': ['last', '--yes'],
  'run adopt': ['products', 'ids.csv', '--base-url', 'https://shop.example'],
  'run report': ['last'],
  'run prune': ['--keep', '30d'],
  'mapping list': [],
  'mapping show': ['shopify-products'],
  'mapping check': ['shopify-products', sample('shopify-products.csv')],
  'mapping suggest': ['products', 'in.csv'],
  'mapping schema': [],
  'fleet init': NO_DATABASE,
  'fleet worker': NO_DATABASE,
  'fleet store add': ['paris', ...NO_DATABASE],
  'fleet store list': NO_DATABASE,
  'fleet store remove': ['paris', ...NO_DATABASE],
  'fleet run import': ['products', 'in.csv', '--store', 'paris', ...NO_DATABASE],
  'fleet run export': ['reviews', '--store', 'paris', ...NO_DATABASE],
  'fleet schedule add': ['night', ...NO_DATABASE],
  'fleet schedule list': NO_DATABASE,
  'fleet schedule pause': ['night', ...NO_DATABASE],
  'fleet schedule remove': ['night', ...NO_DATABASE],
  'fleet list': NO_DATABASE,
  'fleet show': ['a', ...NO_DATABASE],
  'fleet get': ['a', ...NO_DATABASE],
  'fleet stop': ['a', ...NO_DATABASE],
  'fleet resume': ['a', ...NO_DATABASE],
  'fleet retry': ['a', ...NO_DATABASE],
  'fleet resolve': ['a', '--all', ...NO_DATABASE],
  'fleet adopt': ['paris', 'products', 'in.csv', ...NO_DATABASE],
  'fleet serve': NO_DATABASE,
  ui: ['missing.csv'],
  init: ['paris'],
  'auth check': ['--sandbox'],
  sandbox: ['--fault', 'nonsense'],
  demo: ['--out', 'tour'],
  completion: ['bash'],
};

/** Without times, runs and ports, which differ from call to call. */
function steady({ code, stdout, stderr }: Ended): Ended {
  const text = (said: string) =>
    said
      .replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, '<run>')
      // A run keeps the path of its reports, which are those of the folder that was copied.
      .replaceAll(/\.\.\/storeport-test-\w+\//g, '')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>')
      .replaceAll(/[\d.,]+ ?(?:ms|s)\b/g, '<duration>')
      .replaceAll(/[\d,]+(?=\/s\b)/g, '<rate>');
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

test('every command has a line here, and there are no others', () => {
  expect(Object.keys(LINES).sort()).toEqual([...COMMANDS.keys()].sort());
});

test.each(Object.entries(LINES))('the binary says and returns what main does: %s', async (name, words) => {
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(here, 'in.csv'), 'name,reference,price.salePrice\nPot,POT,1\nCup,CUP,cheap\n');
  writeFileSync(join(here, 'ids.csv'), 'reference,_id\nPOT,5f1\n');
  if (name.startsWith('run ')) await storeport(['import', 'products', 'in.csv', '--sandbox'], { cwd: here });
  cpSync(here, there, { recursive: true });
  const args = [...name.split(' '), ...words];
  const ended = steady(await storeport(args, { cwd: here, script: binary }));
  expect(steady(await storeportProcess(args, { cwd: there }))).toEqual(ended);
});

test.each(Object.values(EXIT_CODES))('the binary exits with $code: $meaning', async ({ code }) => {
  const cwd = temporaryFolder();
  const rows = code === 0 ? 'Pot,POT' : code === 1 ? ',POT' : 'Pot,POT\nCup,CUP\nJug,JUG';
  writeFileSync(join(cwd, 'in.csv'), `name,reference\n${rows}\n`);
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  if (code === 130) sandbox.misbehave({ hang: '#2-9@create' });
  const words = code === 2 ? ['--mode', 'delete'] : ['--concurrency', '1', '--timeout', '5s'];
  const env = environmentOf(sandbox);
  let timer: NodeJS.Timeout | undefined;
  const ended = await storeportProcess(['import', 'products', 'in.csv', ...words], {
    cwd,
    env: code === 3 ? { ...env, STOREPORT_CLIENT_SECRET: 'wrong' } : env,
    onStart(child) {
      if (code !== 130) return;
      timer = setInterval(() => {
        if (sandbox.journal.filter(({ kind }) => kind === 'create').length > 0) child.kill('SIGINT');
      }, 5);
    },
  });
  clearInterval(timer);
  expect({ code: ended.code, said: ended.stderr.includes('    at ') }).toEqual({ code, said: false });
});
