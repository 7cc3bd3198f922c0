import type { Settled } from '../model/index.ts';
import { type Database, inTransaction } from './database.ts';
import { type Intent, packIntent } from './intents.ts';
import { forMany, type SqlValue } from './many.ts';
import { packRows } from './rows.ts';
import { MANY, STATEMENTS } from './statements.ts';

/** The tables of one run, as its log is folded into them. */
export interface Tables {
  /**
   * Writes these ends, makes these intents the ones that are open, and ends the log's epoch: all or nothing, synced.
   * Returns the epoch that begins. Throws what SQLite says, and then nothing has changed.
   */
  take(ended: readonly Settled[], open: readonly Intent[]): number;
}

export function openTables(database: Database.Database, run: number, now: () => number): Tables {
  const insertRecords = forMany(database, MANY.settle);
  const insertKept = forMany(database, MANY.keep);
  const forgetIntents = database.prepare(STATEMENTS.forgetIntents);
  const insertIntents = database.prepare(STATEMENTS.intend);
  const beginEpoch = database.prepare(STATEMENTS.beginEpoch);
  let epoch = (database.prepare(STATEMENTS.epoch).get(run) as { epoch: number }).epoch;

  return {
    take(ended, open) {
      inTransaction(database, () => {
        insertRecords(ended.flatMap((settled) => recordValues(run, settled)));
        insertKept(ended.flatMap(({ seq, rows }) => (rows ? [run, seq, packRows(rows)] : [])));
        forgetIntents.run(run);
        if (open.length > 0) insertIntents.run(run, JSON.stringify(open.map(packIntent)), now());
        beginEpoch.run(epoch + 1, run);
      });
      epoch += 1;
      return epoch;
    },
  };
}

function recordValues(run: number, { seq, row, key, outcome }: Settled): SqlValue[] {
  return [
    run,
    seq,
    row,
    key,
    outcome.outcome,
    outcome.id ?? null,
    outcome.httpStatus ?? null,
    outcome.attempts,
    Math.round(outcome.durationMs),
    outcome.code ?? null,
    outcome.field ?? null,
    outcome.message ?? null,
  ];
}
