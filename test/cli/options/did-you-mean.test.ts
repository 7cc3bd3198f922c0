import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, storeport, temporaryFolder } from '../../support/run.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

interface Mistyped {
  readonly args: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the folder, besides products.csv and shop.yaml. */
  readonly files?: Readonly<Record<string, string>>;
  readonly meant: string;
}

const IN = 'validate products products.csv';
const withMapping = (text: string) => ({ args: `${IN} --mapping ./m.yaml`, files: { 'm.yaml': text } });
const config = (text: string) => ({
  args: 'auth check --sandbox',
  files: { 'storeport.config.yaml': text },
});

/** One row for each kind of word. */
const KINDS: Readonly<Record<string, Mistyped>> = {
  'a command': { args: 'imprt products products.csv', meant: 'import' },
  'a command in help': { args: 'help imprt', meant: 'import' },
  'the second word of a command': { args: 'run shw', meant: 'run show' },
  'a second word without the first': { args: 'resume', meant: 'run resume' },
  'the second word of a command of three': { args: 'fleet stor list', meant: 'fleet store' },
  'the third word of a command': { args: 'fleet store ad paris', meant: 'fleet store add' },
  'an option': { args: `${IN} --limt 3`, meant: '--limit' },
  'an option of another command': { args: `${IN} --in-dobt hold`, meant: '--in-doubt' },
  'a switch with no-': { args: `${IN} --no-progres`, meant: '--no-progress' },
  'a choice of an option': { args: `${IN} --mode creat`, meant: '"create"' },
  'a level of the log': { args: 'run list --log-level inf', meant: '"info"' },
  'a value of a switch': { args: `${IN} --json=ture`, meant: '"true"' },
  'a choice in a variable': { args: IN, env: { STOREPORT_MODE: 'creat' }, meant: '"create"' },
  'the name of a variable': { args: 'run list', env: { STOREPORT_MOD: 'create' }, meant: 'STOREPORT_MODE' },
  'a resource to import': { args: 'validate prodcts products.csv', meant: '"products"' },
  'a resource to export': { args: 'export reviws --sandbox', meant: '"reviews"' },
  'a resource of a suggestion': { args: 'mapping suggest prodcts products.csv', meant: '"products"' },
  'a source file': { args: 'validate products ./prodcts.csv', meant: '"./products.csv"' },
  'a file of answers': {
    args: 'run adopt products prodcts.csv --base-url localhost:1',
    meant: '"products.csv"',
  },
  'a preset': { args: `${IN} --mapping shopfy-products`, meant: '"shopify-products"' },
  'a platform': { args: 'mapping show shopfy', meant: '"shopify-products"' },
  'a mapping file': { args: `${IN} --mapping ./shp.yaml`, meant: '"./shop.yaml"' },
  'a mapping file without its ending': { args: `${IN} --mapping shop`, meant: '"./shop.yaml"' },
  'an export mapping': { args: 'export reviews --sandbox --mapping shp.yaml', meant: '"shop.yaml"' },
  'a profile': {
    args: 'auth check --profile pari',
    files: { 'storeport.config.yaml': 'profiles: { paris: {} }' },
    meant: '"paris"',
  },
  'a key of a profile': { ...config('profiles: { a: { base-ur: x } }'), meant: '"base-url"' },
  'a section of the configuration file': { ...config('profile: { a: {} }'), meant: '"profiles"' },
  'a resource in the api section': { ...config('api: { prodcts: {} }'), meant: '"products"' },
  'a part of the api section': {
    ...config('api: { reviews: { list: { pageSise: 2 } } }'),
    meant: '"pageSize"',
  },
  'a column of an export': { args: 'export reviews --sandbox --columns ratng', meant: '"rating"' },
  'a filter': { args: 'export reviews --sandbox --filter ratng=5', meant: '"rating"' },
  'a fault of the sandbox': { args: 'sandbox --port 0 --fault latncy=5ms', meant: 'latency' },
  'a value of a fault': { args: 'sandbox --port 0 --fault token-form=opaqe', meant: 'opaque' },
  'a kind of request of a fault': { args: 'sandbox --port 0 --fault reset=2%@creat', meant: 'create' },
  'a folder of the page': { args: 'ui --folder shps', files: { shops: '' }, meant: '"shops"' },
  'a field of --set': { args: `${IN} --set prce.salePrice=3`, meant: '"price.salePrice"' },
  'a word of a field in --set': { args: `${IN} --set status=DRFT`, meant: '"DRAFT"' },
  'an encoding': { args: `${IN} --encoding windos-1252`, meant: '"windows-1252"' },
  'a sheet of a workbook': { args: 'validate products book.xlsx --sheet Prodcts', meant: '"Products"' },
  'a shell': { args: 'completion bsh', meant: '"bash"' },
  'a key of a mapping': { ...withMapping('resource: products\nfieldz: { name: name }\n'), meant: '"fields"' },
  'a resource of a mapping': {
    ...withMapping('resource: prodcts\nfields: { name: name }\n'),
    meant: '"products"',
  },
  'a field of a mapping': { ...withMapping('resource: products\nfields: { nam: name }\n'), meant: '"name"' },
  'a step of a mapping': {
    ...withMapping('resource: products\nfields: { name: { from: name, cas: upper } }\n'),
    meant: '"case"',
  },
  'a column of a mapping': {
    ...withMapping('resource: products\nfields: { name: nme, reference: reference }\n'),
    meant: '"name"',
  },
};

