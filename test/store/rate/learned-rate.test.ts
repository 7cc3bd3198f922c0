import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetLearnedRate, keepLearnedRate, readLearnedRate } from '../../../src/store/rate/learned-rate.ts';
import { removeTestFolder } from '../../support/run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-rate-'));
});
afterEach(() => removeTestFolder(home));

test('a learned rate is stored per store for the next command', () => {
  const folder = join(home, 'new');
  keepLearnedRate(folder, 'https://one.example', { rate: 97.34567, isFree: false });
  expect(readLearnedRate(folder, 'https://one.example')?.rate).toBe(97.3);
  expect(readLearnedRate(folder, 'https://two.example')).toBeUndefined();
  expect(readdirSync(folder)).toHaveLength(1);
});

test.each(['', '{', 'null', '{"rate":"fast"}', '{"rate":-1}', '{"rate":1e999}'])(
  'a rate file with %j is ignored',
  (text) => {
    keepLearnedRate(home, 'https://one.example', { rate: 10, isFree: false });
    const [name = ''] = readdirSync(home);
    writeFileSync(join(home, name), text);
    expect(readLearnedRate(home, 'https://one.example')).toBeUndefined();
  },
);

test('an outdated rate is deleted for its store only', () => {
  keepLearnedRate(home, 'https://one.example', { rate: 10, isFree: false });
  keepLearnedRate(home, 'https://two.example', { rate: 20, isFree: false });
  forgetLearnedRate(home, 'https://one.example');
  forgetLearnedRate(home, 'https://three.example');
  expect(readLearnedRate(home, 'https://one.example')).toBeUndefined();
  expect(readLearnedRate(home, 'https://two.example')?.rate).toBe(20);
});

test('the age of a rate follows the wall clock, within plausible limits', () => {
  keepLearnedRate(home, 'https://one.example', { rate: 10, isFree: false });
  const [name = ''] = readdirSync(home);
  const at = Date.parse(JSON.parse(readFileSync(join(home, name), 'utf8')).at);
  const age = (nowMs: number) => readLearnedRate(home, 'https://one.example', nowMs)?.ageMs;
  expect(age(at + 5_000)).toBe(5_000);
  // The clock was corrected since.
  expect(age(at - 60_000)).toBe(0);
  // The clock was or is wrong by far.
  expect(age(at - 86_400_000)).toBe(Number.POSITIVE_INFINITY);
  writeFileSync(join(home, name), '{"rate":10}');
  expect(age(at)).toBe(Number.POSITIVE_INFINITY);
});
