import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { expect, test, vi } from 'vitest';
import { binary, sample, temporaryFolder } from '../../support/run.ts';

test('a short import runs the parser of answers without optimising it', () => {
  const folder = temporaryFolder();
  const words = [
    'import',
    'products',
    sample('shopify-products.csv'),
    '--sandbox',
    '--home',
    join(folder, 'home'),
  ];
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--trace-wasm-compilation-times', binary, ...words],
    { cwd: folder, encoding: 'utf8' },
  );
  // Some rows of the sample are invalid.
  expect(status).toBeLessThan(2);
  // V8 prints a line for each function that it compiles.
  expect(stdout).toMatch(/Compiled function .* using Liftoff/);
  expect(stdout).not.toMatch(/using TurboFan/);
});

test('compiled code that was kept before is valid afterwards, also if the first connection fails', async () => {
  // Another test of this process may have connected.
  vi.resetModules();
  const { withLateTierUp } = await import('../../../src/store/http/parser-tiering.ts');
  const tag = cachedDataVersionTag();
  let during = tag;
  const fail = () => {
    during = cachedDataVersionTag();
    throw new Error('no connection');
  };
  expect(() => withLateTierUp(fail)).toThrow('no connection');
  expect(during).not.toBe(tag);
  expect(cachedDataVersionTag()).toBe(tag);
});
