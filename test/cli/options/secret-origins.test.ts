import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ADDRESSES_FOR, cleanCredential, type SettingOrigin } from '../../../src/cli/options/origins.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { storeport } from '../../support/run.ts';
import * as wire from '../../support/store/adversary.ts';

const cli = cliForEachTest();

/** Origins of secret and address, and whether the secret may be sent to the address. */
const CASES: readonly (readonly [secret: SettingOrigin, address: SettingOrigin, allowed: boolean])[] = [
  ['environment', 'command line', true],
  ['environment', 'environment', true],
  ['environment', '.env', false],
  ['environment', 'profile chosen by you', true],
  ['environment', 'profile chosen by .env', false],
  ['.env', 'command line', true],
  ['.env', 'environment', true],
  ['.env', '.env', true],
  ['.env', 'profile chosen by you', true],
  ['.env', 'profile chosen by .env', true],
  ['profile chosen by you', 'command line', true],
  ['profile chosen by you', 'environment', true],
  ['profile chosen by you', '.env', true],
  ['profile chosen by you', 'profile chosen by you', true],
  ['profile chosen by .env', 'command line', true],
  ['profile chosen by .env', 'environment', true],
  ['profile chosen by .env', '.env', true],
  ['profile chosen by .env', 'profile chosen by .env', true],
];

interface Given {
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly file: Record<string, string>;
  readonly profile: Record<string, string>;
}

function put(
  given: Given,
  origin: SettingOrigin,
  setting: 'base-url' | 'client-secret',
  value: string,
): void {
  const variable = `STOREPORT_${setting.replace('-', '_').toUpperCase()}`;
  if (origin === 'command line') given.args.push(`--${setting}`, value);
  else if (origin === 'environment') given.env[variable] = value;
  else if (origin === '.env') given.file[variable] = value;
  else {
    given.profile[setting] = value;
    if (origin === 'profile chosen by you') given.args.push('--profile', 'shop');
    else given.file.STOREPORT_PROFILE = 'shop';
  }
}

async function check(secret: SettingOrigin, address: SettingOrigin, url: string) {
  const given: Given = {
    args: [],
    env: { STOREPORT_CLIENT_ID: cli.sandbox.clientId },
    file: {},
    profile: {},
  };
  put(given, address, 'base-url', url);
  put(given, secret, 'client-secret', cli.sandbox.clientSecret);
  const { cwd } = cli;
  const own = { mode: 0o600 };
  const lines = Object.entries(given.file).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(cwd, '.env'), lines.join(''), own);
  writeFileSync(
    join(cwd, 'storeport.config.yaml'),
    JSON.stringify({ profiles: { shop: given.profile } }),
    own,
  );
  const args = [...new Set(given.args)];
  return storeport(['auth', 'check', ...args], { cwd, env: given.env });
}

describe('origins of secret and address', () => {
  test.each(CASES)('secret from %s, address from %s, sent: %s', async (secret, address, allowed) => {
    await using other = await wire.adversary({ script: [wire.created()] });
    const ended = await check(secret, address, allowed ? cli.sandbox.url : other.url);
    if (allowed) {
      expect(ended).toMatchObject({ code: 0 });
      const place = {
        'command line': '--base-url',
        environment: 'STOREPORT_BASE_URL',
        '.env': '.env',
        'profile chosen by you': 'the profile shop of storeport.config.yaml',
        'profile chosen by .env': 'the profile shop of storeport.config.yaml, chosen by .env,',
      }[address as string];
      expect(ended.stderr).toContain(`Store: ${cli.sandbox.url} (from ${place})`);
      return;
    }
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('The client secret comes from STOREPORT_CLIENT_SECRET, but the base URL');
    expect(ended.stderr).toContain(`--base-url ${other.url}`);
    expect(ended.stderr).not.toContain(cli.sandbox.clientSecret);
    expect(other.accepted()).toBe(0);
  });

  test('the cases cover all combinations and match the documentation', () => {
    const page = readFileSync(
      fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url)),
      'utf8',
    );
    const known = Object.entries(ADDRESSES_FOR).flatMap(([secret, addresses]) =>
      addresses.map((address) => `${secret} ${address}`),
    );
    for (const [secret, address, allowed] of CASES)
      expect([secret, address, known.includes(`${secret} ${address}`)]).toEqual([secret, address, allowed]);
    for (const secret of ['environment', '.env', 'profile', 'prompt'])
      expect(page).toMatch(new RegExp(`^\\| (?:the |a |\`)?${secret.replace('.', '\\.')}\`? \\|`, 'm'));
  });

  test('an address from .env repeated on the command line counts as given by the user', async () => {
    const { cwd } = cli;
    writeFileSync(join(cwd, '.env'), `STOREPORT_BASE_URL=${cli.sandbox.url}\n`, { mode: 0o600 });
    const env = {
      STOREPORT_CLIENT_ID: cli.sandbox.clientId,
      STOREPORT_CLIENT_SECRET: cli.sandbox.clientSecret,
    };
    expect((await storeport(['auth', 'check'], { cwd, env })).code).toBe(2);
    expect((await storeport(['auth', 'check', '--base-url', cli.sandbox.url], { cwd, env })).code).toBe(0);
    expect(
      (await storeport(['auth', 'check'], { cwd, env: { ...env, STOREPORT_BASE_URL: cli.sandbox.url } }))
        .code,
    ).toBe(0);
  });

  test('a proxy from .env gets no plain-text secret from the environment', async () => {
    await using proxy = await wire.adversary({ script: [wire.created()] });
    const { cwd } = cli;
    writeFileSync(join(cwd, '.env'), `http_proxy=${proxy.url}\n`);
    const env = { STOREPORT_CLIENT_ID: 'me', STOREPORT_CLIENT_SECRET: 'not-this-one' };
    const ended = await storeport(['auth', 'check', '--base-url', 'http://shop.invalid'], { cwd, env });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('http_proxy comes from .env in this folder');
    expect(proxy.accepted()).toBe(0);
  });
});