test.each(Object.entries(KINDS))('a mistyped word is answered with the nearest: %s', async (_kind, row) => {
  const cwd = temporaryFolder();
  const { args, env = {}, files = {}, meant } = row;
  writeFileSync(join(cwd, 'products.csv'), 'name,reference\nLamp,L1\n');
  writeFileSync(join(cwd, 'shop.yaml'), 'resource: products\nfields: { name: name, reference: reference }\n');
  if (args.includes('book.xlsx')) writeFileSync(join(cwd, 'book.xlsx'), await workbook());
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text, { mode: 0o600 });
  const { code, stdout, stderr } = await storeport(args.split(' '), { cwd, env });
  expect(`${stderr}${stdout}`).toMatch(
    new RegExp(`[Dd]id you mean (?:.* or )?${escaped(meant)}(?:\\?|,| or )`),
  );
  // A mistyped variable is a warning: other programs may own it.
  expect(code).toBe(args === 'run list' && env.STOREPORT_MOD ? 0 : 2);
});

test('a mistyped run is answered with the nearest id, or the one that begins nearly so', async () => {
  const sandbox = await startSandbox();
  try {
    const cwd = temporaryFolder();
    const env = environmentOf(sandbox);
    writeFileSync(join(cwd, 'products.csv'), 'name,reference\nLamp,L1\n');
    const { stdout } = await storeport(['import', 'products', 'products.csv', '--json'], { cwd, env });
    const { run } = JSON.parse(stdout);
    const wrong = (text: string) => (text.at(-1) === '0' ? `${text.slice(0, -1)}1` : `${text.slice(0, -1)}0`);
    for (const [word, meant] of [
      [wrong(run), run],
      [wrong(run.slice(0, 13)), run],
      ['lst', 'last'],
    ]) {
      const { code, stderr } = await storeport(['run', 'show', word], { cwd, env });
      expect(code).toBe(2);
      expect(stderr).toContain(`Did you mean "${meant}"?`);
    }
    const { stderr } = await storeport(['run', 'show', 'nothing-like-it'], { cwd, env });
    expect(stderr).not.toContain('Did you mean');
  } finally {
    await sandbox.close();
  }
});

test('a word that is near to nothing gets no suggestion', async () => {
  const cwd = temporaryFolder();
  for (const args of [
    ['qqqqqqqq'],
    ['validate', 'products', 'qqqqqqqq.csv'],
    ['run', 'list', '--log-level', 'qqqq'],
  ])
    expect((await storeport(args, { cwd })).stderr).not.toContain('Did you mean');
});

function workbook(): Promise<Buffer> {
  return makeWorkbook({ sheets: [{ name: 'Products', rows: textRow(1, 'name', 'reference') }] });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
