import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import {
  environmentOf,
  filesBelow,
  sample,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';
import * as wire from '../../support/store/adversary.ts';

const SECRET = 'Zq9Lw4TkB&x+y%z#=/ü"secret';
const CLIENT = '5a9d0bff0000000000000001-own';

/** Texts that must be nowhere: the secret in its forms, and every token that the store issued. */
function secretForms(): string[] {
  return [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1), 'Zq9Lw4TkB'];
}

describe('secrets and tokens', () => {
  test.each([
    ['import', ['import', 'products', sample('shopify-products.csv'), '--out', 'out']],
    ['an import as JSON', ['import', 'customers', sample('shopify-customers.csv'), '--out', 'out', '--json']],
    ['export', ['export', 'reviews', '--out', 'reviews.csv']],
    ['auth check', ['auth', 'check']],
    ['auth check with a wrong client', ['auth', 'check', '--client-id', 'someone-else']],
    ['auth check at a dead port', ['auth', 'check', '--base-url', 'http://127.0.0.1:9']],
    ['auth check at no host', ['auth', 'check', '--base-url', 'http://no-such-host.invalid']],
  ])('secrets and tokens appear nowhere at any log level: %s', async (_what, args) => {
    // A token that expires during the run is refreshed, so that there are several to mask.
    const sandbox = await startSandbox({
      clientId: CLIENT,
      clientSecret: SECRET,
      seed: 20,
      tokenLifeSeconds: 1,
    });
    const cwd = temporaryFolder();
    try {
      const env = environmentOf(sandbox);
      const toFile = await storeport([...args, '--log-level', 'trace', '--log-file', 'storeport.log'], {
        cwd,
        env,
      });
      const toScreen = await storeport([...args, '--log-level', 'trace'], { cwd, env });
      const files = filesBelow(cwd).map((file) => [file, readFileSync(file, 'latin1')] as const);
      const texts = [
        ['standard output', toFile.stdout + toScreen.stdout] as const,
        ['standard error', toFile.stderr + toScreen.stderr] as const,
        ...files,
        ...filesBelow(cwd).map((file) => [file, readFileSync(file, 'utf8')] as const),
      ];
      expect(files.length).toBeGreaterThan(0);
      for (const [where, text] of texts) {
        for (const form of secretForms()) expect(text.includes(form), `${form} in ${where}`).toBe(false);
        // Access and refresh tokens of the sandbox are JWTs, or have its mark.
        expect(text, where).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
      }
    } finally {
      await sandbox.close();
    }
  });

  test('secrets and tokens are masked in uncaught errors', async () => {
    await using store = await wire.adversary({ script: [wire.created()], token: [wire.stall] });
    const cwd = temporaryFolder();
    // Thrown from an event, with the secret in its message and in a further property.
    const bomb = `process.on('SIGUSR2', () => { throw Object.assign(new Error('at ' + process.env.STOREPORT_CLIENT_SECRET), { url: process.env.STOREPORT_CLIENT_SECRET }); });`;
    writeFileSync(join(cwd, 'bomb.mjs'), bomb);
    const ended = await storeportProcess(['auth', 'check'], {
      cwd,
      env: {
        STOREPORT_BASE_URL: store.url,
        STOREPORT_CLIENT_ID: CLIENT,
        STOREPORT_CLIENT_SECRET: SECRET,
        NODE_OPTIONS: '--import ./bomb.mjs',
      },
      onStart(child) {
        const timer = setInterval(() => {
          if (store.tokenRequests.length === 0) return;
          clearInterval(timer);
          child.kill('SIGUSR2');
        }, 10);
      },
    });
    expect(ended.stderr).toContain('This is a bug in storeport: Error: at ***');
    for (const form of secretForms()) expect(ended.stderr).not.toContain(form);
    expect(ended.code).toBe(3);
  });

  test('secrets and a token of 50,000 characters are masked when the store repeats them in its answers', async () => {
    const access = `${'k7-'.repeat(16_666)}end`;
    const spoken = [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET), access].join(' ');
    // Truncated for the reports within the secret, and within the token.
    const refusals = Array.from({ length: 24 }, (_, n) => `${'x'.repeat(470 + n)}${SECRET} ${spoken}`);
    const store = await wire.adversary({
      script: [
        ...refusals.map((message) => wire.json(400, { message, field: `field.${spoken}` })),
        wire.json(400, `${'y'.repeat(495)}${SECRET}`),
        wire.reply(403, `<html><title>${'z'.repeat(495)}${SECRET}</title></html>`),
        wire.reply(302, '', { location: `/login/${encodeURIComponent(SECRET)}?t=1` }),
      ],
      token: [wire.json(200, { accessToken: access, refreshToken: 'r'.repeat(50_000), expireTime: 3600 })],
    });
    await using _store = store;
    const cwd = temporaryFolder();
    const names = Array.from({ length: 40 }, (_, n) => `Lamp ${n},r${n}`);
    writeFileSync(join(cwd, 'in.csv'), `name,reference\n${names.join('\n')}\n`);
    const args = [
      'import',
      'products',
      'in.csv',
      '--concurrency',
      '1',
      '--out',
      'out',
      '--give-up-after',
      '1s',
    ];
    const ended = await storeport([...args, '--log-level', 'trace', '--log-file', 'storeport.log'], {
      cwd,
      env: {
        STOREPORT_BASE_URL: store.url,
        STOREPORT_CLIENT_ID: CLIENT,
        STOREPORT_CLIENT_SECRET: SECRET,
        STOREPORT_STORE_ID: '66f000000000000000000001',
      },
    });
    expect(ended.stderr).not.toContain('bug');
    expect(store.requests.length).toBeGreaterThan(refusals.length);
    expect(store.requests.every(({ headers }) => headers['x-auth-token'] === access)).toBe(true);
    const files = filesBelow(cwd);
    expect(
      files.filter((file) => /results\.csv|summary\.json|ledger\.db|storeport\.log/.test(file)),
    ).not.toEqual([]);
    for (const text of [ended.stdout, ended.stderr, ...files.map((file) => readFileSync(file, 'latin1'))]) {
      for (const form of [...secretForms(), 'k7-k7', 'rrrr']) expect(text.includes(form), form).toBe(false);
    }
  });

  test('the log has an entry for each attempt, so the mask is exercised', async () => {
    const cwd = temporaryFolder();
    const ended = await storeport(
      ['import', 'products', sample('native-products.csv'), '--sandbox', '--log-level', 'debug'],
      { cwd },
    );
    const lines = ended.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ path }) => path === '/api/products/create')).toHaveLength(6);
    expect(lines.some(({ msg }) => msg === 'token request')).toBe(true);
  });
});
