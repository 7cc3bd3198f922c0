import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import {
  binary,
  readTable,
  sample,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';

const packageVersion = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;

describe('demo', () => {
  test('demo runs all steps, writes its reports, and suggests next commands', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await storeport(['demo'], { cwd, script: binary });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain('Every row is accounted for: 25 = 20 created + 5 invalid.');
    expect(stdout).toContain('errors.csv');
    expect(stdout).toContain('Then try');
    const [, command = ''] = /^ {2}(\S.* mapping show shopify-products)/m.exec(stdout) ?? [];
    expect(execSync(command, { cwd, encoding: 'utf8' })).toContain('resource: products');
    expect(readTable(join(cwd, 'storeport-demo', 'results.csv'))).toHaveLength(25);
    expect(readTable(join(cwd, 'storeport-demo', 'reviews.csv')).length).toBeGreaterThan(50);
    expect(readTable(join(cwd, 'storeport-demo', 'checkouts.csv')).length).toBeGreaterThan(50);
  });
});

describe('mapping', () => {
  test('mapping list names the presets', async () => {
    const { stdout } = await storeport(['mapping', 'list'], { cwd: temporaryFolder() });
    expect(stdout).toMatch(/^shopify-customers +customers/m);
    expect(stdout).toMatch(/^shopify-products +products/m);
    expect(stdout).toMatch(/^Shopify\nshopify-customers/m);
  });

  test('mapping show prints a preset that is a valid mapping', async () => {
    const cwd = temporaryFolder();
    const { stdout } = await storeport(['mapping', 'show', 'shopify-products'], { cwd });
    writeFileSync(join(cwd, 'mine.yaml'), stdout);
    const checked = await storeport(['mapping', 'check', './mine.yaml', sample('shopify-products.csv')], {
      cwd,
    });
    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain('is valid');
    expect(checked.stdout).toContain('Columns that the mapping does not use:');
  });

  test.each([
    [
      'in.csv',
      'SKU,Nombre,Price,Extra\nA,a,1,x\n',
      [
        'Columns that in.csv lacks: Prise (did you mean "Price"?).',
        'Columns that the mapping does not use: Price, Extra.',
      ],
      [
        'The file lacks "Prise" (did you mean "Price"?): fields',
        'Not used by the mapping: "Price", "Extra".',
      ],
    ],
    [
      'in.json',
      '[{"SKU":"A","Nombre":"a","Price":1},{"SKU":"B","Nombre":"b","Prise":1}]',
      [
        'Fields that the first objects of in.json lack: none.',
        'Fields that the mapping does not use: Price.',
      ],
      ['Not used by the mapping: "Price".'],
    ],
    [
      'in.ndjson',
      '{"SKU":"A","Nombre":"a","Price":1}\n',
      [
        'Fields that the first objects of in.ndjson lack: Prise (did you mean "Price"?).',
        'mapping does not use: Price.',
      ],
      ['Its first objects lack "Prise" (did you mean "Price"?): fields'],
    ],
  ])(
    'mapping check and validate report the same missing and unused columns of %s',
    async (file, text, checks, validates) => {
      const cwd = temporaryFolder();
      const fields =
        'fields: { reference: SKU, name: Nombre, price.salePrice: { expression: "$number(Prise) * 2" } }';
      writeFileSync(join(cwd, 'mine.yaml'), `resource: products\n${fields}\n`);
      writeFileSync(join(cwd, file), text);
      const checked = await storeport(['mapping', 'check', './mine.yaml', file], { cwd });
      for (const words of checks) expect(checked.stdout).toContain(words);
      const validated = await storeport(['validate', 'products', file, '--mapping', './mine.yaml'], { cwd });
      for (const words of validates) expect(validated.stderr).toContain(words);
    },
  );

  test('mapping check lists every mistake and exits with 2', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'bad.yaml'), 'resource: products\nfields: { nam: Title, tags: Tags }\n');
    const { code, stderr } = await storeport(['mapping', 'check', './bad.yaml'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "name"?');
    expect(stderr).toContain('tags is a list: say how the cell is cut');
  });
});

describe('sandbox', () => {
  test('sandbox prints how to use it and serves the API until it is stopped', async () => {
    const cwd = temporaryFolder();
    let said = '';
    let answered: unknown;
    const ended = await storeportProcess(['sandbox', '--port', '0', '--seed', '5', '--json'], {
      cwd,
      onStart: (child) =>
        child.stdout?.once('data', async (text: Buffer) => {
          said = String(text);
          const { url } = JSON.parse(said);
          const { body } = await request(`${url}/openapi.json`);
          answered = await body.json();
          child.kill('SIGTERM');
        }),
    });
    expect(ended.code).toBe(0);
    expect(JSON.parse(said)).toMatchObject({
      clientId: expect.any(String),
      clientSecret: expect.any(String),
    });
    expect(answered).toHaveProperty('openapi');
  });
});

describe('help', () => {
  test('--help lists every command and exit code', async () => {
    const { stdout, code } = await storeport(['--help'], { cwd: temporaryFolder() });
    expect(code).toBe(0);
    for (const command of ['import', 'validate', 'export', 'mapping', 'auth', 'sandbox', 'demo'])
      expect(stdout).toContain(`storeport ${command}`);
    for (const { code: exitCode } of Object.values(EXIT_CODES))
      expect(stdout).toMatch(new RegExp(`^  ${exitCode} +\\w`, 'm'));
  });

  test.each([
    ['mapping', ['list', 'show', 'check']],
    ['auth', ['check']],
  ])('%s has its own help', async (group, commands) => {
    const { stdout } = await storeport([group, '--help'], { cwd: temporaryFolder() });
    for (const command of commands) expect(stdout).toContain(`storeport ${group} ${command}`);
  });

  test('help works as an option and as a command, also for a command of two words', async () => {
    const cwd = temporaryFolder();
    for (const words of [['import'], ['run', 'undo'], ['run']]) {
      const { stdout, code } = await storeport(['help', ...words], { cwd });
      expect(code).toBe(0);
      expect(stdout).toBe((await storeport([...words, '--help'], { cwd })).stdout);
      expect(stdout).toContain(`storeport ${words.join(' ')}`);
    }
  });

  test('storeport without a command suggests where to begin and exits with 2', async () => {
    const cwd = temporaryFolder();
    const { stdout, stderr, code } = await storeport([], { cwd });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    for (const words of ['storeport demo', 'storeport ui', 'storeport --help'])
      expect(stderr).toContain(words);
    expect(stderr).not.toContain('Error');
    const asObject = await storeport(['--json'], { cwd });
    expect(JSON.parse(asObject.stdout)).toMatchObject({ error: { kind: 'configuration' }, exit_code: 2 });
  });

  test('a misspelled STOREPORT_ variable is reported', async () => {
    const env = { STOREPORT_DRYRUN: '1', STOREPORT_IMAGE: 'storeport:1' };
    const { stderr } = await storeport(['run', 'list', '--quiet'], { cwd: temporaryFolder(), env });
    expect(stderr).toBe('Warning: STOREPORT_DRYRUN is not read. Did you mean STOREPORT_DRY_RUN?\n');
  });

  test('--version prints the version', async () => {
    const { stdout } = await storeport(['--version'], { cwd: temporaryFolder() });
    expect(stdout.trim()).toBe(packageVersion);
  });
});
