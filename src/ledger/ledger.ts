import { resolve } from '../model/files/fs.ts';
import type { LedgerSource, LocalLedger, OpenRun } from './contract.ts';
import { hasLedger, inTransaction, ledgerFailed, openDatabase, writing } from './database/database.ts';
import { shrink, spaceOf } from './database/space.ts';
import { STATEMENTS } from './database/statements.ts';
import { lockStore, tryLockStore } from './files/lock.ts';
import { hasFoldThread, startFoldThread } from './fold/fold-thread.ts';
import { openFolding } from './fold/folding.ts';
import { expectedLog } from './fold/pending.ts';
import { historyOf, peekedHistory } from './history.ts';
import { identify, identifyDead, knowsResource, lookupFor } from './records/identity.ts';
import { openJournal } from './records/journal.ts';
import { pruneRun } from './records/prune.ts';
import type { Checkpoint } from './records/record-store.ts';
import { amend, holdersOf } from './records/resolve-queries.ts';
import { createdBy, recordsToRetry } from './records/retry-queries.ts';
import { endingsOf, laterThan, pagesOf, settledOf } from './records/settled.ts';
import { logFileOf, recoverRuns, refuseStrayLogs, settleDead } from './recover.ts';
import { allRuns, endRun, insertRun, type NewRun, outcomesOf, reopenRun, runById, runNow } from './runs.ts';
import { createRunLog, removeLog } from './wal/log.ts';

/** The ledger under `home` as the ledger of a command. Does not create it before it is opened. */
export function localLedger(home: string): LedgerSource {
  return {
    name: home,
    hasThreads: true,
    hasHistory: async (resource) => hasHistory(home, resource),
    open: async () => openLedger(home),
  };
}

/**
 * Opens or creates the ledger under `home`: SQLite, with a log for each run. `now` returns milliseconds since 1970. Throws
 * ConfigError.
 */
export function openLedger(home: string, now: () => number = Date.now): LocalLedger {
  const database = openDatabase(home);
  try {
    refuseStrayLogs(database, home);
  } catch (error) {
    database.close();
    throw error;
  }
  const tables = { database, home, now };
  const unlocks: (() => void)[] = [];

  function open({ id, store }: NewRun, { number, isResumed, slots }: RunOpening): OpenRun {
    const logFile = logFileOf(home, id);
    const log = createRunLog(logFile, { run: id, store });
    // From now on, if a running run has no log, the log was lost.
    inTransaction(database, () => database.prepare(STATEMENTS.hasLog).run(1, number));
    log.begin(expectedLog(database, number).epoch);
    const tableOptions = { run: number, isResumed };
    const startThread = hasFoldThread() ? () => startFoldThread({ home, ...tableOptions }) : undefined;
    const folding = openFolding({ database, log, now, startThread, ...tableOptions });
    const journal = openJournal({ log, folding, slots, failed: (error) => ledgerFailed(home, error) });
    return {
      ...journal,
      number,
      settled: () => asyncPages(pagesOf(settledOf(database, number, journal.unwritten()))),
      async keepActivity(activity) {
        writing(home, () =>
          inTransaction(database, () =>
            database.prepare(STATEMENTS.keepActivity).run(JSON.stringify(activity), number),
          ),
        );
      },
      async end(end) {
        // In one transaction: if a run ended and its keys were not indexed, the next import would send its records
        // again.
        writing(home, () => {
          inTransaction(database, () => {
            endRun(database, number, end);
            identify(database, number);
          });
          removeLog(logFile);
        });
      },
      async close() {
        log.close();
        await folding.close();
      },
    };
  }

  return {
    async lock(store, run) {
      return writing(home, () => {
        unlocks.push(lockStore(home, store, run));
        return recoverRuns(tables, store);
      });
    },
    settleDead: (onTrouble) => settleDead(tables, onTrouble),
    begin: async (run, slots) =>
      writing(home, () => {
        const number = inTransaction(database, () => insertRun(database, run, home));
        return open(run, { number, isResumed: false, slots });
      }),
    reopen: async (run, slots) =>
      writing(home, () => {
        inTransaction(database, () => reopenRun(database, run, home));
        return open(run, { number: run.number, isResumed: true, slots });
      }),
    async history(store, resource, exceptRun) {
      const target = { store, resource };
      writing(home, () => identifyDead(database, target, exceptRun?.number));
      return historyOf(database, target, (other) => {
        if (other.resource !== resource) writing(home, () => identifyDead(database, other));
        return lookupFor(database, other);
      });
    },
    peek: (store, resource) => peekedHistory(database, { store, resource }),
    hasOtherSources(store, resource, files) {
      const known = new Set(files.map((file) => resolve(file)));
      return allRuns(database, home).some(
        (run) =>
          run.command === 'import' &&
          run.store === store &&
          run.resource === resource &&
          run.files.some(({ file, path = file }) => !known.has(resolve(path))),
      );
    },
    runs: async () => allRuns(database, home),
    find: async (id) => runById(database, id, home),
    reread: async (run) => runNow(database, run, home),
    settled: ({ number }) => asyncPages(pagesOf(settledOf(database, number))),
    endings: ({ number }) => asyncPages(pagesOf(endingsOf(database, number))),
    toRetry: ({ number }, outcomes) => asyncPages(recordsToRetry(database, number, outcomes)),
    created: ({ number }) => asyncPages(createdBy(database, number)),
    settledAfter: (run) => asyncPages(pagesOf(laterThan(database, run))),
    holders: async (run, ids) => holdersOf(database, run, ids),
    amend: async (amendments) => writing(home, () => amend(database, amendments)),
    outcomes: async (run) => outcomesOf(database, run),
    async checkpointBefore({ number }, seq) {
      const checkpoint = database.prepare(STATEMENTS.checkpointBefore).get(number, seq) as
        | (Omit<Checkpoint, 'offset'> & { at: number })
        | undefined;
      return checkpoint && { ...checkpoint, offset: checkpoint.at };
    },
    tryLock(store, who) {
      const lock = tryLockStore(home, store, who);
      if ('holder' in lock) return lock;
      try {
        writing(home, () => recoverRuns(tables, store));
      } catch (error) {
        lock.unlock();
        throw error;
      }
      return lock;
    },
    prune(run, options) {
      return writing(home, () => {
        if (!options.isTrial) identifyDead(database, run);
        return pruneRun(database, run, options);
      });
    },
    space: () => spaceOf(database),
    shrink: () => writing(home, () => shrink(database)),
    async close() {
      for (const unlock of unlocks) unlock();
      database.close();
    },
  };
}

async function* asyncPages<Page>(pages: Iterable<Page>): AsyncGenerator<Page> {
  yield* pages;
}

/** How a run is opened for sending. */
interface RunOpening {
  readonly number: number;
  readonly isResumed: boolean;
  /** Maximum number of requests in flight. */
  readonly slots: number;
}

/** True if runs under `home` know anything of a resource. Does not create a ledger. */
function hasHistory(home: string, resource: string): boolean {
  if (!hasLedger(home)) return false;
  const database = openDatabase(home);
  try {
    return knowsResource(database, resource);
  } finally {
    database.close();
  }
}
