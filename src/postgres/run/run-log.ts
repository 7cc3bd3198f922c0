import type { EntryLog } from '../../ledger/engine.ts';
import { FENCE, fenceValues, leaseLost } from '../fence.ts';
import type { Lease } from '../lease.ts';
import type { Sql } from '../sql.ts';

/**
 * The log of one run in Postgres: each entry is one line, which goes in only under the lease. Entries of one fold are numbered
 * from 0, so that one that is missing is noticed.
 */
export interface LineLog extends EntryLog {
  /** Ends the fold that is being written, and begins the next one. Never during a sync. Returns its entries. */
  nextFold(): EndedFold;
}

export interface EndedFold {
  readonly entries: readonly Buffer[];
  /** The number of the fold that begins. */
  readonly next: number;
}

export interface LineLogOptions {
  readonly sql: Sql;
  readonly lease: Lease;
  /** Number of the run. */
  readonly run: number;
  /** The fold with which the log begins. */
  readonly fold: number;
}

export function openLineLog({ sql, lease, run, fold: firstFold }: LineLogOptions): LineLog {
  let fold = firstFold;
  let entries: Buffer[] = [];
  let position = 0;

  return {
    syncsAtOnce: 1,
    get position() {
      return position;
    },
    write(pieces) {
      const entry = Buffer.concat(
        pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
      );
      entries.push(entry);
      position += entry.length;
    },
    sync(done) {
      const values = [...fenceValues(lease), run, fold, entries.length - 1, entries.at(-1)];
      underLease(lease, () => sql.query(APPEND, values)).then(
        (lines) => done(lines.length === 1 ? null : leaseLost()),
        (error: Error) => done(error),
      );
    },
    nextFold() {
      const ended = { entries, next: fold + 1 };
      fold += 1;
      entries = [];
      position = 0;
      return ended;
    },
  };
}

const APPEND = `
  with fence as (${FENCE})
  insert into log (run, fold, entry, epoch, body)
  select $4, $5, $6, $2, $7 from fence
  returning 1`;

/**
 * Waits for `work` as long as the lease may be held. A database that does not answer must not keep a worker that has to stop.
 * Rejects with the reason for which the lease is lost.
 */
export function underLease<Result>(lease: Lease, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const { lost } = lease;
    const onLost = () => reject(lost.reason ?? leaseLost());
    if (lease.isStale()) return onLost();
    lost.addEventListener('abort', onLost, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => lost.removeEventListener('abort', onLost));
  });
}
