import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKeySpill } from '../../src/plan/key-spill.ts';
import { openFilesBelow } from '../support/open-files.ts';
import { temporaryFolder } from '../support/run.ts';

/** More than fits into the buffer. */
const LONG = 100_000;

function openSpill(folder = temporaryFolder(), mostPlaces?: number) {
  const spill = createKeySpill(folder, mostPlaces);
  onTestFinished(spill.close);
  return spill;
}

describe('keys on disk', () => {
  test('are found again by their place, and no other key is', () => {
    const folder = temporaryFolder();
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const key = fc.array(unit, { maxLength: 20 }).map((units) => units.join(''));
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 2 }), fc.nat({ max: LONG }), (keys, length) => {
        const spill = createKeySpill(folder);
        try {
          const places = keys.map((each, index) => spill.add(each, index + 1));
          // All, some or none of them are written from the buffer to the file.
          spill.add('-'.repeat(length), 1);
          for (const [index, place] of places.entries())
            for (const [other, each] of keys.entries())
              expect(spill.rowAt(place, each)).toBe(index === other ? index + 1 : undefined);
        } finally {
          spill.close();
        }
      }),
    );
  });

  test.each([
    0,
    1,
    7,
    2042,
    2043,
    2044,
    4090,
    4091,
    4092,
    2046,
    2047,
    2048,
    32_751,
    32_752,
    32_764,
    32_768,
    40_000,
    LONG,
  ])('may be long: %i characters', (length) => {
    const spill = openSpill();
    const keys = Array.from({ length: 7 }, (_, n) => '-'.repeat(length) + n);
    const ask = (place: number, key: string) => [
      spill.rowAt(place, key),
      spill.rowAt(place, `${key.slice(0, -1)}x`),
      spill.rowAt(place, `x${key.slice(1)}`),
      spill.rowAt(place, key.slice(1)),
    ];
    const places = keys.map((key, n) => {
      const place = spill.add(key, n + 2);
      // While its end is still in the buffer.
      expect(ask(place, key)).toEqual([n + 2, undefined, undefined, undefined]);
      return place;
    });
    for (const [n, key] of keys.entries())
      expect(ask(places[n] as number, key)).toEqual([n + 2, undefined, undefined, undefined]);
  });

  test.each(['written out', 'in the buffer'])('keep halves of surrogate pairs apart (%s)', (where) => {
    const spill = openSpill();
    const place = spill.add('a\ud800', 0xffff_ffff);
    if (where === 'written out') spill.add('-'.repeat(LONG), 3);
    const rows = ['a\ud800', 'a\ud801', 'a\ufffd', 'a?', 'a'].map((key) => spill.rowAt(place, key));
    expect(rows).toEqual([0xffff_ffff, undefined, undefined, undefined, undefined]);
  });

  test('have places that fit into one word and are never 0', () => {
    const spill = openSpill();
    const places = ['', 'a', 'abcde', ''].map((key) => spill.add(key, 2));
    expect(places).toEqual([1, 2, 4, 7]);
  });
});

describe('the file of keys', () => {
  test('is created only if the buffer is full', () => {
    const folder = join(temporaryFolder(), 'missing');
    const spill = openSpill(folder);
    for (let row = 2; row < 2000; row++) spill.add(`SKU-${row}`, row);
    expect(existsSync(folder)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('has no name, is for its owner only, and goes when closed', () => {
    const folder = temporaryFolder();
    const spill = openSpill(folder);
    spill.add('-'.repeat(LONG), 2);
    const [open, ...others] = openFilesBelow(folder);
    expect(others).toEqual([]);
    expect(statSync(open as string).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual([]);
    spill.close();
    expect(openFilesBelow(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is not created again after it was closed', () => {
    const spill = openSpill();
    const place = spill.add('-'.repeat(LONG), 2);
    spill.close();
    expect(() => spill.add('-'.repeat(LONG), 3)).toThrow('was closed');
    expect(() => spill.rowAt(place, '-'.repeat(LONG))).toThrow('was closed');
  });

  test('stops the run if it cannot be written, and the message has folder and reason', () => {
    const folder = join(temporaryFolder(), 'missing');
    const spill = openSpill(folder);
    for (const _again of [1, 2])
      expect(() => spill.add('-'.repeat(LONG), 2)).toThrow(
        expect.objectContaining({
          name: 'RunStopped',
          reason: 'temporary-file-failed',
          message: expect.stringMatching(`could not be kept in ${folder}, so nothing more was read: ENOENT`),
        }),
      );
  });

  test('stops the run if places would exceed 32 bits', () => {
    const spill = openSpill(temporaryFolder(), 5);
    for (const key of ['abcd', 'efgh']) spill.add(key, 2);
    expect(() => spill.add('', 4)).toThrow(
      expect.objectContaining({
        reason: 'temporary-file-failed',
        message: expect.stringContaining('32 GiB'),
      }),
    );
  });
});
