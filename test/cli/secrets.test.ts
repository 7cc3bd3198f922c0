import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import * as wire from '../store/adversary.ts';
import { environmentOf, filesBelow, sample, storeport, temporaryFolder } from '../support/run.ts';

const SECRET = 'Zq9&x+y%z#=/ü"secret';
const CLIENT = '5a9d0bff0000000000000001-own';

/** Texts that must be nowhere: the secret in the forms it is written in, and every token the store gave out. */
function secretForms(): string[] {
  return [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1), 'Zq9'];
}

describe('secrets and tokens show nowhere, at any log level', () => {
  test.each([
    ['import', ['import', 'products', sample('shopify-products.csv'), '--out', 'out']],
    ['an import as JSON', ['import', 'customers', sample('shopify-customers.csv'), '--out', 'out', '--json']],
    ['export', ['export', 'reviews', '--out', 'reviews.csv']],
    ['auth check', ['auth', 'check']],
    ['auth check with a wrong client', ['auth', 'check', '--client-id', 'someone-else']],
    ['auth check at a dead port', ['auth', 'check', '--base-url', 'http://127.0.0.1:9']],
    ['auth check at no host', ['auth', 'check', '--base-url', 'http://no-such-host.invalid']],
  ])('%s', async (_what, args) => {
    // A token that runs out during the run is refreshed: more than one has to be kept in.
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
        // Access and refresh tokens of the sandbox are JWTs, or carry its mark.
        expect(text, where).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
      }
    } finally {
      await sandbox.close();
    }
  });

  test('nor in what Node itself says of an error that nobody caught', async () => {
    await using store = await wire.adversary({ script: [wire.created()], token: [wire.stall] });
    const cwd = temporaryFolder();
    // Thrown from an event, with the secret in its words and in a further property.
    const bomb = `process.on('SIGUSR2', () => { throw Object.assign(new Error('at ' + process.env.STOREPORT_CLIENT_SECRET), { url: process.env.STOREPORT_CLIENT_SECRET }); });`;
    writeFileSync(join(cwd, 'bomb.mjs'), bomb);
    const ended = await storeport(['auth', 'check'], {
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

  test('there is something to hide: the log has an entry for each attempt', async () => {
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
