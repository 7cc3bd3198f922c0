import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTemporaryTables } from '../../src/group/temporary-tables.ts';
import { temporaryFolder } from '../support/run.ts';

const nameOf = (pid: number) => `storeport-${pid}-0123456789ab.tmp`;

/** As on Windows: a file that is open cannot be removed. */
function unlinkOfWindows(isOpen: (path: string) => boolean) {
  return (path: Parameters<typeof unlinkSync>[0]) => {
    if (isOpen(String(path))) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
    unlinkSync(path);
  };
}

test('tables have no name from the beginning', () => {
  const folder = temporaryFolder();
  const tables = openTemporaryTables(folder);
  expect(readdirSync(folder)).toEqual([]);
  tables.database.exec('create table t (a); insert into t values (1)');
  tables.close();
});

test('where an open file keeps its name, closing removes it', () => {
  const folder = temporaryFolder();
  let isOpen = true;
  const tables = openTemporaryTables(
    folder,
    unlinkOfWindows(() => isOpen),
  );
  expect(readdirSync(folder)).toHaveLength(1);
  isOpen = false;
  tables.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('where a closed file stays open for a while, its rows do not stay', () => {
  const folder = temporaryFolder();
  const tables = openTemporaryTables(
    folder,
    unlinkOfWindows(() => true),
  );
  tables.database.exec('create table t (a); insert into t values (1)');
  const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  expect(sizes()[0]).toBeGreaterThan(0);
  tables.close();
  expect(sizes()).toEqual([0]);
});

test('where an open file keeps its name, those of killed processes are removed, and no others', () => {
  const folder = temporaryFolder();
  const { pid } = spawnSync(process.execPath, ['--version']);
  const kept = [nameOf(process.ppid), `mine-${nameOf(pid)}`, `${nameOf(pid)}.bak`];
  for (const name of [nameOf(pid), ...kept]) writeFileSync(join(folder, name), '');
  let own: string | undefined;
  const tables = openTemporaryTables(
    folder,
    unlinkOfWindows((path) => {
      own ??= path;
      return path === own;
    }),
  );
  expect(readdirSync(folder).filter((name) => join(folder, name) !== own)).toEqual(kept.sort());
  tables.close();
});
