import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRunLog } from '../../../src/ledger/wal/log.ts';
import { readLog } from '../../../src/ledger/wal/read-log.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { LONGEST_BASE_URL } from '../../../src/store/base-url.ts';

const OWNER = { run: 'r1', store: 'https://shop.example' };
const expected = (epoch: number) => ({ run: 'r1', epoch, format: 1 });

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-log-'));
  file = join(folder, 'r1.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(entries: readonly object[], epoch = 0): Buffer {
  rmSync(file, { force: true });
  const log = createRunLog(file, OWNER);
  log.begin(epoch);
  for (const entry of entries) log.write([JSON.stringify(entry)]);
  log.close();
  return readFileSync(file);
}

describe('log', () => {
  test('the longest base URL is read back, and an owner that could not be is refused', () => {
    const run = '20261231-235959-abcd';
    const long = join(folder, `${run}.log`);
    const store = 'https://api.example.com/'.padEnd(LONGEST_BASE_URL, 'x');
    const log = createRunLog(long, { run, store });
    log.write(['{"a":', Buffer.from('1}')]);
    log.close();
    expect(readLog(long, { run, epoch: 0, format: 1 })).toEqual([{ a: 1 }]);
    expect(() => createRunLog(long, { run, store: store.repeat(2) })).toThrow('the owner of a log has');
  });

  test('entries are read back in order', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) })), (entries) => {
        written(entries);
        expect(readLog(file, expected(0))).toEqual(entries);
      }),
      { numRuns: 20 },
    );
  });

  test('entries of an ended epoch are not read, even if they are longer than those of the new one', () => {
    const log = createRunLog(file, OWNER);
    for (let n = 0; n < 5; n++) log.write([JSON.stringify({ old: n, text: 'x'.repeat(50) })]);
    log.begin(1);
    expect(log.position).toBe(0);
    expect(readLog(file, expected(1))).toEqual([]);
    log.write(['{"new":0}']);
    log.close();
    expect(readLog(file, expected(1))).toEqual([{ new: 0 }]);
    expect(readLog(file, expected(2))).toEqual([]);
  });

  test('an incomplete last entry was never confirmed, and the others are read back', () => {
    const entries = [{ a: 1 }, { b: 'two' }, { c: 'the last one' }];
    const whole = written(entries);
    const lastAt = whole.indexOf('{"c"') - 16;
    for (let kept = 0; kept < 16 + 20; kept++) {
      const torn = Buffer.concat([whole.subarray(0, lastAt + kept), Buffer.alloc(100)]);
      writeFileSync(file, torn);
      expect(readLog(file, expected(0))).toEqual(entries.slice(0, 2));
    }
  });

  test('an incomplete entry before others is damage, whichever byte it is in', () => {
    const whole = written([{ a: 'first' }, { b: 'second' }, { c: 'third' }]);
    const secondAt = whole.indexOf('{"b"') - 16;
    const thirdAt = whole.indexOf('{"c"') - 16;
    for (let at = secondAt; at < thirdAt; at++) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = (spoilt[at] as number) ^ 0x5a;
      writeFileSync(file, spoilt);
      expect(() => readLog(file, expected(0))).toThrow(ConfigError);
    }
  });

  test('a log from before the log format has no entries', () => {
    expect(readLog(file, { ...expected(0), format: 0 })).toEqual([]);
  });

  test('an entry larger than the allocated file is written too', () => {
    const large = { text: 'x'.repeat(3_000_000) };
    written([{ a: 1 }, large, { b: 2 }]);
    expect(readLog(file, expected(0))).toEqual([{ a: 1 }, large, { b: 2 }]);
  });
});
