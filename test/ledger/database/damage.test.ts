import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeIntent, type OpenRun, openLedger } from '../../../src/ledger/index.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { NEW_RUN } from '../../support/new-run.ts';
import { allOf } from '../../support/pages.ts';
import { removeTestFolder } from '../../support/run.ts';

const RUN = '20261122-101500-a1b2';
const EARLIER = '20261121-090000-c3d4';
const PAGE = 4096;
const FRAME = 24 + PAGE;

let folder: string;
/** The files after a kill in the middle of a run, and from some earlier moments. */
let killed: string;
let before: string;
/** The files after all runs have ended. */
let ended: string;
/** The files after a kill in the first run of a home: SQLite's log has all pages. */
let first: string;
let home: string;

const copyTo = (name: string, from: string) => {
  const to = join(folder, name);
  cpSync(from, to, { recursive: true });
  return to;
};

async function send(open: OpenRun, from: number, to: number) {
  for (let seq = from; seq < to; seq++) {
    const key = `k${seq}`;
    await open.intend(
      encodeIntent({
        seq,
        row: seq + 2,
        key,
        kind: 'create',
        rows: [{ row: seq + 2, cells: [key, 'x'] }],
      }),
    );
    const outcome = {
      outcome: 'created',
      id: `id${seq}`,
      httpStatus: 200,
      attempts: 1,
      durationMs: 1,
    } as const;
    open.settle({ seq, row: seq + 2, key, outcome }, true);
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-damage-'));
  const work = join(folder, 'work');
  const ledger = openLedger(work);
  await ledger.lock(NEW_RUN.store, EARLIER);
  const earlier = await ledger.begin({ ...NEW_RUN, id: EARLIER }, 1);
  await send(earlier, 0, 600);
  await earlier.flush();
  await earlier.end({ state: 'done', files: [], finishedAt: 2, workedMs: 1 });
  await earlier.close();
  // Closed and opened again, so that one part is in the file and another in the write-ahead log.
  await ledger.close();
  ended = copyTo('ended', work);
  const again = openLedger(work);
  await again.lock(NEW_RUN.store, RUN);
  const open = await again.begin({ ...NEW_RUN, id: RUN }, 1);
  await send(open, 0, 450);
  before = copyTo('before', work);
  await send(open, 450, 1000);
  killed = copyTo('killed', work);
  open.close();
  await again.close();
  const fresh = openLedger(join(folder, 'fresh'));
  await fresh.lock(NEW_RUN.store, RUN);
  const only = await fresh.begin({ ...NEW_RUN, id: RUN }, 1);
  await send(only, 0, 100);
  first = copyTo('first', join(folder, 'fresh'));
  only.close();
  await fresh.close();
});
afterAll(() => removeTestFolder(folder));

let homes = 0;
beforeEach(() => {
  homes += 1;
  home = join(folder, `home-${homes}`);
});
afterEach(() => removeTestFolder(home));

/** Does everything that the next run would do before it sends. Returns the number of known records of the run. */
async function opened(): Promise<number> {
  const ledger = openLedger(home);
  try {
    await ledger.lock(NEW_RUN.store, 'next');
    const run = (await ledger.runs()).find(({ id }) => id === RUN);
    return run ? (await allOf(ledger.endings(run))).length : 0;
  } finally {
    await ledger.close();
  }
}

function digests(): Record<string, string> {
  const names = readdirSync(home).filter((name) => !/-shm$|\.lock$|^store-/.test(name));
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(home, name)))
        .digest('hex'),
    ]),
  );
}

const at = (name: string) => join(home, name);
const LOG = `${RUN}.log`;
const TIP = `${RUN}.tip`;

function overwrite(name: string, position: number, bytes: Buffer): void {
  const content = readFileSync(at(name));
  bytes.copy(content, position);
  writeFileSync(at(name), content);
}
const flip = (name: string, position: number) =>
  overwrite(name, position, Buffer.from([(readFileSync(at(name))[position] ?? 0) ^ 0x10]));
