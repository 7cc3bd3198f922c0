import { resolve } from 'node:path';
import type { OutcomeStatus, RecordRef, RecordResult, RecordResultStub } from '../model/index.ts';
import { hasLedger, inTransaction, openDatabase, writing } from './database/database.ts';
import { STATEMENTS } from './database/statements.ts';
import { type LockHolder, lockStore } from './files/lock.ts';
import { earlierRecords, type FindEarlier } from './records/earlier.ts';
import {
  type FindTrashed,
  identify,
  identifyDead,
  isAnythingKnown,
  type Lookup,
  lookupFor,
  type RecordOrigin,
  someIds,
  sourcesIn,
  trashedFor,
} from './records/identity.ts';
import { openJournal, type RunJournal } from './records/journal.ts';
import {
  type Amendment,
  amend,
  type Created,
  createdBy,
  type Holder,
  holdersOf,
  recordsToRetry,
} from './records/later.ts';
import { endingsOf, settledOf } from './records/settled.ts';
import { type Checkpoint, openTables } from './records/tables.ts';
import { logFileOf, recoverRuns, refuseStrayLogs, settleDead } from './recover.ts';
import { allRuns, endRun, insertRun, type KnownRun, type NewRun, type RunEnd } from './runs.ts';
import { createRunLog, removeLog } from './wal/log.ts';

/** The durable local record of every run and outcome. STATES.md says what it promises. */
export interface Ledger {
  /**
   * The right to send to a store, until the ledger is closed. Runs there that died are brought to their end. `run`: who
   * takes it. Returns the ids of those. Throws ConfigError where another process has it, RunStopped where the ledger
   * cannot be written.
   */
  lock(store: string, run: string): readonly string[];
  /** Only with the lock on its store. `slots`: requests in flight at most. Throws RunStopped. */
  begin(run: NewRun, slots: number): OpenRun;
  /** Goes on with a run that stopped. Throws RunStopped. */
  reopen(run: KnownRun, slots: number): OpenRun;
  /**
   * What is known of the records of a store. Only with the lock on it. `but`: the run that goes on, which knows its own
   * keys. Throws RunStopped.
   */
  knowledge(store: string, resource: string, but?: KnownRun): StoreHistory;
  /** The same for who only reads, without the lock: what runs that died have left is not among it. */
  peek(store: string, resource: string): Pick<StoreHistory, 'lookup' | 'sourceOf'>;
  /** Whether anything was imported into a store from other files than these. */
  hasOtherSources(store: string, resource: string, files: readonly string[]): boolean;
  /**
   * Brings runs that died to their end, at every store where nobody is at work, so that what is read of them is true.
   * Returns who is at work, by store; undefined where that is not known. `onTrouble`: why it was not possible at a store.
   */
  settleDead(onTrouble: (message: string) => void): ReadonlyMap<string, LockHolder | undefined>;
  /** Latest first. */
  runs(): KnownRun[];
  settled(run: KnownRun): Iterable<RecordResult>;
  /** Only how they ended, and not in source order: a run that goes on must know that of a million in seconds. */
  endings(run: KnownRun): Iterable<RecordResultStub>;
  /** Those that ended so and are still this run's own, page by page, with their rows. */
  toRetry(run: KnownRun, outcomes: readonly OutcomeStatus[]): Iterable<RecordResult[]>;
  /** What a run created, page by page. */
  created(run: KnownRun): Iterable<Created[]>;
  /** Records of the run's store and resource that have one of these identifiers. */
  holders(run: KnownRun, ids: readonly string[]): Holder[];
  /** Writes down what was found out about records since. Only with the lock on their store. */
  amend(amendments: readonly Amendment[]): void;
  /** How many records ended so; only outcomes that there are. */
  outcomes(run: KnownRun): Readonly<Partial<Record<OutcomeStatus, number>>>;
  /** The last place at or before the record `seq` from which the run's files can be read on. */
  markBefore(run: KnownRun, seq: number): Checkpoint | undefined;
  close(): void;
}

/** What earlier runs know of the records of one store and resource. */
export interface StoreHistory {
  /** Undefined where no key is known. */
  readonly lookup: Lookup | undefined;
  /** Where a record comes from; undefined for one that no import made. */
  sourceOf(ref: RecordRef): RecordOrigin | undefined;
  /** Some identifiers that the store gave. */
  readonly ids: readonly string[];
  /** Undefined where nothing is in the trash. */
  readonly trashed: FindTrashed | undefined;
  readonly findEarlier: FindEarlier;
  /** What is known of another resource at the same store, for references to it. Throws RunStopped. */
  lookupAmong(resource: string): Lookup | undefined;
}

