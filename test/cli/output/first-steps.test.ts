import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { scriptCall } from '../../../src/cli/output/first-steps.ts';

test.each([
  ['/usr/local/bin/storeport'],
  ['/usr/local/lib/node_modules/storeport/dist/storeport.js'],
  ['/home/ann/.npm/_npx/1a2b/node_modules/.bin/storeport'],
  [undefined],
])('an installed program is called by its name: %s', (script) => {
  expect(scriptCall(script)).toBeUndefined();
});

test('a program that is built but not installed is called by its path', () => {
  expect(scriptCall(resolve('dist/storeport.js'))).toBe(`node ${join('dist', 'storeport.js')}`);
});
