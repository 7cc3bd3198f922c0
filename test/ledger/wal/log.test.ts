import fs, {
  closeSync,
  fdatasync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRunLog, type RunLog, SYNCS_AT_ONCE } from '../../../src/ledger/wal/log.ts';
import { readTip, tipOf } from '../../../src/ledger/wal/log-tip.ts';
import { type ExpectedLog, readLog } from '../../../src/ledger/wal/read-log.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { LONGEST_BASE_URL } from '../../../src/store/base-url.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { removeTestFolder } from '../../support/run.ts';

const OWNER = { run: 'r1', store: 'https://shop.example' };
const expected = (epoch: number) => ({ run: 'r1', epoch, format: 1 });

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-log-'));
  file = join(folder, 'r1.log');
});
afterEach(() => removeTestFolder(folder));

function written(entries: readonly object[], epoch = 0): Buffer {
  rmSync(file, { force: true });
  const log = createRunLog(file, OWNER);
  log.begin(epoch);
  for (const entry of entries) log.write([JSON.stringify(entry)]);
  log.close();
  return readFileSync(file);
}

/** The entries of these tests are JSON. */
function entriesOf(file: string, expected: ExpectedLog): unknown[] {
  return readLog(file, expected).map((text) => JSON.parse(text.toString()));
}

/** A disk writes whole sectors. */
const SECTOR = 512;

/** A disk whose syncs end when they are called here. */
function held(ends: (() => void)[]): typeof fdatasync {
  const hold = (_: number, done: (error: null) => void) => void ends.push(() => done(null));
  return Object.assign(hold, { __promisify__: fdatasync.__promisify__ });
}

function synced(log: RunLog): Promise<void> {
  return new Promise((resolve, reject) => log.sync((error) => (error ? reject(error) : resolve())));
}

