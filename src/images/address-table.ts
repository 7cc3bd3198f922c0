import { openTemporaryTables } from '../group/index.ts';
import { RunStopped } from '../model/index.ts';
import type { ImageAddress } from './address.ts';

/** The addresses of all files, each once, on disk: there may be millions. */
export interface AddressTable {
  /** `isFine`: it is counted, and not asked. */
  add(address: ImageAddress, isFine: boolean): void;
  /** Ends adding. Returns the number of addresses. */
  finish(): { readonly all: number; readonly fine: number };
  /** Hosts with addresses to ask, those with most of them first. To be called after `finish`. */
  hosts(after: number, count: number): readonly HostOfImages[];
  /** The next addresses of a host after the one with this number. */
  addressesOf(host: string, after: number, count: number): readonly AddressToAsk[];
  close(): void;
}

export interface HostOfImages {
  /** From 1 on. */
  readonly number: number;
  readonly origin: string;
  readonly count: number;
}

export interface AddressToAsk {
  readonly number: number;
  readonly href: string;
  readonly digest: string;
}

/** Rows inserted by one statement: a call into SQLite costs more than a row. */
const BATCH = 64;

/** The origin of an address that is not asked. */
const FINE = '';

/** Opens a table in a folder. Throws RunStopped if it has no room, then or later. */
export function openAddressTable(folder: string): AddressTable {
  const { database, close } = openTemporaryTables(folder);
  const onDisk = <Result>(work: () => Result): Result => orStop(folder, work);
  onDisk(() =>
    database.exec(
      'begin; create table address (number integer primary key, digest text unique, origin text, href text)',
    ),
  );
  const sql = (rows: number) =>
    `insert or ignore into address (digest, origin, href) values ${Array(rows).fill('(?, ?, ?)').join(', ')}`;
  const many = database.prepare(sql(BATCH));
  let values: string[] = [];

  function flush(): void {
    const rows = values.length / 3;
    if (rows > 0) onDisk(() => (rows === BATCH ? many : database.prepare(sql(rows))).run(values));
    values = [];
  }

  const counted = (where: string) =>
    (database.prepare(`select count(*) as count from address where ${where}`).get() as { count: number })
      .count;

  return {
    add({ digest, origin, href }, isFine) {
      if (isFine) values.push(digest, FINE, '');
      else values.push(digest, origin, href);
      if (values.length === 3 * BATCH) flush();
    },
    finish() {
      flush();
      return onDisk(() => {
        database.exec(`create index by_origin on address (origin);
          create table host (number integer primary key, origin text, count integer);
          insert into host (origin, count)
            select origin, count(*) from address where origin <> '' group by origin order by count(*) desc`);
        return { all: counted('true'), fine: counted("origin = ''") };
      });
    },
    hosts: (after, count) =>
      onDisk(
        () =>
          database
            .prepare('select number, origin, count from host where number > ? order by number limit ?')
            .all(after, count) as HostOfImages[],
      ),
    addressesOf: (origin, after, count) =>
      onDisk(
        () =>
          database
            .prepare(
              'select number, href, digest from address where origin = ? and number > ? order by number limit ?',
            )
            .all(origin, after, count) as AddressToAsk[],
      ),
    close,
  };
}

function orStop<Result>(folder: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new RunStopped(
      'temporary-file-failed',
      `The addresses of images could not be stored in ${folder}, so none was asked: ${(error as Error).message}.`,
      ['Make space on the disk that holds this folder, then run the command again.'],
    );
  }
}
