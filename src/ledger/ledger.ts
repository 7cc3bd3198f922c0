import { resolve } from 'node:path';
import type { OutcomeStatus, RecordResult, RecordResultStub, RunActivity } from '../model/index.ts';
import { hasLedger, inTransaction, ledgerFailed, openDatabase, writing } from './database/database.ts';
import { type LedgerSpace, shrink, spaceOf } from './database/space.ts';
import { STATEMENTS } from './database/statements.ts';
import { type LockHolder, lockStore, tryLockStore } from './files/lock.ts';
import { hasFoldThread, startFoldThread } from './fold/fold-thread.ts';
import { openFolding } from './fold/folding.ts';
import { expectedLog } from './fold/pending.ts';
import { historyOf, peekedHistory, type StoreHistory } from './records/history.ts';
import { identify, identifyDead, knowsResource, lookupFor } from './records/identity.ts';
import { openJournal, type RunJournal } from './records/journal.ts';
import { type Pruned, type PruneOptions, pruneRun } from './records/prune.ts';
import type { Checkpoint } from './records/record-store.ts';
import { type Amendment, amend, type Holder, holdersOf } from './records/resolve-queries.ts';
import { type Created, createdBy, recordsToRetry } from './records/retry-queries.ts';
import { endingsOf, settledOf } from './records/settled.ts';
import { logFileOf, recoverRuns, refuseStrayLogs, settleDead } from './recover.ts';
import {
  allRuns,
  endRun,
  insertRun,
  type KnownRun,
  type NewRun,
  type OutcomeCounts,
  outcomesOf,
  type RunEnd,
  runNow,
} from './runs.ts';
import { createRunLog, removeLog } from './wal/log.ts';

/** The durable local record of every run and outcome. STATES.md has its guarantees. */
export interface Ledger {
  /**
   * Locks a store for sending, until the ledger is closed. Settles runs there that died, and returns their ids. `run`
   * is the id of the run that takes the lock. Throws ConfigError if another process has it, RunStopped if the ledger
   * cannot be written.
   */
  lock(store: string, run: string): readonly string[];
  /**
   * Begins a run. Requires the lock on its store. `slots` is the maximum number of requests in flight. Throws
   * RunStopped.
   */
  begin(run: NewRun, slots: number): OpenRun;
  /** Resumes a run that stopped. Throws RunStopped. */
  reopen(run: KnownRun, slots: number): OpenRun;
  /**
   * Returns the history of a store. Requires the lock on it. `exceptRun` is the run that is resumed, which knows its own
   * keys. Throws RunStopped.
   */
  history(store: string, resource: string, exceptRun?: KnownRun): StoreHistory;
  /** Returns the history for reading only, without the lock. It does not contain what runs that died have left. */
  peek(store: string, resource: string): StoreHistory;
  /** True if anything was imported into a store from other files than these. */
  hasOtherSources(store: string, resource: string, files: readonly string[]): boolean;
  /**
   * Settles runs that died, at every store that is not locked, so that their outcomes are right when they are read.
   * Returns the holders of the locks by store, undefined if not known. `onTrouble` is called with the reason if the
   * runs of a store cannot be settled.
   */
  settleDead(onTrouble: (message: string) => void): ReadonlyMap<string, LockHolder | undefined>;
  /** Latest first. */
  runs(): KnownRun[];
  /** Reads a run again: another process may have changed it. */
  reread(run: KnownRun): KnownRun;
  settled(run: KnownRun): Iterable<RecordResult>;
  /** Outcomes only, and not in source order: a resumed run must read those of a million records in seconds. */
  endings(run: KnownRun): Iterable<RecordResultStub>;
  /** Records with these outcomes that no later run replaced, page by page, with their rows. */
  toRetry(run: KnownRun, outcomes: readonly OutcomeStatus[]): Iterable<RecordResult[]>;
  /** Records that a run created, page by page. */
  created(run: KnownRun): Iterable<Created[]>;
  /** Records of the run's store and resource that have one of these identifiers. */
  holders(run: KnownRun, ids: readonly string[]): Holder[];
  /** Changes the outcomes of records, as found out after the run. Requires the lock on their store. */
  amend(amendments: readonly Amendment[]): void;
  /** Also counts records whose lines were dropped. */
  outcomes(run: KnownRun): OutcomeCounts;
  /** Returns the last checkpoint at or before the record `seq`. */
  checkpointBefore(run: KnownRun, seq: number): Checkpoint | undefined;
  /**
   * Locks a store as `lock` does, until `unlock` is called. Does not wait: if another process has it, returns its
   * holder. Throws RunStopped.
   */
  tryLock(store: string, who: string): ReturnType<typeof tryLockStore>;
  /**
   * Drops the lines of a run that nothing needs, or only counts them (`isTrial`). Requires the lock on its store.
   * Throws RunStopped; what was dropped until then stays dropped.
   */
  prune(run: KnownRun, options: PruneOptions): Pruned;
  space(): LedgerSpace;
  /** Gives free space back to the file system, if the ledger can do so. Throws RunStopped. */
  shrink(): void;
  close(): void;
}

