import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkFiles } from '../../../src/ledger/database/check-files.ts';
import { inTransaction, openDatabase } from '../../../src/ledger/database/database.ts';
import {
  createSums,
  NO_PAGES,
  openPageChecksums,
  readSums,
  updateSums,
} from '../../../src/ledger/database/page-checksums.ts';
import { encodeIntent, openLedger } from '../../../src/ledger/index.ts';
import { NEW_RUN } from '../../support/new-run.ts';
import { allOf } from '../../support/pages.ts';
import { removeTestFolder } from '../../support/run.ts';

const RUN = '20261122-101500-a1b2';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-right-'));
  home = join(folder, 'home');
});
afterEach(() => removeTestFolder(folder));

const fileOf = (name: string) => join(home, name);
const keep = (name: string) => readFileSync(fileOf(name));
const putBack = (name: string, bytes: Buffer) => writeFileSync(fileOf(name), bytes);

function addRun(database: ReturnType<typeof openDatabase>, id: string, mapping = 'm'): void {
  inTransaction(database, () => {
    database
      .prepare(
        `insert into run (id, command, resource, mode, store, mapping_name, mapping_digest, files, header, options, out, version, started_at, state)
         values (?, 'import', 'products', 'upsert', 's', ?, 'd', '[]', '[]', '{}', 'o', '0', 1, 'done')`,
      )
      .run(id, mapping);
  });
}

async function runsIn(): Promise<string[]> {
  const ledger = openLedger(home);
  try {
    return (await ledger.runs()).map(({ id }) => id).sort();
  } finally {
    await ledger.close();
  }
}

/** Copies the files as a kill of all processes with the ledger open would leave them. */
function killAll(): void {
  const killed = join(folder, 'killed');
  cpSync(home, killed, { recursive: true });
  home = killed;
}

describe('another process of the same home', () => {
  test('is killed after its commit was written and before it was published', async () => {
    const mine = openDatabase(home);
    addRun(mine, 'r1');
    const published = keep('ledger.db-shm');
    const other = openDatabase(home);
    other.exec("begin immediate; update run set mapping_name = 'lost'; commit");
    // While it is open, no process moves the log into the file.
    const shm = openSync(fileOf('ledger.db-shm'), 'r+');
    writeSync(shm, published, 0, published.length, 0);
    addRun(mine, 'r2');
    killAll();
    expect(await runsIn()).toEqual(['r1', 'r2']);
    closeSync(shm);
    mine.close();
    other.close();
  });

  test('cannot commit between a commit and its checksums, nor during a checkpoint', () => {
    const mine = openDatabase(home);
    const turns = new Database(fileOf('ledger-write.lock'));
    const moments: string[] = [];
    const look = (moment: string) => {
      expect(() => turns.exec('begin exclusive')).toThrow(/locked/);
      moments.push(moment);
    };
    const { exec, pragma } = mine;
    Object.assign(mine, {
      exec(text: string) {
        exec.call(mine, text);
        if (text === 'commit') look(text);
      },
      pragma(text: string) {
        if (text.startsWith('wal_checkpoint')) look(text);
        return pragma.call(mine, text);
      },
    });
    addRun(mine, 'r1');
    mine.close();
    expect(moments).toEqual(['commit', 'wal_checkpoint(truncate)']);
    turns.exec('begin exclusive');
    turns.close();
  });

  test('has allocated space for checksums and filled it', () => {
    mkdirSync(home);
    const sums = fileOf('ledger.sums');
    const header = { ...NO_PAGES, pages: 20 };
    createSums(sums, header, new Uint32Array(20));
    const mine = openPageChecksums(sums, fileOf('ledger.db-wal'));
    const other = openPageChecksums(sums, fileOf('ledger.db-wal'));
    other.reserve();
    updateSums(sums, { ...header, pages: 21 }, new Map([[21, 12345]]));
    mine.reserve();
    expect(readSums(sums)?.sums[20]).toBe(12345);
    mine.close();
    other.close();
  });

  test('removes its log while the other logs are examined', async () => {
    openLedger(home).close();
    symlinkSync('gone', fileOf(`${RUN}.log`));
    expect(await runsIn()).toEqual([]);
  });
});