const cut = (name: string, bytes: number) => truncateSync(at(name), statSync(at(name)).size - bytes);
const older = (...names: string[]) => {
  for (const name of names) cpSync(join(before, name), at(name));
};
/** The end of the entries in the log. */
const logEnd = () => readFileSync(at(LOG)).findLastIndex((byte) => byte !== 0) + 1;

/**
 * Only the tables show this damage, so SQLite has already opened the ledger. When it closes it, it moves its own log
 * into the file, which loses nothing.
 */
const SEEN_IN_THE_TABLES = new Set([
  'log and tip are deleted',
  'ledger.db, its log and its checksums are older copies',
  'the log of a later run is beside it',
]);

const AFTER_A_KILL: readonly [string, () => void][] = [
  ['the log is deleted', () => rmSync(at(LOG))],
  ['the log is empty', () => truncateSync(at(LOG))],
  ['the log is cut within its entries', () => truncateSync(at(LOG), 2000)],
  ['the log is cut to its first block', () => truncateSync(at(LOG), 512)],
  ['the log is zeros', () => writeFileSync(at(LOG), Buffer.alloc(1024 * 1024))],
  ['the log is an older copy', () => older(LOG)],
  ['the log has a changed byte in an early entry', () => flip(LOG, 700)],
  [
    'the log is of another run',
    () => {
      const other = readFileSync(at(LOG)).toString('latin1').replace(RUN, EARLIER);
      writeFileSync(at(LOG), Buffer.from(other, 'latin1'));
    },
  ],
  ['the tip is deleted', () => rmSync(at(TIP))],
  ['the tip is empty', () => truncateSync(at(TIP))],
  ['the tip has a changed bit', () => flip(TIP, 4)],
  [
    'log and tip are deleted',
    () => {
      rmSync(at(LOG));
      rmSync(at(TIP));
    },
  ],
  ["SQLite's log is deleted", () => rmSync(at('ledger.db-wal'))],
  ["SQLite's log is empty", () => truncateSync(at('ledger.db-wal'))],
  ["SQLite's log is cut by one frame", () => cut('ledger.db-wal', FRAME)],
  ["SQLite's log is cut by a byte", () => cut('ledger.db-wal', 1)],
  ["SQLite's log has a changed bit", () => flip('ledger.db-wal', 32 + 3 * FRAME + 1000)],
  ["SQLite's log is an older copy", () => older('ledger.db-wal')],
  ["SQLite's log is of another ledger", () => cpSync(otherWal(), at('ledger.db-wal'))],
  ['ledger.db is deleted', () => rmSync(at('ledger.db'))],
  ['ledger.db is empty', () => truncateSync(at('ledger.db'))],
  ['ledger.db is cut by a page', () => cut('ledger.db', PAGE)],
  ['ledger.db is cut by 1,500 bytes', () => cut('ledger.db', 1500)],
  ['ledger.db has a page of zeros', () => overwrite('ledger.db', 20 * PAGE, Buffer.alloc(PAGE))],
  [
    'ledger.db has a page twice',
    () => overwrite('ledger.db', 20 * PAGE, readFileSync(at('ledger.db')).subarray(19 * PAGE, 20 * PAGE)),
  ],
  ['ledger.db has a changed bit in a cell', () => flip('ledger.db', 21 * PAGE - 50)],
  ['ledger.db and its logs are older copies', () => older('ledger.db', 'ledger.db-wal')],
  [
    'ledger.db, its log and its checksums are older copies',
    () => older('ledger.db', 'ledger.db-wal', 'ledger.sums'),
  ],
  [
    'ledger.db and its log are deleted',
    () => {
      for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm']) rmSync(at(name), { force: true });
    },
  ],
  [
    'all of ledger.db, its log and its checksums are deleted',
    () => {
      for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'ledger.sums'])
        rmSync(at(name), { force: true });
    },
  ],
  ['the checksums are deleted', () => rmSync(at('ledger.sums'))],
  ['the checksums are empty', () => truncateSync(at('ledger.sums'))],
  ['a checksum is changed', () => flip('ledger.sums', 64 + 4 * 10)],
];

