import { type OpenRun, openJournal } from '../../ledger/engine.ts';
import { RunStopped } from '../../model/index.ts';
import { fenced, HAS_FENCE } from '../fence.ts';
import type { Lease } from '../lease.ts';
import { identifyIn } from '../queries/identify.ts';
import { endRunIn, keepActivityIn } from '../queries/runs.ts';
import { settledPages } from '../queries/settled.ts';
import { LONG_ANSWER_MS, type Sql } from '../sql.ts';
import { foldLineLog } from './fold-log.ts';
import { ageIntent } from './intent-age.ts';
import { noteLateAnswers } from './late-answers.ts';
import { openRecordTables, type RecordTablesOptions } from './record-tables.ts';
import { restingKeys } from './resting-keys.ts';
import { openLineLog } from './run-log.ts';
import { underLease } from './under-lease.ts';

export interface OpenRunOptions extends RecordTablesOptions {
  /** The fold with which the log begins. */
  readonly fold: number;
  /** Maximum number of requests in flight. */
  readonly slots: number;
}

export async function openRunUnder(sql: Sql, lease: Lease, options: OpenRunOptions): Promise<OpenRun> {
  const { run, fold, slots, seal } = options;
  const rest = await restingKeys(sql, lease);
  const log = openLineLog({ sql, lease, run, fold, seal });
  const folding = foldLineLog({ sql, lease, log, tables: openRecordTables(options) });
  const journal = openJournal({ log, folding, slots, failed: databaseFailed });
  let hasEnded = false;

  async function write(work: (sql: Sql) => Promise<void>, withinMs?: number): Promise<void> {
    try {
      await underLease(lease, () => fenced(sql, lease, work, withinMs));
    } catch (error) {
      throw databaseFailed(error);
    }
  }

  return {
    ...journal,
    number: run,
    async intend(intent) {
      await rest?.(intent);
      await journal.intend(intent);
    },
    ageIntent: HAS_FENCE ? () => ageIntent(lease) : undefined,
    settled: () => settledPages(sql, run, seal, journal.unwritten()),
    keepActivity: (activity) => write((inside) => keepActivityIn(inside, run, activity)),
    async end(end) {
      // In one transaction: if a run ended and its keys were not indexed, the next import would send its records again.
      await write(async (inside) => {
        // It has ended already if only the answer to the commit was lost.
        const running = await inside.query(STILL_RUNNING, [run, lease.epoch]);
        if (running.length === 0) return;
        await endRunIn(inside, run, end);
        await identifyIn(inside, run);
        await inside.query('delete from log where run = $1', [run]);
      }, LONG_ANSWER_MS);
      hasEnded = true;
    },
    async close() {
      if (!hasEnded) await noteLateAnswers(sql, lease, run, journal.unwritten());
    },
  };
}

/** Waits for an earlier try whose commit may still be on the way. */
const STILL_RUNNING = `select 1 from run where number = $1 and epoch = $2 and state = 'running' for update`;

/** The error that ends a run whose log or tables cannot be written. */
function databaseFailed(error: unknown): RunStopped {
  if (error instanceof RunStopped) return error;
  const { message } = error as Error;
  return new RunStopped(
    'ledger-failed',
    `The ledger in the database could not be written, so nothing more was sent: ${message}.`,
    ['Once the database can be written again, workers continue by themselves. Give any other command again.'],
  );
}
