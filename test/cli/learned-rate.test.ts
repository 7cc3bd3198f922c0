import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetLearnedRate, keepLearnedRate, readLearnedRate } from '../../src/cli/learned-rate.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-rate-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('what was learned of a store is known to the next command, for that store', () => {
  const folder = join(home, 'new');
  keepLearnedRate(folder, 'https://one.example', 97.34567);
  expect(readLearnedRate(folder, 'https://one.example')).toBe(97.3);
  expect(readLearnedRate(folder, 'https://two.example')).toBeUndefined();
  expect(readdirSync(folder)).toHaveLength(1);
});

test.each(['', '{', 'null', '{"rate":"fast"}', '{"rate":-1}', '{"rate":1e999}'])(
  'a file that holds %j says nothing',
  (text) => {
    keepLearnedRate(home, 'https://one.example', 10);
    const [name = ''] = readdirSync(home);
    writeFileSync(join(home, name), text);
    expect(readLearnedRate(home, 'https://one.example')).toBeUndefined();
  },
);

test('what holds no more is forgotten, for that store', () => {
  keepLearnedRate(home, 'https://one.example', 10);
  keepLearnedRate(home, 'https://two.example', 20);
  forgetLearnedRate(home, 'https://one.example');
  forgetLearnedRate(home, 'https://three.example');
  expect(readLearnedRate(home, 'https://one.example')).toBeUndefined();
  expect(readLearnedRate(home, 'https://two.example')).toBe(20);
});