/** A write-ahead log that is valid for SQLite, but belongs to another ledger. */
function otherWal(): string {
  const other = join(folder, 'other.db');
  if (!existsSync(`${other}-copy`)) {
    const database = new Database(other);
    database.pragma('journal_mode = WAL');
    for (let n = 0; n < 5; n++) database.exec(`create table t${n} (x)`);
    cpSync(`${other}-wal`, `${other}-copy`);
    database.close();
  }
  return `${other}-copy`;
}

async function expectRefused(damage = ''): Promise<void> {
  const found = digests();
  let error: unknown;
  try {
    await opened();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({ reason: 'ledger-damaged', message: expect.stringContaining(home) });
  expect((error as ConfigError).hints.join(' ')).toMatch(/Restore .*run adopt/);
  if (!SEEN_IN_THE_TABLES.has(damage)) expect(digests()).toEqual(found);
}

describe('after a kill', () => {
  test('an undamaged ledger is opened, with all settled records', async () => {
    cpSync(killed, home, { recursive: true });
    expect(await opened()).toBe(1000);
    // Opened once more, now that all runs have ended.
    expect(await opened()).toBe(1000);
  });

  test.each(AFTER_A_KILL)('%s: the ledger is refused, with a hint', async (name, damage) => {
    cpSync(killed, home, { recursive: true });
    const whole = digests();
    damage();
    expect(digests()).not.toEqual(whole);
    await expectRefused(name);
  });

  test.each<[string, () => void]>([
    ["SQLite's index of its log is deleted", () => rmSync(at('ledger.db-shm'), { force: true })],
    [
      "SQLite's index of its log is rubbish",
      () => writeFileSync(at('ledger.db-shm'), Buffer.alloc(40_000, 7)),
    ],
    ['a power cut has lost the last writes of the tip', () => older(TIP)],
    ['the log is cut after its entries', () => truncateSync(at(LOG), logEnd() + 10)],
    ['rubbish is appended to ledger.db', () => appendFileSync(at('ledger.db'), 'rubbish')],
  ])('%s: nothing is lost, and the ledger is opened', async (_, damage) => {
    cpSync(killed, home, { recursive: true });
    damage();
    expect(await opened()).toBe(1000);
  });
});

describe('after a kill in the first run', () => {
  beforeEach(() => {
    cpSync(first, home, { recursive: true });
    expect(statSync(at('ledger.db')).size).toBe(PAGE);
  });

  test('an undamaged ledger is opened, with all settled records', async () => {
    expect(await opened()).toBe(100);
  });

  test('ledger.db is empty: the ledger is refused before SQLite deletes its log', async () => {
    truncateSync(at('ledger.db'));
    await expectRefused();
  });
});

describe('after the end of all runs', () => {
  test.each<[string, () => void]>([
    ['ledger.db is deleted', () => rmSync(at('ledger.db'))],
    ['ledger.db is empty', () => truncateSync(at('ledger.db'))],
    ['ledger.db has a changed bit in a cell', () => flip('ledger.db', 21 * PAGE - 50)],
    ['ledger.db is cut by a page', () => cut('ledger.db', PAGE)],
    ["there is a log of SQLite that is another ledger's", () => cpSync(otherWal(), at('ledger.db-wal'))],
    [
      'the log of a later run is beside it',
      () => {
        for (const name of [LOG, TIP]) cpSync(join(killed, name), at(name));
      },
    ],
    ['the checksums are deleted', () => rmSync(at('ledger.sums'))],
  ])('%s: the ledger is refused, with a hint', async (name, damage) => {
    cpSync(ended, home, { recursive: true });
    damage();
    await expectRefused(name);
  });

  test('a copy whose files have other times is checked page by page, and opened', async () => {
    cpSync(ended, home, { recursive: true });
    const ledger = openLedger(home);
    expect(await ledger.runs()).toHaveLength(1);
    await ledger.close();
  });
});
