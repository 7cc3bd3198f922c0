import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONFIG_FILE } from '../../support/config-file.ts';
import { storeportProcess, temporaryFolder } from '../../support/run.ts';

const onLinux = test.skipIf(process.platform !== 'linux');
const LIMIT = 5_000_000;
const CHECK = ['validate', 'products', 'in.csv', '--mapping', './mine.yaml'];

/** A folder with a source, and a file called `name` that is too large or has no end. */
function folderWith(name: string, isEndless: boolean): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference\nLamp,L1\n');
  if (isEndless) symlinkSync('/dev/zero', join(cwd, name));
  else writeFileSync(join(cwd, name), '#'.repeat(LIMIT + 1), { mode: 0o600 });
  return cwd;
}

test.each([
  ['mine.yaml', CHECK, 'The mapping file ./mine.yaml is larger than'],
  ['mine.yaml', [...CHECK, '--log-file', 'log'], 'The mapping file ./mine.yaml is larger than'],
  ['mine.yaml', ['mapping', 'check', './mine.yaml'], 'The mapping file ./mine.yaml is larger than'],
  [CONFIG_FILE, ['import', 'products', 'in.csv', '--profile', 'shop'], `${CONFIG_FILE} is larger than`],
  ['.env', ['validate', 'products', 'in.csv'], '.env is larger than'],
])('%s of more than 5 MB is refused by %j', async (name, args, said) => {
  const { code, stderr } = await storeportProcess(args, { cwd: folderWith(name, false) });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`${said} ${LIMIT} bytes, and was not read further.`),
  ]);
});

onLinux.each([
  ['mine.yaml', CHECK, 'is larger than 5000000 bytes'],
  [CONFIG_FILE, ['import', 'products', 'in.csv', '--profile', 'shop'], 'is larger than 5000000 bytes'],
  ['zero.csv', ['validate', 'products', 'zero.csv'], 'has no readable header'],
  [
    'zero.json',
    ['validate', 'products', 'zero.json', '--format', 'json'],
    'begins with a NUL byte, so it is not JSON',
  ],
  ['zero.json', ['validate', 'products', 'zero.json', '--format', 'ndjson'], 'begins with a NUL byte'],
])('%s set to /dev/zero exits with a clear error in %j', async (name, args, said) => {
  // A limit on memory would be reached before the end of the test.
  const env = { NODE_OPTIONS: '--max-old-space-size=128' };
  const { code, stderr } = await storeportProcess(args, { cwd: folderWith(name, true), env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
});
