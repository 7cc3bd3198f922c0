import { fstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSource, type Source } from '../../src/read/index.ts';
import { temporaryFolder } from '../support/run.ts';

/** How many times this process has a file open. */
function timesOpen(file: string): number {
  const { ino, dev } = statSync(file);
  return readdirSync('/dev/fd').filter((fd) => {
    try {
      const found = fstatSync(Number(fd));
      return found.ino === ino && found.dev === dev;
    } catch {
      return false; // the descriptor of this listing
    }
  }).length;
}

/** A file that is longer than what is read to recognise it. */
function largeFile(): string {
  const file = join(temporaryFolder(), 'products.csv');
  const rows = Array.from({ length: 100_000 }, (_, n) => `P-${n},Product ${n}\n`);
  writeFileSync(file, `reference,name\n${rows.join('')}`);
  return file;
}

const scanOf = ({ reread }: Source) => reread?.scan?.(0, () => {}) as AsyncGenerator<void, boolean>;

test('a scan that is stopped closes its file', async () => {
  const file = largeFile();
  const source = await openSource(file);
  await source.close();
  expect(timesOpen(file)).toBe(0);
  for await (const _ of scanOf(source)) break;
  expect(timesOpen(file)).toBe(0);
});

test('a scan of a file that changed meanwhile closes it', async () => {
  const file = largeFile();
  const source = await openSource(file);
  await source.close();
  writeFileSync(file, 'reference,name\nP-1,Pen\n');
  await expect(scanOf(source).next()).rejects.toThrow('products.csv');
  expect(timesOpen(file)).toBe(0);
});

test('rows that are left unread close their file', async () => {
  const file = largeFile();
  const { batches } = await openSource(file);
  expect(timesOpen(file)).toBe(1);
  for await (const _ of batches) break;
  expect(timesOpen(file)).toBe(0);
});
