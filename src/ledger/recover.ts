import { join } from 'node:path';
import { readdirSync, statSync } from '../model/files/fs.ts';
import { ConfigError, damagedLedger, LEDGER_FILE, mayBeInStore, RunStopped } from '../model/index.ts';
import { type Database, inTransaction, writing } from './database/database.ts';
import { STATEMENTS } from './database/statements.ts';
import { type LockHolder, tryLockStore } from './files/lock.ts';
import { expectedLog, readPending } from './fold/pending.ts';
import { CRASH_MESSAGE, outcomeAfterCrash } from './records/after-crash.ts';
import { openRecordStore } from './records/record-store.ts';
import { allRuns, type RunCommand } from './runs.ts';
import { removeLog, secondLogOf } from './wal/log.ts';
import { firstEpochOf, ownerOf } from './wal/read-log.ts';

/** The open tables of a ledger. */
export interface OpenTables {
  readonly database: Database;
  readonly home: string;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
}

/** The path of a run's log. */
export function logFileOf(home: string, id: string): string {
  return join(home, `${id}.log`);
}

/**
 * Settles the runs at a store that died. Moves their logs into the tables: creates without an answer are in doubt, updates
 * without one count as not sent. The updates of an undo are failed, since an undo cannot be resumed. Their keys are indexed later, by `identifyDead`. Needs the store's lock, which proves that
 * none of them is alive. Returns their ids. Throws ConfigError if a log is damaged.
 */
export function recoverRuns({ database, home, now }: OpenTables, store: string): string[] {
  const died = database.prepare(STATEMENTS.diedAt).all(store) as CrashedRun[];
  for (const { number, id, command } of died) {
    const logFile = logFileOf(home, id);
    const { ended, open } = readPending(database, number, logFile);
    const brokenOff = open.flatMap((intent) => {
      const outcome = outcomeAfterCrash(command, intent);
      const digests = outcome && mayBeInStore(outcome) ? intent.digests : undefined;
      return outcome ? [{ ...intent, outcome, digests }] : [];
    });
    // The run may be a resumed one, so its unsent records are replaced.
    openRecordStore(database, { run: number, isResumed: true }).fold({
      ended: [...ended, ...brokenOff].sort((a, b) => a.seq - b.seq),
      open: [],
      // The log may have entries of two epochs.
      next: expectedLog(database, number).epoch + 2,
      at: now(),
    });
    const crash = database.prepare(STATEMENTS.crashRun);
    inTransaction(database, () => crash.run(CRASH_MESSAGE, lastWritten(logFile) ?? now(), number));
    removeLog(logFile);
  }
  removeLogs(home, store);
  return died.map(({ id }) => id);
}

/** Removes logs left by processes that died just before removing them. All runs at the store must be settled. */
function removeLogs(home: string, store: string): void {
  for (const file of logsIn(home)) if (ownerOf(file)?.store === store) removeLog(file);
}

/** Files that may be logs of runs. One may be a log file that the user asked for. */
function logsIn(home: string): string[] {
  return readdirSync(home)
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(home, name));
}

/** Throws ConfigError if the tables lack what a log proves they had: they were lost, or replaced by an older copy. */
export function refuseStrayLogs(database: Database, home: string): void {
  const find = database.prepare(STATEMENTS.runOfLog);
  for (const file of logsIn(home)) {
    const epoch = firstEpochOf(file);
    // No entry: the file is not a log of a run, the log is new, or its run ended and removed it meanwhile.
    if (epoch === undefined) continue;
    const run = find.get(ownerOf(file)?.run) as { state: string; epoch: number } | undefined;
    if (run === undefined)
      throw damagedLedger(join(home, LEDGER_FILE), `does not know the run of ${file} beside it`);
    // Each fold into the tables begins the next epoch, so the log of a run that ended cannot be of the current one.
    if (run.state !== 'running' && epoch >= run.epoch)
      throw damagedLedger(join(home, LEDGER_FILE), `is older than ${file} beside it`);
  }
}

/** The time of a run's last write, in milliseconds; undefined if its log is gone. */
function lastWritten(logFile: string): number | undefined {
  const times = [logFile, secondLogOf(logFile)].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY,
  );
  const last = Math.max(...times);
  return Number.isFinite(last) ? Math.round(last) : undefined;
}

/**
 * Settles the runs that died, at every store that no process has locked. Returns the holders of the locked stores, each
 * undefined if not known. `onTrouble`: called with the reason if the runs of a store could not be settled.
 */
export function settleDead(
  tables: OpenTables,
  onTrouble: (message: string) => void,
): ReadonlyMap<string, LockHolder | undefined> {
  const { database, home } = tables;
  const atWork = new Map<string, LockHolder | undefined>();
  const running = allRuns(database, home).filter(({ state }) => state === 'running');
  for (const [store, { id }] of new Map(running.map((run) => [run.store, run]))) {
    try {
      const lock = tryLockStore(home, store, id);
      if ('holder' in lock) atWork.set(store, lock.holder);
      else
        try {
          writing(home, () => recoverRuns(tables, store));
        } finally {
          lock.unlock();
        }
    } catch (error) {
      if (!(error instanceof ConfigError || error instanceof RunStopped)) throw error;
      onTrouble(error.message);
    }
  }
  return atWork;
}

interface CrashedRun {
  readonly number: number;
  readonly id: string;
  readonly command: RunCommand;
}
