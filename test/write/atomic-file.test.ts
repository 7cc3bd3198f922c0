import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError, RunStopped } from '../../src/model/index.ts';
import { openAtomicFile, openTable } from '../../src/write/index.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeport-write-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the file appears at commit and not before, and nothing else is left', async () => {
  const path = join(folder, 'out.csv');
  const file = await openAtomicFile(path);
  await file.write('a,b\n');
  await file.write(Buffer.from('1,2\n'));
  expect(await readdir(folder)).not.toContain('out.csv');
  await file.commit();
  expect(await readFile(path, 'utf8')).toBe('a,b\n1,2\n');
  expect(await readdir(folder)).toEqual(['out.csv']);
});

// The umask takes away what the group may write.
test.each([0o640, 0o664])(
  'until commit the old file stays; then the new one has its permissions: %i',
  async (mode) => {
    const path = join(folder, 'out.csv');
    await writeFile(path, 'old');
    await chmod(path, mode);
    const file = await openAtomicFile(path);
    await file.write('x'.repeat(200_000));
    expect(await readFile(path, 'utf8')).toBe('old');
    await file.commit();
    expect((await stat(path)).size).toBe(200_000);
    expect((await stat(path)).mode & 0o777).toBe(mode);
  },
);

test('abort removes the new file, and leaves the old one unchanged', async () => {
  await writeFile(join(folder, 'old.csv'), 'old');
  for (const name of ['new.csv', 'old.csv']) {
    const file = await openAtomicFile(join(folder, name));
    await file.write('x'.repeat(200_000));
    await file.abort();
    await file.abort();
  }
  expect(await readdir(folder)).toEqual(['old.csv']);
  expect(await readFile(join(folder, 'old.csv'), 'utf8')).toBe('old');
});

test('a sealed file is on the disk under its temporary name, and commit or abort writes no more bytes', async () => {
  for (const name of ['one.csv', 'two.csv']) {
    const file = await openAtomicFile(join(folder, name));
    await file.write('done');
    await file.seal();
    const [beside = ''] = (await readdir(folder)).filter((each) => each.startsWith(`.${name}`));
    expect(await readFile(join(folder, beside), 'utf8')).toBe('done');
    await (name === 'one.csv' ? file.commit() : file.abort());
  }
  expect(await readdir(folder)).toEqual(['one.csv']);
});

test('abort after commit does nothing', async () => {
  const file = await openAtomicFile(join(folder, 'out.csv'));
  await file.write('done');
  await file.commit();
  await file.abort();
  expect(await readFile(join(folder, 'out.csv'), 'utf8')).toBe('done');
});

test('a commit that fails stops the run and leaves no temporary file', async () => {
  const path = join(folder, 'out.csv');
  const file = await openAtomicFile(path);
  await file.write('x');
  // A folder was created there in the meantime, so the rename fails.
  await mkdir(join(path, 'in-the-way'), { recursive: true });
  const error = await file.commit().catch((e: unknown) => e);
  expect(error).toBeInstanceOf(RunStopped);
  expect(error).toMatchObject({ reason: 'output-failed' });
  expect(await readdir(folder)).toEqual(['out.csv']);
});

test.skipIf(!existsSync('/dev/full'))('a write that fails stops the run', async () => {
  const file = await openAtomicFile('/dev/full');
  const error = await file.write('x'.repeat(3_000_000)).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(RunStopped);
  expect((error as Error).message).toMatch(/^\/dev\/full cannot be written: .*ENOSPC/);
});

test('an item that cannot be written leaves the old file, once the writer is aborted', async () => {
  const path = join(folder, 'out.ndjson');
  await writeFile(path, 'old');
  const table = await openTable(path, { format: 'ndjson', columns: [] });
  await table.write([{ a: 1 }]);
  await expect(table.write([{ a: 1n as never }])).rejects.toThrow();
  await table.abort();
  expect(await readdir(folder)).toEqual(['out.ndjson']);
  expect(await readFile(path, 'utf8')).toBe('old');
});

test('a symbolic link stays one, and the file behind it is replaced', async () => {
  await writeFile(join(folder, 'real.csv'), 'old');
  await symlink('real.csv', join(folder, 'link.csv'));
  const file = await openAtomicFile(join(folder, 'link.csv'));
  await file.write('new');
  await file.commit();
  expect(await readFile(join(folder, 'real.csv'), 'utf8')).toBe('new');
  expect((await readdir(folder)).sort()).toEqual(['link.csv', 'real.csv']);
});

test('a device is written in place, not replaced by a rename', async () => {
  const file = await openAtomicFile('/dev/null');
  await file.write('x');
  await file.commit();
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});

test('a folder, and a file in a missing folder, are refused at once', async () => {
  await expect(openAtomicFile(folder)).rejects.toThrow(
    new ConfigError(`${folder} is a folder: name a file in it.`),
  );
  const path = join(folder, 'no', 'out.csv');
  await expect(openAtomicFile(path)).rejects.toThrow(
    `${path} cannot be written: there is no folder ${join(folder, 'no')}.`,
  );
});

test('temporary files of a killed process are removed, and nothing else', async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const part = (name: string, pid: number) => `.${name}.${pid}.0123456789ab.part`;
  const left = part('out.csv', dead);
  const own = part('out.csv', process.pid);
  // From this process number, but before this process started: in a container they may all have the same
  // number.
  const reborn = `.out.csv.${process.pid}.ba9876543210.part`;
  const others = [
    part('out.csv', process.ppid),
    part('other.csv', dead),
    '.out.csv.part',
    `.out.csv.${dead}.txt`,
  ];
  for (const name of [left, own, reborn, ...others]) await writeFile(join(folder, name), 'x');
  await utimes(join(folder, reborn), 1, 1);
  const file = await openAtomicFile(join(folder, 'out.csv'));
  await file.commit();
  expect((await readdir(folder)).sort()).toEqual(['out.csv', own, ...others].sort());
});

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a file that this process writes is kept if the clock is set %s by an hour', async (_, shiftMs) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const first = await openAtomicFile(join(folder, 'out.csv'));
  const [part = ''] = await readdir(folder);
  // The system takes file times from the same clock.
  vi.setSystemTime(Date.now() + shiftMs);
  const writtenAt = new Date(Date.now() - Math.max(0, shiftMs));
  await utimes(join(folder, part), writtenAt, writtenAt);
  const second = await openAtomicFile(join(folder, 'out.csv'));
  expect(await readdir(folder)).toContain(part);
  await second.abort();
  await first.abort();
});

test('the file does not appear if beforeRename fails', async () => {
  const path = join(folder, 'out.csv');
  await writeFile(path, 'old');
  const file = await openAtomicFile(path, {
    beforeRename: () => Promise.reject(new Error('no room')),
  });
  await file.write('new');
  await expect(file.commit()).rejects.toThrow(/no room/);
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['out.csv']);
});

test.each([0, 1, 2, 3])(
  'texts and bytes larger than the buffer are written completely, %i bytes into it',
  async (shift) => {
    const path = join(folder, 'out.txt');
    const seen: Buffer[] = [];
    const file = await openAtomicFile(path, { onBytes: (bytes) => seen.push(Buffer.from(bytes)) });
    const parts = ['x'.repeat(shift), '😀é'.repeat(400_000), '\uD800', 'end\n'];
    for (const part of parts) await file.write(part);
    await file.write(Buffer.from(parts.join('')));
    await file.commit();
    const whole = Buffer.from(parts.join('').repeat(2));
    expect((await readFile(path)).equals(whole)).toBe(true);
    expect(Buffer.concat(seen).equals(whole)).toBe(true);
  },
);
