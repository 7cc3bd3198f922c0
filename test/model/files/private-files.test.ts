import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeHome, makePrivateFile, makePrivateFolder, ownershipHints } from '../../../src/model/index.ts';
import { hasModes, modeOf } from '../../support/modes.ts';
import { temporaryFolder } from '../../support/run.ts';

function oldHome(folder: string): string {
  mkdirSync(join(folder, 'exports'), { recursive: true });
  const files = [
    'ledger.db',
    'ledger.db-wal',
    'ledger.db-shm',
    '20261121-093012-a1b2.log',
    'store-0123456789abcdef.lock',
    'store-0123456789abcdef.json',
    'rate-0123456789abcdef.json',
    'exports/0123456789abcdef.keys',
    'exports/.0123456789abcdef.next.12.ab.part',
  ];
  for (const file of files) {
    writeFileSync(join(folder, file), '');
    chmodSync(join(folder, file), 0o644);
  }
  chmodSync(folder, 0o755);
  return folder;
}

const ours = (home: string) => [
  ...readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(home, name)),
  ...readdirSync(join(home, 'exports')).map((name) => join(home, 'exports', name)),
];

describe.runIf(hasModes)('hints for a path of another account', () => {
  const refused = Object.assign(new Error('EACCES'), { code: 'EACCES' });
  const own = process.getuid?.() ?? 0;

  test('name both accounts and the nearest folder', () => {
    const folder = temporaryFolder();
    const asOwner = own === 0 ? '' : `run it as that account (in a container: --user ${own}), or `;
    expect(ownershipHints(refused, join(folder, 'new', '.storeport'), own + 1)).toEqual([
      `${folder} belongs to the account ${own}, and this command runs as ${own + 1}.`,
      `To change that: ${asOwner}chown ${own + 1} ${folder}`,
    ]);
  });

  test('are not given for other causes', () => {
    const folder = temporaryFolder();
    expect(ownershipHints(refused, folder, own)).toEqual([]);
    expect(ownershipHints(Object.assign(new Error(), { code: 'ENOSPC' }), folder, own + 1)).toEqual([]);
    expect(ownershipHints(refused, folder, undefined)).toEqual([]);
  });
});

describe.runIf(hasModes)('files that only their owner may read', () => {
  test('a folder is made private, and folders above it follow the umask', () => {
    const root = temporaryFolder();
    const above = join(root, 'above');
    expect(makePrivateFolder(join(above, 'home'))).toBe(above);
    expect(modeOf(join(above, 'home'))).toBe(0o700);
    expect(modeOf(above)).toBe(0o777 & ~process.umask());
    expect(makePrivateFolder(join(above, 'home'))).toBeUndefined();
    expect(makePrivateFolder('/')).toBeUndefined();
  });

  test('a file in the place of a folder is an error', () => {
    const file = join(temporaryFolder(), 'home');
    writeFileSync(file, '');
    expect(() => makePrivateFolder(file)).toThrow('EEXIST');
  });

  test('an existing file is not touched', () => {
    const file = join(temporaryFolder(), 'ledger.db');
    writeFileSync(file, 'text');
    chmodSync(file, 0o644);
    makePrivateFile(file);
    expect(lstatSync(file)).toMatchObject({ size: 4 });
    expect(modeOf(file)).toBe(0o644);
  });

  test('a home whose files others may read becomes private, with all its files', () => {
    const home = oldHome(join(temporaryFolder(), '.storeport'));
    makeHome(home);
    expect(modeOf(home)).toBe(0o700);
    expect(ours(home)).toHaveLength(9);
    for (const path of ours(home)) expect([path, modeOf(path)]).toEqual([path, 0o600]);
  });

  test('a home in a folder of another name keeps the permissions of the folder and of other files', () => {
    const home = oldHome(join(temporaryFolder(), 'project'));
    writeFileSync(join(home, 'index.html'), '');
    writeFileSync(join(home, 'elsewhere'), '');
    chmodSync(join(home, 'index.html'), 0o644);
    chmodSync(join(home, 'elsewhere'), 0o644);
    symlinkSync('elsewhere', join(home, 'rate-aaaaaaaaaaaaaaaa.json'));
    makeHome(home);
    expect(modeOf(home)).toBe(0o755);
    expect(modeOf(join(home, 'index.html'))).toBe(0o644);
    expect(modeOf(join(home, 'elsewhere'))).toBe(0o644);
    expect(modeOf(join(home, 'ledger.db'))).toBe(0o600);
  });

  test('permissions are only removed, never added', () => {
    const home = oldHome(join(temporaryFolder(), '.storeport'));
    chmodSync(join(home, 'ledger.db'), 0o444);
    makeHome(home);
    expect(modeOf(join(home, 'ledger.db'))).toBe(0o400);
  });

  test.runIf(process.getuid?.() === 0)('files of another user are left unchanged', () => {
    const home = oldHome(join(temporaryFolder(), '.storeport'));
    for (const path of [home, join(home, 'ledger.db')]) chownSync(path, 12345, 12345);
    makeHome(home);
    expect(modeOf(home)).toBe(0o755);
    expect(modeOf(join(home, 'ledger.db'))).toBe(0o644);
    expect(modeOf(join(home, 'ledger.db-wal'))).toBe(0o600);
  });
});
