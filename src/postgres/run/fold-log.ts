import { decodeLogEntry, type Folding, followEntries, type PackedIntent } from '../../ledger/engine.ts';
import { fenced } from '../fence.ts';
import type { Lease } from '../lease.ts';
import type { Sql } from '../sql.ts';
import type { RecordTables } from './record-tables.ts';
import type { LineLog } from './run-log.ts';
import { underLease } from './under-lease.ts';

export interface LogFoldOptions {
  readonly sql: Sql;
  readonly lease: Lease;
  readonly log: LineLog;
  readonly tables: RecordTables;
}

/**
 * Moves the log of a run into the tables, part by part, each in one fenced transaction. The next part is written meanwhile. The
 * entries are still in memory, so they are not read again.
 */
export function foldLineLog({ sql, lease, log, tables }: LogFoldOptions): Folding {
  let open: readonly PackedIntent[] = [];
  return {
    fold(rest, done) {
      const { entries, next } = log.nextFold();
      const work = async () => {
        const followed = followEntries(open, entries.map(decodeLogEntry), refuseStray);
        const ended = [...followed.ended, ...rest.settled].sort((a, b) => a.seq - b.seq);
        const folded = {
          ended,
          open: followed.open,
          checkpoints: rest.checkpoints,
          next,
          epoch: lease.epoch,
        };
        await tables.prepare(sql, ended);
        await fenced(sql, lease, (inside) => tables.fold(inside, folded));
        return followed.open;
      };
      underLease(lease, work).then(
        (stillOpen) => {
          open = stillOpen;
          done(null);
        },
        (error: Error) => done(error),
      );
    },
  };
}

function refuseStray(seq: number): never {
  throw new Error(`record ${seq} was settled without an intent, or twice`);
}