/** A run that is being executed. */
export interface OpenRun extends RunJournal {
  readonly number: number;
  /**
   * Settled records in source order, with the rows to return. Streams from disk, and adds those that could not be
   * written.
   */
  settled(): Iterable<RecordResult>;
  /** Replaces the activity of the run. Throws RunStopped. */
  keepActivity(activity: RunActivity): void;
  /**
   * Ends the run. The tables must have everything, so the log is removed. Throws RunStopped; then the run has not
   * ended.
   */
  end(end: RunEnd): void;
  /** Closes the log. Without `end`, entries that are not in the tables stay in the log. */
  close(): Promise<void>;
}

/** Opens or creates the ledger under `home`. `now` returns milliseconds since 1970. Throws ConfigError. */
export function openLedger(home: string, now: () => number = Date.now): Ledger {
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
      settled: () => settledOf(database, number, journal.unwritten()),
      keepActivity(activity) {
        writing(home, () =>
          inTransaction(database, () =>
            database.prepare(STATEMENTS.keepActivity).run(JSON.stringify(activity), number),
          ),
        );
      },
      end(end) {
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
    lock(store, run) {
      return writing(home, () => {
        unlocks.push(lockStore(home, store, run));
        return recoverRuns(tables, store);
      });
    },
    settleDead: (onTrouble) => settleDead(tables, onTrouble),
    begin: (run, slots) =>
      writing(home, () => {
        const number = inTransaction(database, () => insertRun(database, run));
        return open(run, { number, isResumed: false, slots });
      }),
    reopen: (run, slots) =>
      writing(home, () => {
        inTransaction(database, () => database.prepare(STATEMENTS.reopenRun).run(run.number));
        return open(run, { number: run.number, isResumed: true, slots });
      }),
    history(store, resource, exceptRun) {
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
      return allRuns(database).some(
        (run) =>
          run.command === 'import' &&
          run.store === store &&
          run.resource === resource &&
          run.files.some(({ file, path = file }) => !known.has(resolve(path))),
      );
    },
    runs: () => allRuns(database),
    reread: (run) => runNow(database, run),
    settled: ({ number }) => settledOf(database, number),
    endings: ({ number }) => endingsOf(database, number),
    toRetry: ({ number }, outcomes) => recordsToRetry(database, number, outcomes),
    created: ({ number }) => createdBy(database, number),
    holders: (run, ids) => holdersOf(database, run, ids),
    amend: (amendments) => writing(home, () => amend(database, amendments)),
    outcomes: (run) => outcomesOf(database, run),
    checkpointBefore({ number }, seq) {
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
    close() {
      for (const unlock of unlocks) unlock();
      database.close();
    },
  };
}

/** How a run is opened for sending. */
interface RunOpening {
  readonly number: number;
  readonly isResumed: boolean;
  /** Maximum number of requests in flight. */
  readonly slots: number;
}

/** True if runs under `home` know anything of a resource. Does not create a ledger. */
export function hasHistory(home: string, resource: string): boolean {
  if (!hasLedger(home)) return false;
  const database = openDatabase(home);
  try {
    return knowsResource(database, resource);
  } finally {
    database.close();
  }
}