/** A run that is being executed. */
export interface OpenRun extends RunJournal {
  /** Settled records in source order, with the rows that are given back. Streams from disk; adds what is unwritten. */
  settled(): Iterable<RecordResult>;
  /** All that was noted is in the tables: the log goes. Throws RunStopped, and then the run is not at its end. */
  end(end: RunEnd): void;
  /** Without an end, what the tables do not have stays in the log. */
  close(): void;
}

/** Opens (or makes) the ledger under `home`. Throws ConfigError. `now`: milliseconds since 1970. */
export function openLedger(home: string, now: () => number = Date.now): Ledger {
  const database = openDatabase(home);
  try {
    refuseStrayLogs(database, home);
  } catch (error) {
    database.close();
    throw error;
  }
  const unlocks: (() => void)[] = [];

  function open(number: number, { id, store }: NewRun, goesOn: boolean, slots: number): OpenRun {
    const logFile = logFileOf(home, id);
    const log = createRunLog(logFile, { run: id, store });
    // From here on a run that is at work and has no log has lost it.
    inTransaction(database, () => database.prepare(STATEMENTS.hasLog).run(number));
    const journal = openJournal(log, openTables(database, number, goesOn, now), slots, home);
    return {
      ...journal,
      settled: () => settledOf(database, number, journal.unwritten()),
      end(end) {
        // At once: a run that has ended and whose keys are not known would be sent a second time by the next import.
        writing(home, () => {
          inTransaction(database, () => {
            endRun(database, number, end);
            identify(database, number);
          });
          removeLog(logFile);
        });
      },
      close: log.close,
    };
  }

  return {
    lock(store, run) {
      return writing(home, () => {
        unlocks.push(lockStore(home, store, run));
        return recoverRuns(database, home, store, now);
      });
    },
    settleDead: (onTrouble) => settleDead(database, home, now, onTrouble),
    begin: (run, slots) =>
      writing(home, () => {
        const number = inTransaction(database, () => insertRun(database, run));
        return open(number, run, false, slots);
      }),
    reopen: (run, slots) =>
      writing(home, () => {
        inTransaction(database, () => database.prepare(STATEMENTS.reopenRun).run(run.number));
        return open(run.number, run, true, slots);
      }),
    knowledge(store, resource, but) {
      writing(home, () => identifyDead(database, store, resource, but?.number));
      return {
        lookup: lookupFor(database, store, resource),
        sourceOf: sourcesIn(database),
        ids: someIds(database, store),
        trashed: trashedFor(database, store, resource),
        findEarlier: earlierRecords(database, store, resource),
        lookupAmong(other) {
          if (other !== resource) writing(home, () => identifyDead(database, store, other, undefined));
          return lookupFor(database, store, other);
        },
      };
    },
    peek: (store, resource) => ({
      lookup: lookupFor(database, store, resource),
      sourceOf: sourcesIn(database),
    }),
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
    settled: ({ number }) => settledOf(database, number),
    endings: ({ number }) => endingsOf(database, number),
    toRetry: ({ number }, outcomes) => recordsToRetry(database, number, outcomes),
    created: ({ number }) => createdBy(database, number),
    holders: ({ store, resource }, ids) => holdersOf(database, store, resource, ids),
    amend: (amendments) => writing(home, () => amend(database, amendments)),
    outcomes({ number }) {
      const counts = database.prepare(STATEMENTS.outcomes).all(number) as Count[];
      return Object.fromEntries(counts.map(({ outcome, count }) => [outcome, count]));
    },
    markBefore({ number }, seq) {
      const mark = database.prepare(STATEMENTS.markBefore).get(number, seq) as
        | (Omit<Checkpoint, 'offset'> & { at: number })
        | undefined;
      return mark && { ...mark, offset: mark.at };
    },
    close() {
      for (const unlock of unlocks) unlock();
      database.close();
    },
  };
}

interface Count {
  readonly outcome: OutcomeStatus;
  readonly count: number;
}

/** Whether runs under `home` know anything of a resource. Does not make a ledger where there is none. */
export function hasHistory(home: string, resource: string): boolean {
  if (!hasLedger(home)) return false;
  const database = openDatabase(home);
  try {
    return isAnythingKnown(database, resource);
  } finally {
    database.close();
  }
}
