import type { EntryLog } from '../../ledger/engine.ts';
import { FENCE, fenceValues, leaseLost } from '../fence.ts';
import type { Lease } from '../lease.ts';
import type { RowSeal } from '../row-seal.ts';
import type { Sql } from '../sql.ts';
import { sealedEntry } from './sealed-intents.ts';
import { underLease } from './under-lease.ts';

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
  readonly seal: RowSeal;
}

export function openLineLog({ sql, lease, run, fold: firstFold, seal }: LineLogOptions): LineLog {
  let fold = firstFold;
  let entries: Buffer[] = [];
  let position = 0;
  /** The last entry as the database gets it. */
  let body: Buffer | undefined;

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
      body = sealedEntry(pieces, seal);
      position += entry.length;
    },
    sync(done) {
      const values = [...fenceValues(lease), run, fold, entries.length - 1, body];
      underLease(lease, () => append(sql, values)).then(
        (isWritten) => done(isWritten ? null : leaseLost()),
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

/** On disk before it is confirmed, whatever the default of the database is: the request follows. */
const APPEND = `
  with fence as (${FENCE}), durable as (select set_config('synchronous_commit', 'on', true))
  insert into log (run, fold, entry, epoch, body)
  select $4, $5, $6, $2, $7 from fence, durable
  returning 1`;

/** True unless the lease is lost. After a lost connection, the line may be there already. */
async function append(sql: Sql, values: readonly unknown[]): Promise<boolean> {
  try {
    return (await sql.query(APPEND, values)).length === 1;
  } catch (error) {
    // Nobody else writes this line under this epoch.
    if ((error as { readonly code?: string }).code !== UNIQUE_VIOLATION) throw error;
    const [, epoch, , run, fold, entry] = values;
    return (await sql.query(WRITTEN, [run, fold, entry, epoch])).length === 1;
  }
}

const UNIQUE_VIOLATION = '23505';

const WRITTEN = 'select 1 from log where run = $1 and fold = $2 and entry = $3 and epoch = $4';