describe('log', () => {
  test('the longest base URL is read back, and an owner that could not be is refused', () => {
    const run = '20261231-235959-abcd';
    const long = join(folder, `${run}.log`);
    const store = 'https://api.example.com/'.padEnd(LONGEST_BASE_URL, 'x');
    const log = createRunLog(long, { run, store });
    log.write(['{"a":', Buffer.from('1}')]);
    log.close();
    expect(entriesOf(long, { run, epoch: 0, format: 1 })).toEqual([{ a: 1 }]);
    expect(() => createRunLog(long, { run, store: store.repeat(2) })).toThrow('the owner of a log has');
  });

  test('entries are read back in order', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) })), (entries) => {
        written(entries);
        expect(entriesOf(file, expected(0))).toEqual(entries);
      }),
      { numRuns: scaledRuns(20) },
    );
  });

  test('entries of an ended epoch are not read, even if they are longer than those of the new one', () => {
    const log = createRunLog(file, OWNER);
    for (let n = 0; n < 5; n++) log.write([JSON.stringify({ old: n, text: 'x'.repeat(50) })]);
    log.begin(1);
    expect(log.position).toBe(0);
    expect(entriesOf(file, expected(1))).toEqual([]);
    log.write(['{"new":0}']);
    log.close();
    expect(entriesOf(file, expected(1))).toEqual([{ new: 0 }]);
    expect(entriesOf(file, expected(2))).toEqual([]);
  });

  test('an incomplete last entry was never confirmed, and the others are read back', () => {
    const entries = [{ a: 1 }, { b: 'two' }, { c: 'the last one' }];
    const whole = written(entries);
    const lastAt = whole.indexOf('{"c"') - 16;
    for (let kept = 0; kept < 16 + 20; kept++) {
      const torn = Buffer.concat([whole.subarray(0, lastAt + kept), Buffer.alloc(100)]);
      writeFileSync(file, torn);
      expect(entriesOf(file, expected(0))).toEqual(entries.slice(0, 2));
    }
  });

  test('a power cut keeps all confirmed entries, whatever it leaves of those whose syncs were under way', () => {
    const entry = fc.nat({ max: 4 * SECTOR }).map((length) => ({ text: 'x'.repeat(length) }));
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 4 }),
        fc.array(entry, { minLength: SYNCS_AT_ONCE, maxLength: SYNCS_AT_ONCE }),
        fc.infiniteStream(fc.boolean()),
        (confirmed, unconfirmed, isOnDisk) => {
          const before = written(confirmed);
          const after = written([...confirmed, ...unconfirmed]);
          for (let at = 0; at < after.length; at += SECTOR)
            if (!isOnDisk.next().value) before.copy(after, at, at, at + SECTOR);
          writeFileSync(file, after);
          const found = entriesOf(file, expected(0));
          expect(found.slice(0, confirmed.length)).toEqual(confirmed);
          expect([...confirmed, ...unconfirmed].slice(0, found.length)).toEqual(found);
        },
      ),
      { numRuns: scaledRuns(100) },
    );
  });

  test('an incomplete entry before as many as may be under way is damage, whichever byte it is in', () => {
    const whole = written([{ a: 'first' }, { b: 'second' }, { c: 'third' }, { d: 'fourth' }]);
    const secondAt = whole.indexOf('{"b"') - 16;
    const thirdAt = whole.indexOf('{"c"') - 16;
    for (let at = secondAt; at < thirdAt; at++) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = (spoilt[at] as number) ^ 0x5a;
      writeFileSync(file, spoilt);
      expect(() => entriesOf(file, expected(0))).toThrow(ConfigError);
    }
  });

  test('an incomplete entry that the tip knows to be on disk is damage', async () => {
    const log = createRunLog(file, OWNER);
    for (const entry of [{ a: 'first' }, { b: 'second' }]) {
      log.write([JSON.stringify(entry)]);
      await synced(log);
    }
    log.close();
    const spoilt = readFileSync(file);
    spoilt[spoilt.indexOf('{"a"')] = 0;
    writeFileSync(file, spoilt);
    expect(() => entriesOf(file, expected(0))).toThrow('has 0 entries where 2 were written');
  });

  test('a sync that ends after a later one takes nothing back from the tip', () => {
    const ends: (() => void)[] = [];
    const log = createRunLog(file, OWNER, held(ends));
    for (let n = 0; n < 2; n++) {
      log.write([JSON.stringify({ n })]);
      log.sync(() => {});
    }
    const inUse = (entries: number) => ({ state: 'in use', epoch: 0, entries });
    ends[1]?.();
    expect(readTip(tipOf(file), true)).toEqual(inUse(2));
    ends[0]?.();
    expect(readTip(tipOf(file), true)).toEqual(inUse(2));
    log.begin(1);
    log.write(['{}']);
    log.sync(() => {});
    ends[2]?.();
    expect(readTip(tipOf(file), true)).toEqual({ ...inUse(1), epoch: 1 });
    log.close();
  });

  test('a sync that fails confirms nothing', () => {
    const fails = (_: number, done: (error: Error) => void) => done(new Error('EIO'));
    const log = createRunLog(file, OWNER, Object.assign(fails, { __promisify__: fdatasync.__promisify__ }));
    log.write(['{}']);
    log.sync((error) => expect(error).toBeInstanceOf(Error));
    expect(readTip(tipOf(file), true)).toMatchObject({ entries: 0 });
    log.close();
  });

  test.skipIf(process.platform === 'win32')('it and its folder are synced once it is made', () => {
    const synced: string[] = [];
    const { fsyncSync, fdatasyncSync } = fs;
    fs.fsyncSync = (descriptor) => {
      synced.push(fs.fstatSync(descriptor).isDirectory() ? 'folder' : 'tip');
      fsyncSync(descriptor);
    };
    fs.fdatasyncSync = (descriptor) => {
      synced.push('log');
      fdatasyncSync(descriptor);
    };
    syncBuiltinESMExports();
    try {
      createRunLog(file, OWNER).close();
    } finally {
      Object.assign(fs, { fsyncSync, fdatasyncSync });
      syncBuiltinESMExports();
    }
    // The tip says "in use" only after that.
    expect(synced).toEqual(['tip', 'log', 'folder', 'tip']);
  });

  test('more syncs at once than a power cut allows for are refused', async () => {
    const log = createRunLog(file, OWNER);
    log.write(['{}']);
    const ends = Array.from({ length: SYNCS_AT_ONCE }, () => synced(log));
    expect(() => log.sync(() => {})).toThrow('too many syncs');
    await Promise.all(ends);
    log.close();
  });

  test('after closing it writes to no file that has the number of its descriptor by then', () => {
    const ends: (() => void)[] = [];
    const log = createRunLog(file, OWNER, held(ends));
    log.write(['{}']);
    log.sync(() => {});
    log.close();
    const others = Array.from({ length: 8 }, (_, n) => join(folder, `other-${n}`));
    const descriptors = others.map((other) => openSync(other, 'w+'));
    expect(() => log.write(['{"late":1}'])).toThrow('closed');
    expect(() => log.sync(() => {})).toThrow('closed');
    expect(() => log.begin(1)).toThrow('closed');
    expect(() => log.addSecond()).toThrow('closed');
    // The sync that was under way ends now. It closes its own descriptor and no other, and leaves the tip as it was.
    ends[0]?.();
    for (const descriptor of descriptors) closeSync(descriptor);
    for (const other of others) expect(statSync(other).size).toBe(0);
    expect(readTip(tipOf(file), true)).toMatchObject({ entries: 0 });
    expect(entriesOf(file, expected(0))).toEqual([{}]);
  });

  test('a log from before the log format has no entries', () => {
    expect(entriesOf(file, { ...expected(0), format: 0 })).toEqual([]);
  });

  test('an entry larger than the allocated file is written too', () => {
    const large = { text: 'x'.repeat(3_000_000) };
    written([{ a: 1 }, large, { b: 2 }]);
    expect(entriesOf(file, expected(0))).toEqual([{ a: 1 }, large, { b: 2 }]);
  });
});