describe('blanks and invisible characters in a secret', () => {
  test.each([
    ['STOREPORT_CLIENT_SECRET', '\n', 'a line break at its end'],
    ['STOREPORT_CLIENT_SECRET', '\r\n', 'a line break at its end'],
    ['STOREPORT_CLIENT_SECRET', '  ', 'a blank at its end'],
    ['STOREPORT_CLIENT_ID', '\n', 'a line break at its end'],
  ])('%s with a trailing %j is trimmed, with a warning', async (name, end, said) => {
    const env: Record<string, string> = {
      STOREPORT_BASE_URL: cli.sandbox.url,
      STOREPORT_CLIENT_ID: cli.sandbox.clientId,
      STOREPORT_CLIENT_SECRET: cli.sandbox.clientSecret,
    };
    env[name] += end;
    const ended = await storeport(['auth', 'check'], { cwd: cli.cwd, env });
    expect(ended.stderr).toContain(`in ${name} has ${said}, which was cut off.`);
    expect(ended.stderr).not.toContain(cli.sandbox.clientSecret);
    expect(ended.code).toBe(0);
  });

  test.each([
    [
      '.env',
      (cwd: string) =>
        writeFileSync(join(cwd, '.env'), `STOREPORT_CLIENT_SECRET="${cli.sandbox.clientSecret}\n"\n`, {
          mode: 0o600,
        }),
      [],
    ],
    [
      'the profile shop of storeport.config.yaml',
      (cwd: string) =>
        writeFileSync(
          join(cwd, 'storeport.config.yaml'),
          JSON.stringify({ profiles: { shop: { 'client-secret': `${cli.sandbox.clientSecret}\n` } } }),
          { mode: 0o600 },
        ),
      ['--profile', 'shop'],
    ],
  ])('a trailing line break in %s is trimmed', async (place, write, args) => {
    const { cwd } = cli;
    write(cwd);
    const env = { STOREPORT_BASE_URL: cli.sandbox.url, STOREPORT_CLIENT_ID: cli.sandbox.clientId };
    const ended = await storeport(['auth', 'check', ...args], { cwd, env });
    expect(ended.stderr).toContain(
      `The client secret in ${place} has a line break at its end, which was cut off.`,
    );
    expect(ended.code).toBe(0);
  });

  const clean = (value: string) => {
    const said: string[] = [];
    const setting = { value, origin: 'environment', place: 'THERE' } as const;
    return { ...cleanCredential('client secret', setting, (message) => said.push(message)), said };
  };

  test.each([
    ['\ufeffabc', 'abc', 'an invisible character (U+FEFF) at its beginning'],
    ['abc\t', 'abc', 'an invisible character (U+0009) at its end'],
    ['\u200babc', 'abc', 'an invisible character (U+200B) at its beginning'],
    [' abc', 'abc', 'a blank at its beginning'],
    ['\n', '', 'a line break at its'],
  ])('the credential %j is trimmed to %j', (value, expected, message) => {
    const { value: cleaned, said } = clean(value);
    expect(cleaned).toBe(expected);
    expect(said).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['half\nwhole', 'a line break'],
    ['half\rwhole', 'a line break'],
    ['half\u0000whole', 'an invisible character (U+0000)'],
    ['half\u200bwhole', 'an invisible character (U+200B)'],
    ['half\u00a0whole', 'an invisible character (U+00A0)'],
    ['half\u202ewhole', 'an invisible character (U+202E)'],
  ])('the credential %j is refused and not quoted', (value, kind) => {
    const refusal = (() => {
      try {
        clean(value);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(ConfigError);
    const { message, hints } = refusal as ConfigError;
    expect(message).toBe(`The client secret in THERE has ${kind} in it, which cannot be right.`);
    expect([message, ...hints].join()).not.toMatch(/half|whole/);
  });

  test('characters inside a secret are kept', () => {
    const value = 'a b"c\'d\\e&=%+ü€';
    expect(clean(value)).toMatchObject({ value, said: [] });
  });
});
