import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { environmentOf, storeport } from '../../support/run.ts';

const cli = cliForEachTest();

const check = (cwd: string, args: string[] = [], env: Record<string, string> = {}) =>
  storeport(['auth', 'check', '--json', ...args], { cwd, env });

describe('settings', () => {
  test('settings are read from the environment', async () => {
    const { code, stdout } = await check(cli.cwd, [], environmentOf(cli.sandbox));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      base_url: cli.sandbox.url,
      token: 'obtained',
      store_id: cli.sandbox.storeId,
    });
  });

  test('settings are read from .env, and the environment overrides it', async () => {
    const { cwd } = cli;
    const lines = Object.entries(environmentOf(cli.sandbox)).map(([name, value]) => `${name}="${value}"`);
    writeFileSync(join(cwd, '.env'), `${lines.join('\n')}\n`);
    expect((await check(cwd)).code).toBe(0);
    const other = { STOREPORT_BASE_URL: cli.sandbox.url, STOREPORT_CLIENT_SECRET: 'wrong-one' };
    expect((await check(cwd, [], other)).code).toBe(3);
  });

  test('a secret with any characters is sent exactly from .env, a profile and the environment', async () => {
    const clientId = 'id with & + % # = in it';
    const clientSecret = 'a&b+c%d #e=f "g" $h%41\\n';
    const odd = await startSandbox({ clientId, clientSecret });
    try {
      const { cwd } = cli;
      const own = { mode: 0o600 };
      const env = { STOREPORT_BASE_URL: odd.url, STOREPORT_CLIENT_ID: clientId };
      expect((await check(cwd, [], { ...env, STOREPORT_CLIENT_SECRET: clientSecret })).code).toBe(0);
      writeFileSync(join(cwd, '.env'), `STOREPORT_CLIENT_SECRET='${clientSecret}'\n`, own);
      expect((await check(cwd, [], env)).code).toBe(0);
      const profile = { 'base-url': odd.url, 'client-id': clientId, 'client-secret': clientSecret };
      writeFileSync(join(cwd, 'storeport.config.yaml'), JSON.stringify({ profiles: { odd: profile } }), own);
      expect((await check(cwd, ['--profile', 'odd'])).code).toBe(0);
    } finally {
      await odd.close();
    }
  });

  test('a secret in .env with a comment sign inside is refused', async () => {
    const { cwd } = cli;
    writeFileSync(join(cwd, '.env'), 'STOREPORT_CLIENT_SECRET=half#whole\n', { mode: 0o600 });
    const { STOREPORT_CLIENT_SECRET: secret = '', ...env } = environmentOf(cli.sandbox);
    const { code, stderr } = await check(cwd, [], env);
    expect(code).toBe(2);
    expect(stderr).toContain('Put the secret into single quotes.');
    expect(stderr).not.toContain('half');
    writeFileSync(join(cwd, '.env'), `STOREPORT_CLIENT_SECRET=${secret} # mine\n`);
    expect((await check(cwd, [], env)).code).toBe(0);
  });

  test('a secret in a .env that others can read causes a warning', async () => {
    const { cwd } = cli;
    const { STOREPORT_CLIENT_SECRET: secret = '', ...env } = environmentOf(cli.sandbox);
    writeFileSync(join(cwd, '.env'), `STOREPORT_CLIENT_SECRET='${secret}'\n`);
    chmodSync(join(cwd, '.env'), 0o644);
    const open = await check(cwd, [], env);
    expect(open.code).toBe(0);
    expect(open.stderr).toContain('Warning: .env holds the client secret');
    chmodSync(join(cwd, '.env'), 0o600);
    expect((await check(cwd, [], env)).stderr).toBe('');
  });

  test('the command line overrides the environment', async () => {
    const env = { ...environmentOf(cli.sandbox), STOREPORT_BASE_URL: 'http://127.0.0.1:9' };
    expect((await check(cli.cwd, ['--base-url', `${cli.sandbox.url}/api/`], env)).code).toBe(0);
  });

  test('every option can be set by a variable', async () => {
    const { cwd } = cli;
    writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\nB,2\nC,3\n');
    const env = {
      STOREPORT_LIMIT: '2',
      STOREPORT_OUT: 'there',
      STOREPORT_JSON: 'true',
      STOREPORT_SET: 'status=DRAFT',
      STOREPORT_SANDBOX: '1',
    };
    const { stdout } = await storeport(['import', 'products', 'in.csv'], { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject({ records: 2, out: join(cwd, 'there') });
  });

  test('settings are read from a profile only if no other user can read the file', async () => {
    const { cwd } = cli;
    const file = join(cwd, 'storeport.config.yaml');
    const {
      STOREPORT_BASE_URL: url,
      STOREPORT_CLIENT_ID: id,
      STOREPORT_CLIENT_SECRET: secret,
    } = environmentOf(cli.sandbox);
    writeFileSync(
      file,
      `profiles:\n  shop:\n    base-url: ${url}\n    client-id: ${id}\n    client-secret: ${secret}\n`,
    );
    chmodSync(file, 0o644);
    const open = await check(cwd, ['--profile', 'shop']);
    expect(open.code).toBe(2);
    expect(open.stderr).toContain('chmod 600 storeport.config.yaml');
    // The other profiles are as readable, whichever is used, and so is the file if only its api section is
    // read.
    expect((await storeport(['auth', 'check', '--sandbox'], { cwd })).stderr).toContain('chmod 600');
    chmodSync(file, 0o600);
    expect((await check(cwd, ['--profile', 'shop'])).code).toBe(0);
    const other = await check(cwd, ['--profile', 'shoop']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('it has shop');
  });

  test('a named profile overrides the environment, so that no secret goes to another store', async () => {
    const { cwd } = cli;
    const {
      STOREPORT_BASE_URL: url,
      STOREPORT_CLIENT_ID: id,
      STOREPORT_CLIENT_SECRET: secret,
    } = environmentOf(cli.sandbox);
    const file = join(cwd, 'storeport.config.yaml');
    writeFileSync(
      file,
      `profiles:\n  shop: { base-url: "${url}", client-id: "${id}", client-secret: "${secret}" }\n`,
    );
    chmodSync(file, 0o600);
    const elsewhere = {
      STOREPORT_BASE_URL: 'http://127.0.0.1:9',
      STOREPORT_CLIENT_ID: 'x',
      STOREPORT_CLIENT_SECRET: 'another-one',
    };
    expect((await check(cwd, ['--profile', 'shop'], elsewhere)).code).toBe(0);
    expect((await check(cwd, [], { ...elsewhere, STOREPORT_PROFILE: 'shop' })).code).toBe(0);
    expect((await check(cwd, [], elsewhere)).code).toBe(3);
  });

  test('the secret cannot be given on the command line', async () => {
    const { code, stderr } = await check(cli.cwd, ['--client-secret', 'x'], environmentOf(cli.sandbox));
    expect(code).toBe(2);
    expect(stderr).toContain('client-secret');
  });

  test('plain http to another machine causes a warning', async () => {
    const { stderr } = await check(
      cli.cwd,
      ['--base-url', 'http://no-such-host.invalid'],
      environmentOf(cli.sandbox),
    );
    expect(stderr).toContain('plain http');
  });
});
