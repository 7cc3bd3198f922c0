import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliForEachTest } from '../../support/cli.ts';
import { hasModes, modeOf } from '../../support/modes.ts';
import { onTerminal } from '../../support/on-terminal.ts';

const cli = cliForEachTest();
const FILE = 'storeport.config.yaml';
const file = () => join(cli.cwd, FILE);
const profiles = () => parse(readFileSync(file(), 'utf8')).profiles;
const written = () => ({
  'base-url': cli.sandbox.url,
  'client-id': cli.sandbox.clientId,
  'client-secret': cli.sandbox.clientSecret,
});
const NOTHING = { STOREPORT_BASE_URL: '', STOREPORT_CLIENT_ID: '', STOREPORT_CLIENT_SECRET: '' };

describe('init without a terminal', () => {
  test('writes a profile that other commands use, and which only its owner can read', async () => {
    const { code, stdout, stderr } = await cli.run('init', 'lamps');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Store: ') });
    expect(stdout).toContain('Wrote the profile lamps');
    expect(stdout).toContain('storeport export reviews --out reviews.csv --profile lamps');
    expect(profiles()).toEqual({ lamps: written() });
    if (hasModes) expect(modeOf(file())).toBe(0o600);
    // No ledger, no leftover of the file.
    expect(readdirSync(cli.cwd)).toEqual([FILE]);
    const checked = await cli.runWith(['auth', 'check', '--profile', 'lamps'], { env: NOTHING });
    expect(checked.code).toBe(0);
  });

  test('--json prints what it found and no secret', async () => {
    const { code, stdout, stderr } = await cli.run('init', '--json', '--store-id', 'mine');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      profile: 'local',
      file: FILE,
      base_url: cli.sandbox.url,
      token: 'obtained',
      expires_at: expect.stringMatching(/^\d{4}-/),
      store_id: 'mine',
      exit_code: 0,
    });
    expect(stdout + stderr).not.toContain(cli.sandbox.clientSecret);
    expect(profiles().local['store-id']).toBe('mine');
  });

  test('an existing profile is replaced only with --force, and others stay', async () => {
    const before = `# ours\nprofiles:\n  lamps: { client-id: old, api: { products: { echo: ignore } } }\n  b: { client-id: b }\n`;
    writeFileSync(file(), before);
    chmodSync(file(), 0o644);
    const refused = await cli.run('init', 'lamps');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('already has a profile "lamps"');
    expect(readFileSync(file(), 'utf8')).toBe(before);
    const forced = await cli.run('init', 'lamps', '--force');
    expect(forced.code).toBe(0);
    expect(profiles()).toEqual({
      lamps: { ...written(), api: { products: { echo: 'ignore' } } },
      b: { 'client-id': 'b' },
    });
    expect(readFileSync(file(), 'utf8')).toContain('# ours');
    if (hasModes) {
      expect(forced.stdout).toContain('Others could read this file; now only you can.');
      expect(modeOf(file())).toBe(0o600);
    }
  });

  test.each([
    ['all settings', [], NOTHING, '--base-url, --client-id, STOREPORT_CLIENT_SECRET are not set'],
    ['the secret', [], { STOREPORT_CLIENT_SECRET: '' }, 'STOREPORT_CLIENT_SECRET is not set'],
    ['a usable address', ['--base-url', 'ftp://x.example'], {}, 'it must begin with https://'],
    ['a usable name', ['../x'], {}, 'A profile cannot be called "../x"'],
  ])('without %s it exits with 2 and writes nothing', async (_what, args, env, message) => {
    const { code, stderr } = await cli.runWith(['init', ...args], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(readdirSync(cli.cwd)).toEqual([]);
  });

  test.each([
    ['that refuses the credentials', { STOREPORT_CLIENT_SECRET: 'wrong' }],
    ['that cannot be reached', { STOREPORT_BASE_URL: 'http://127.0.0.1:9' }],
  ])('a store %s leads to exit code 3, and nothing is written', async (_what, env) => {
    const { code, stderr } = await cli.runWith(['init'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('No profile was written.');
    expect(readdirSync(cli.cwd)).toEqual([]);
  });

  test('--no-check writes the profile of a store that cannot be reached', async () => {
    const env = { STOREPORT_BASE_URL: 'https://api.lamps.example' };
    const { code, stdout } = await cli.runWith(['init', '--no-check'], { env });
    expect(code).toBe(0);
    expect(stdout).toContain('were not checked');
    expect(profiles()).toEqual({ lamps: { ...written(), 'base-url': 'https://api.lamps.example' } });
  });

  test('an invalid configuration file is reported before the store is contacted', async () => {
    writeFileSync(file(), 'profiles:\n  a: { base-ur: x }\n', { mode: 0o600 });
    const { code, stderr } = await cli.run('init', 'b');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "base-url"?');
    expect(cli.sandbox.journal).toEqual([]);
  });

  test('a secret of the environment is not sent to an address that only .env names', async () => {
    writeFileSync(join(cli.cwd, '.env'), `STOREPORT_BASE_URL=${cli.sandbox.url}\n`, { mode: 0o600 });
    const { STOREPORT_BASE_URL: _, ...env } = {
      STOREPORT_BASE_URL: '',
      STOREPORT_CLIENT_ID: cli.sandbox.clientId,
      STOREPORT_CLIENT_SECRET: cli.sandbox.clientSecret,
    };
    const { storeport } = await import('../../support/run.ts');
    const { code, stderr } = await storeport(['init'], { cwd: cli.cwd, env });
    expect(code).toBe(2);
    expect(stderr).toContain('It was not sent');
    expect(existsSync(file())).toBe(false);
  });

  test('a file that git keeps causes a warning, and one that it ignores does not', async () => {
    writeFileSync(join(cli.cwd, '.gitignore'), '*.csv\n');
    expect((await cli.run('init', 'a')).stderr).toContain(
      `Warning: ${FILE} holds the client secret, and git`,
    );
    writeFileSync(join(cli.cwd, '.gitignore'), `${FILE}\n`);
    expect((await cli.run('init', 'b')).stderr).not.toContain('Warning');
  });

  test('a full disk leaves the old file as it was', async () => {
    writeFileSync(file(), 'profiles:\n  a: { client-id: x }\n', { mode: 0o600 });
    const { code, stderr } = await cli.runProcess(['init', 'b'], { fileBlocks: 0 });
    expect(code).toBe(3);
    expect(stderr).toContain('cannot be written');
    expect(readdirSync(cli.cwd)).toEqual([FILE]);
    expect(profiles()).toEqual({ a: { 'client-id': 'x' } });
  });
});

describe.runIf(process.platform === 'linux')('init on a terminal', () => {
  const init = (args: readonly string[], answers: Parameters<typeof onTerminal>[1]) =>
    onTerminal(['init', ...args], answers, { cwd: cli.cwd });

  test('asks for each setting, again after a mistake, and does not show the secret', async () => {
    const { url, clientId, clientSecret } = cli.sandbox;
    const ended = await init(
      [],
      [
        ['Address of the store', 'ftp://x\n'],
        ['Address of the store', `${url}/api/\n`],
        ['Client id', `${clientId}\n`],
        ['Client secret', 'not-this-one\n'],
        ['does not accept', ''],
        [`Address of the store [${url}/api/]`, '\n'],
        [`Client id [${clientId}]`, '\n'],
        ['Client secret', `${clientSecret}\n`],
        ['accepted the credentials', ''],
        ['Name of the profile [local]', 'lamps\n'],
        ['Wrote the profile lamps', ''],
      ],
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).not.toContain('not-this-one');
    expect(ended.stdout).not.toContain(clientSecret);
    expect(profiles()).toEqual({ lamps: written() });
  });

  test.each([
    ['the address', [['Address of the store', '\u0003']]],
    [
      'the secret',
      [
        ['Address', 'https://a.example\n'],
        ['Client id', 'x\n'],
        ['Client secret', 'half\u0003'],
      ],
    ],
    ['the end of the input', [['Address of the store', '\u0004']]],
  ] as const)('Ctrl-C or Ctrl-D leaves nothing behind: %s', async (_what, answers) => {
    const ended = await init(['lamps'], answers);
    expect(ended).toMatchObject({ code: 130, stderr: '' });
    expect(ended.stdout).toContain('No profile was written.');
    expect(ended.stdout).not.toContain('half');
    expect(readdirSync(cli.cwd)).toEqual([]);
  });

  test('an existing profile is replaced only after a yes', async () => {
    const before = 'profiles:\n  lamps: { client-id: old }\n';
    writeFileSync(file(), before, { mode: 0o600 });
    const refused = await init(['lamps'], [['Replace its address and credentials?', 'n\n']]);
    expect(refused).toMatchObject({ code: 2, stderr: '' });
    expect(readFileSync(file(), 'utf8')).toBe(before);
    const { url, clientId, clientSecret } = cli.sandbox;
    const replaced = await init(
      ['--base-url', url, '--client-id', clientId],
      [
        ['Client secret', `${clientSecret}\n`],
        ['Name of the profile [local]', 'lamps\n'],
        ['Replace its address and credentials?', '\n'],
        ['Name of the profile [local]', 'lamps\n'],
        ['Replace its address and credentials?', 'y\n'],
      ],
    );
    expect(replaced).toMatchObject({ code: 0, stderr: '' });
    expect(profiles()).toEqual({ lamps: written() });
  });

  test('a profile that another process adds meanwhile is not replaced', async () => {
    const { url, clientId, clientSecret } = cli.sandbox;
    const added = 'profiles:\n  lamps: { client-id: theirs }\n';
    const ended = await init(
      ['lamps', '--base-url', url, '--client-id', clientId],
      [
        [
          'Client secret',
          () => {
            writeFileSync(file(), added, { mode: 0o600 });
            return `${clientSecret}\n`;
          },
        ],
      ],
    );
    expect(ended).toMatchObject({ code: 2, stderr: '' });
    expect(ended.stdout).toContain('already has a profile "lamps"');
    expect(readFileSync(file(), 'utf8')).toBe(added);
  });
});
