import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { openRememberedImages, type RememberedOptions } from '../../src/images/remembered.ts';
import { temporaryFolder } from '../support/run.ts';

const DAY = 24 * 3_600_000;
const WEEK = 7 * DAY;
const START = Date.UTC(2026, 5, 1);

/** Opens the file of a folder at a time, with the messages about it. */
function openAt(home: string, atMs: number, options: Partial<RememberedOptions> = {}) {
  const lost: string[] = [];
  const images = openRememberedImages({
    ...{ home, maxAgeMs: WEEK, mostBytes: 1000, allowsPrivate: false, wallNow: () => atMs },
    onLost: (message) => void lost.push(message),
    ...options,
  });
  return { ...images, lost };
}

/** A folder in which this digest was remembered at `START`. */
function homeWith(...digests: string[]): string {
  const home = temporaryFolder();
  const images = openAt(home, START);
  images.add(digests.map((digest) => ({ digest, size: 500 })));
  images.close();
  return home;
}

test('an image that was fine is remembered for as long as the user wants', () => {
  const home = homeWith('a');
  const isFineAfter = (ms: number, options = {}) => {
    const images = openAt(home, START + ms, options);
    const isFine = images.isFine('a');
    images.close();
    return isFine;
  };
  expect(isFineAfter(0)).toBe(true);
  expect(isFineAfter(WEEK - 1)).toBe(true);
  expect(isFineAfter(WEEK)).toBe(false);
  expect(isFineAfter(DAY, { maxAgeMs: DAY })).toBe(false);
  expect(isFineAfter(0, { maxAgeMs: 0 })).toBe(false);
  // The limit for sizes may be lower than it was.
  expect(isFineAfter(0, { mostBytes: 499 })).toBe(false);
  // The clock was set back: nobody knows how old it is.
  expect(isFineAfter(-DAY)).toBe(false);
});

test('other addresses are not remembered', () => {
  expect(openAt(homeWith('a'), START).isFine('b')).toBe(false);
});

test('an image of unknown size is fine whatever the limit', () => {
  const home = temporaryFolder();
  const images = openAt(home, START);
  images.add([{ digest: 'a' }]);
  expect(images.isFine('a')).toBe(true);
  images.close();
});

test('only its owner can read the file', () => {
  expect(statSync(join(homeWith('a'), 'images.db')).mode & 0o777).toBe(0o600);
});

test('the file keeps a limited number of addresses, the latest', () => {
  const home = temporaryFolder();
  for (let day = 0; day < 5; day++) {
    const images = openAt(home, START + day * DAY, { most: 20 });
    images.add(Array.from({ length: 10 }, (_, index) => ({ digest: `${day}-${index}` })));
    images.close();
  }
  const images = openAt(home, START + 4 * DAY);
  expect([0, 1, 2, 3, 4].map((day) => images.isFine(`${day}-0`))).toEqual([false, false, false, true, true]);
  images.close();
});

test('addresses are forgotten after a month, so that the file does not grow', () => {
  const home = homeWith('a');
  openAt(home, START + 31 * DAY).close();
  const images = openAt(home, START);
  expect(images.isFine('a')).toBe(false);
  images.close();
});

describe('a damaged file is replaced, with a message', () => {
  test.each([
    ['of text', (file: string) => writeFileSync(file, 'this is no database'.repeat(500))],
    ['cut off', (file: string) => truncateSync(file, 4096)],
    [
      'with a page of zeros',
      (file: string) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0, 4096, 8192));
      },
    ],
    ['of a later version', (file: string) => new Database(file).exec('pragma user_version = 99')],
  ])('%s', (_, damage) => {
    const home = homeWith(...Array.from({ length: 500 }, (_, index) => `digest-${index}-${'x'.repeat(20)}`));
    damage(join(home, 'images.db'));
    const images = openAt(home, START);
    expect(images.lost).toEqual([
      expect.stringMatching(/images\.db .* is damaged: .*They are asked again\.$/),
    ]);
    expect(images.isFine(`digest-0-${'x'.repeat(20)}`)).toBe(false);
    images.add([{ digest: 'new' }]);
    images.close();
    const again = openAt(home, START);
    expect([again.isFine('new'), again.lost]).toEqual([true, []]);
    again.close();
  });
});

test('a file that another process holds is not replaced, and the check does without it', () => {
  const home = homeWith('a');
  const file = join(home, 'images.db');
  const other = new Database(file);
  other.exec('pragma locking_mode = exclusive; begin exclusive');
  const images = openAt(home, START, { busyMs: 20 });
  expect(images.lost).toEqual([expect.stringContaining('cannot be used')]);
  expect(images.isFine('a')).toBe(false);
  images.add([{ digest: 'b' }]);
  images.close();
  other.exec('rollback');
  other.close();
  const again = openAt(home, START);
  expect([again.isFine('a'), again.isFine('b')]).toEqual([true, false]);
  again.close();
});

test('images that were added together are in the file all or not at all', () => {
  const home = homeWith('a');
  const images = openAt(home, START);
  // The second of them cannot be stored.
  images.add([{ digest: 'b' }, { digest: undefined as unknown as string, size: {} as number }]);
  images.close();
  expect(images.lost).toHaveLength(1);
  const again = openAt(home, START);
  expect([again.isFine('a'), again.isFine('b')]).toEqual([true, false]);
  again.close();
  expect(existsSync(join(home, 'images.db-journal'))).toBe(false);
});

test('an image that was fine while private addresses were allowed is asked for again where they are not', () => {
  const home = temporaryFolder();
  const allowing = openAt(home, START, { allowsPrivate: true });
  allowing.add([{ digest: 'a', size: 500 }]);
  expect(allowing.isFine('a')).toBe(true);
  allowing.close();
  const other = openAt(home, START);
  expect(other.isFine('a')).toBe(false);
  other.close();
});
