import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, sample, storeportProcess, temporaryFolder } from '../../support/run.ts';

/** Writes the names of the files of the bundle, and of the presets, that a process has read, when it exits. */
const HOOK = `
const fs = require('node:fs');
const files = new Set();
const read = fs.readFileSync;
fs.readFileSync = (path, ...rest) => {
  if (/\\.(cjs|yaml)$/.test(path)) files.add(String(path));
  return read(path, ...rest);
};
require('node:module').syncBuiltinESMExports();
process.on('exit', () => {
  for (const path of Object.keys(require.cache)) if (path.endsWith('.cjs')) files.add(path);
  fs.writeFileSync(process.env.LOADED_CODE, JSON.stringify([...files]));
});
`;

/** Texts by which the code of each library is found in the bundle. */
const LIBRARIES = { pg: 'SCRAM-SHA-256', 'pg-boss': 'pgboss', aws4fetch: 'AWS4-HMAC-SHA256' };

const bundle = dirname(binary);
const parts = readdirSync(bundle).filter((name) => name.endsWith('.cjs'));
const textOf = (name: string) => readFileSync(join(bundle, name), 'utf8');

const readOf = new Map<string, Promise<string[]>>();

/** The files of the bundle, and the presets, that a command reads. Each command line runs once, for all tests about it. */
function readBy(...args: string[]): Promise<string[]> {
  const words = args.join(' ');
  const read = readOf.get(words) ?? readByProcess(args);
  readOf.set(words, read);
  return read;
}

async function readByProcess(args: readonly string[]): Promise<string[]> {
  const cwd = temporaryFolder();
  const [hook, list] = [join(cwd, 'hook.cjs'), join(cwd, 'loaded.json')];
  writeFileSync(hook, HOOK);
  await storeportProcess(args, { cwd, env: { NODE_OPTIONS: `--require ${hook}`, LOADED_CODE: list } });
  return (JSON.parse(readFileSync(list, 'utf8')) as string[]).map((path) => basename(path));
}

/** The files of the bundle that a command loads. */
async function loadedBy(...args: string[]): Promise<string[]> {
  return (await readBy(...args)).filter((name) => parts.includes(name));
}

const FLEET = ['fleet', 'list', '--database', 'postgres://127.0.0.1:1/none'];

test.each(Object.entries(LIBRARIES))(
  '%s is in a part of the bundle that an import does not load',
  async (_, mark) => {
    const loaded = await loadedBy('import', 'products', sample('shopify-products.csv'), '--sandbox');
    expect(loaded.length).toBeGreaterThan(3);
    const holders = parts.filter((name) => textOf(name).includes(mark));
    expect(holders).not.toEqual([]);
    expect(loaded.filter((name) => holders.includes(name))).toEqual([]);
  },
);

test.each(['export reviews --sandbox', 'run list', 'fleet --help', 'completion bash'])(
  '%s loads no library of Postgres',
  async (words) => {
    const marks = Object.values(LIBRARIES);
    const loaded = await loadedBy(...words.split(' '));
    expect(loaded).toContain('main.cjs');
    expect(loaded.filter((name) => marks.some((mark) => textOf(name).includes(mark)))).toEqual([]);
  },
);

test('a command of a fleet loads pg', async () => {
  const loaded = await loadedBy(...FLEET);
  expect(loaded.some((name) => textOf(name).includes(LIBRARIES.pg))).toBe(true);
});

test.each(['mapping list', 'completion bash'])(
  '%s reads no preset, and loads neither yaml nor zod',
  async (words) => {
    const read = await readBy(...words.split(' '));
    expect(read).toContain('main.cjs');
    expect(read.filter((name) => name.endsWith('.yaml'))).toEqual([]);
    const marks = ['Unresolved alias (the anchor must be set', 'Invalid discriminated union option'];
    const loaded = read.filter((name) => parts.includes(name));
    for (const mark of marks) {
      expect(parts.filter((name) => textOf(name).includes(mark))).not.toEqual([]);
      expect(loaded.filter((name) => textOf(name).includes(mark))).toEqual([]);
    }
  },
);

test('an import reads only the preset that knows its header', async () => {
  const read = await readBy('import', 'products', sample('shopify-products.csv'), '--sandbox');
  expect(read.filter((name) => name.endsWith('.yaml'))).toEqual(['shopify-products.yaml']);
});