// SQLite never writes the page of its lock bytes, at 1 GiB. The file is sparse, so that the test needs no such space.
test('a ledger of more than 1 GiB is compared page by page, but for the page of the lock bytes', () => {
  const pageSize = 65_536;
  const before = 2 ** 30 / pageSize;
  const pages = before + 2;
  mkdirSync(home);
  writeFileSync(fileOf('ledger.db'), '');
  truncateSync(fileOf('ledger.db'), pages * pageSize);
  const sums = new Uint32Array(pages).fill(crc32(Buffer.alloc(pageSize)));
  sums[before] = 0;
  createSums(fileOf('ledger.sums'), { ...NO_PAGES, pageSize, pages }, sums);
  expect(checkFiles(home)).toBe('checked');
  const file = openSync(fileOf('ledger.db'), 'r+');
  writeSync(file, Buffer.from('x'), 0, 1, (pages - 1) * pageSize);
  closeSync(file);
  expect(() => checkFiles(home)).toThrow(`page ${pages} of ${pages} is different`);
});

describe('after a power cut', () => {
  test('the checksums are from several moments', async () => {
    const mine = openDatabase(home);
    addRun(mine, 'r1');
    const earlier = keep('ledger.sums');
    addRun(mine, 'r2');
    addRun(mine, 'r3');
    killAll();
    const header = keep('ledger.sums').subarray(0, 64);
    putBack('ledger.sums', Buffer.concat([header, earlier.subarray(64)]));
    expect(await runsIn()).toEqual(['r1', 'r2', 'r3']);
    // The files are consistent again: without the log, each page is compared with its checksum.
    expect(await runsIn()).toEqual(['r1', 'r2', 'r3']);
    mine.close();
  });

  test('the checksums are as old as the last checkpoint', async () => {
    const mine = openDatabase(home);
    addRun(mine, 'r1');
    mine.close();
    const again = openDatabase(home);
    addRun(again, 'r2');
    const synced = keep('ledger.sums');
    for (let n = 0; n < 20; n++) addRun(again, `s${n}`, 'm'.repeat(9000));
    killAll();
    putBack('ledger.sums', synced);
    expect(await runsIn()).toHaveLength(22);
    again.close();
  });

  test('an emptied log of SQLite has its old content again', async () => {
    const mine = openDatabase(home);
    addRun(mine, 'r1');
    addRun(mine, 'r2');
    const log = keep('ledger.db-wal');
    mine.close();
    putBack('ledger.db-wal', log);
    expect(await runsIn()).toEqual(['r1', 'r2']);
  });

  test('the first entry of an epoch is incomplete, and the tip is of the epoch before', async () => {
    const ledger = openLedger(home);
    await ledger.lock(NEW_RUN.store, RUN);
    const run = await ledger.begin({ ...NEW_RUN, id: RUN }, 1);
    const intend = (seq: number) =>
      run.intend(
        encodeIntent({
          ...{ seq, row: seq + 2, key: `k${seq}`, kind: 'create' },
          rows: [{ row: seq + 2, cells: [`${seq}`.repeat(2000)] }],
        }),
      );
    await intend(0);
    const tip = keep(`${RUN}.tip`);
    const before = keep(`${RUN}.log`);
    await run.flush();
    await intend(1);
    killAll();
    const log = keep(`${RUN}.log`);
    putBack(`${RUN}.log`, Buffer.concat([log.subarray(0, 1024), before.subarray(1024)]));
    putBack(`${RUN}.tip`, tip);
    const next = openLedger(home);
    expect(await next.lock(NEW_RUN.store, 'next')).toEqual([RUN]);
    expect((await allOf(next.settled((await next.runs())[0] as never))).map(({ seq }) => seq)).toEqual([0]);
    await next.close();
    await run.close();
    await ledger.close();
  });
});

describe('a home', () => {
  test('a home that was killed before its first commit was written is opened as a new one', async () => {
    mkdirSync(home);
    const raw = new Database(fileOf('ledger.db'));
    raw.pragma('journal_mode = WAL');
    raw.exec('create table t (x)');
    const log = keep('ledger.db-wal');
    const file = keep('ledger.db');
    raw.close();
    home = join(folder, 'killed');
    mkdirSync(home);
    putBack('ledger.db', file);
    putBack('ledger.db-wal', log.subarray(0, log.length - 100));
    expect(await runsIn()).toEqual([]);
  });

  test('that cannot be migrated says why, and does not abort the process', async () => {
    mkdirSync(home);
    createSums(fileOf('ledger.sums'), NO_PAGES, new Uint32Array());
    const raw = new Database(fileOf('ledger.db'));
    raw.exec('create table run (x)');
    raw.close();
    await expect(runsIn()).rejects.toThrow(/cannot be opened: table run already exists/);
  });

  test('contains another file whose name ends in .log', async () => {
    mkdirSync(home);
    mkdirSync(fileOf('old.log'));
    writeFileSync(fileOf('mine.log'), 'begin\n'.repeat(300_000));
    writeFileSync(fileOf(`${RUN}.log`), '{"level":30}\n');
    expect(await runsIn()).toEqual([]);
    expect(await runsIn()).toEqual([]);
  });
});
