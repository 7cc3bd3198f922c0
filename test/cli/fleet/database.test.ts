import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RefusingPostgres, startRefusingPostgres } from '../../support/refusing-postgres.ts';
import { filesBelow, type RunOptions, storeport, temporaryFolder } from '../../support/run.ts';

let server: RefusingPostgres;
let cwd: string;
const PASSWORD = 'p4ss/w0rd#1';
const WRITTEN = encodeURIComponent(PASSWORD);
const addressWith = (user: string) => `postgres://${user}@127.0.0.1:${server.port}/fleet`;
const list = (options: Partial<RunOptions> = {}, ...args: string[]) =>
  storeport(['fleet', 'list', ...args], { cwd, ...options });

beforeEach(async () => {
  server = await startRefusingPostgres('28P01', 'password authentication failed for user "ann"');
  cwd = temporaryFolder();
});
afterEach(() => server.close());

describe('the database of a fleet', () => {
  test('is not set: the message names the option, the variable and the profile', async () => {
    const { code, stderr } = await list();
    expect(code).toBe(2);
    for (const word of ['--database', 'STOREPORT_DATABASE', 'storeport.config.yaml'])
      expect(stderr).toContain(word);
  });

  test('is no address of Postgres: its text is not repeated', async () => {
    for (const args of [['--database', 'mysql://ann:secret-word@host/db'], []]) {
      const env = args.length > 0 ? {} : { STOREPORT_DATABASE: 'ann:secret-word@host' };
      const { code, stderr } = await list({ env }, ...args);
      expect(code).toBe(2);
      expect(stderr).toContain('such as postgres://user@host:5432/name');
      expect(stderr).not.toContain('secret-word');
    }
  });

  test('refuses the password: the message says so, and shows it nowhere', async () => {
    const log = join(cwd, 'storeport.log');
    const env = { STOREPORT_DATABASE: addressWith(`ann:${WRITTEN}`) };
    for (const format of [[], ['--json']]) {
      const ended = await list({ env }, '--log-file', log, '--log-level', 'trace', ...format);
      expect(ended.code).toBe(2);
      expect(ended.stderr + ended.stdout).toContain('password authentication failed for user');
      expect(ended.stderr).toContain('STOREPORT_DATABASE');
      for (const text of [ended.stdout, ended.stderr, readFileSync(log, 'utf8')]) {
        expect(text).not.toContain(PASSWORD);
        expect(text).not.toContain(WRITTEN);
      }
    }
    expect(server.passwords).toEqual([PASSWORD, PASSWORD]);
  });

  test('has its password on the command line: a warning says that others see it', async () => {
    const { stderr } = await list({}, '--database', addressWith(`ann:${WRITTEN}`));
    expect(stderr).toContain('Other users of this machine can see the password in --database');
    expect(stderr).not.toContain(WRITTEN);
    const quiet = await list({ env: { PGPASSWORD: PASSWORD } }, '--database', addressWith('ann'));
    expect(quiet.stderr).not.toContain('Other users');
    expect(server.passwords).toEqual([PASSWORD, PASSWORD]);
  });

  test('is away: the message names host and port, and the variable to correct', async () => {
    const { port } = server;
    await server.close();
    const { code, stderr } = await list({
      env: { STOREPORT_DATABASE: `postgres://ann:${WRITTEN}@127.0.0.1:${port}/fleet` },
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`127.0.0.1:${port}/fleet`);
    expect(stderr).toContain('ECONNREFUSED');
    expect(stderr).toContain('does Postgres run there');
  });

  test('does not exist there: the message has the reason of Postgres', async () => {
    const other = await startRefusingPostgres('3D000', 'database "fleet" does not exist');
    try {
      const address = `postgres://ann@127.0.0.1:${other.port}/fleet`;
      const { code, stderr } = await list({ env: { STOREPORT_DATABASE: address, PGPASSWORD: 'x' } });
      expect(code).toBe(2);
      expect(stderr).toContain('database "fleet" does not exist');
      expect(stderr).toContain('Create it');
    } finally {
      await other.close();
    }
  });

  test('comes from the command line, else the profile, else the environment', async () => {
    const config = join(cwd, 'storeport.config.yaml');
    writeFileSync(config, `profiles:\n  a:\n    database: ${addressWith('ann:of-profile')}\n`);
    chmodSync(config, 0o600);
    const env = { STOREPORT_DATABASE: addressWith('ann:of-variable') };
    await list({ env });
    await list({ env }, '--profile', 'a');
    await list({ env }, '--profile', 'a', '--database', addressWith('ann:of-option'));
    expect(server.passwords).toEqual(['of-variable', 'of-profile', 'of-option']);
  });

  test.runIf(process.platform !== 'win32')(
    'is in a profile that others can read: the file is refused',
    async () => {
      const config = join(cwd, 'storeport.config.yaml');
      writeFileSync(config, `profiles:\n  a:\n    database: ${addressWith('ann:of-profile')}\n`);
      chmodSync(config, 0o644);
      const { code, stderr } = await list({}, '--profile', 'a');
      expect(code).toBe(2);
      expect(stderr).toContain('holds the password of a database');
      expect(server.passwords).toEqual([]);
    },
  );

  test('of a folder does not get the password of the environment', async () => {
    writeFileSync(join(cwd, '.env'), `STOREPORT_DATABASE=${addressWith('ann')}\n`, { mode: 0o600 });
    const { code, stderr } = await list({ env: { PGPASSWORD: PASSWORD } });
    expect(code).toBe(2);
    expect(stderr).toContain('It was not sent');
    expect(server.passwords).toEqual([]);
    await list({ env: { PGPASSWORD: PASSWORD, STOREPORT_DATABASE: addressWith('ann') } });
    expect(server.passwords).toEqual([PASSWORD]);
  });
});

test('a secret of a store is refused as a value, and shown and kept nowhere', async () => {
  const words = ['store', 'add', 'paris', '--base-url', 'https://p.example.com', '--client-id', 'c'];
  for (const given of [['--secret', 'hunter2-secret'], ['--secret=hunter2-secret']]) {
    const { code, stderr, stdout } = await storeport(['fleet', ...words, ...given, '--log-file', 'log'], {
      cwd,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--secret takes env:NAME or file:/path');
    expect(stderr + stdout).not.toContain('hunter2');
  }
  for (const file of filesBelow(cwd)) expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
});

test('a store without a secret is refused with the forms of a reference', async () => {
  const words = ['store', 'add', 'paris', '--base-url', 'https://p.example.com', '--client-id', 'c'];
  const { code, stderr } = await storeport(['fleet', ...words], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('A store needs --secret.');
  expect(stderr).toContain('--secret env:NAME');
});

test.each([
  [['run', 'import', 'products', 'a.csv'], 'Which stores?'],
  [['run', 'import', 'products', '-', '--stores', 'all'], 'cannot import standard input'],
  [['stop'], 'Which tasks?'],
  [['resume', '--ended', 'a', '--reviewed', 'b'], 'two commands'],
  [['schedule', 'add', 'nightly', '--export', 'reviews', '--stores', 'all'], 'Give --cron'],
  [
    ['schedule', 'add', 'nightly', '--cron', '0 2 * * *', '--stores', 'all'],
    '--export RESOURCE or --import RESOURCE',
  ],
  [
    ['schedule', 'add', 'nightly', '--import', 'products', '--cron', '0 2 * * *', '--stores', 'all'],
    'Which file?',
  ],
])('storeport fleet %j is refused before the database is asked', async (words, message) => {
  const { code, stderr } = await storeport(['fleet', ...words], {
    cwd,
    env: { STOREPORT_DATABASE: addressWith('ann:x') },
  });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(server.passwords).toEqual([]);
});
