import type {
  LaterRecord,
  OutcomeStatus,
  PriorState,
  RecordRef,
  RecordResult,
  RecordResultStub,
  RunActivity,
  Trashed,
} from '../model/index.ts';
import type { LedgerSpace } from './database/space.ts';
import type { LockHolder, tryLockStore } from './files/lock.ts';
import type { EarlierRecord } from './records/earlier.ts';
import type { RecordOrigin } from './records/identity.ts';
import type { RunJournal } from './records/journal.ts';
import type { Pruned, PruneOptions } from './records/prune.ts';
import type { Checkpoint } from './records/record-store.ts';
import type { Amendment, Holder, Released } from './records/resolve-queries.ts';
import type { Created } from './records/retry-queries.ts';
import type { KnownRun, NewRun, OutcomeCounts, RunEnd } from './runs.ts';

/**
 * The durable record of every run and outcome. Its engines are SQLite under a home, and Postgres under a lease. STATES.md has
 * the guarantees. One suite of tests runs on each engine.
 *
 * Every method may throw RunStopped if the ledger cannot be read or written. Lists come in pages, so that an engine may read
 * ahead, and memory does not grow with a run.
 */
export interface Ledger {
  /**
   * Locks a store for sending, until the ledger is closed. Settles runs there that died, and returns their ids. `run` is the
   * id of the run that takes the lock. Throws ConfigError if another process has it.
   */
  lock(store: string, run: string): Promise<readonly string[]>;
  /** Begins a run. Requires the lock on its store. `slots`: maximum number of requests in flight. */
  begin(run: NewRun, slots: number): Promise<OpenRun>;
  /** Resumes a run that stopped, or that is sent again. Requires the lock on its store. */
  reopen(run: KnownRun, slots: number): Promise<OpenRun>;
  /** History of a store. Requires the lock on it. `exceptRun`: the run that is resumed, which knows its own keys. */
  history(store: string, resource: string, exceptRun?: KnownRun): Promise<StoreHistory>;
  /** Latest first. */
  runs(): Promise<KnownRun[]>;
  /** The run with that id; undefined if there is none. */
  find(id: string): Promise<KnownRun | undefined>;
  /** Reads a run again: another process may have changed it. */
  reread(run: KnownRun): Promise<KnownRun>;
  /** Settled records in source order, with the rows to return, as they are now. */
  settled(run: KnownRun): AsyncIterable<readonly RecordResult[]>;
  /** Outcomes only, and not in source order: a resumed run must read those of a million records in seconds. */
  endings(run: KnownRun): AsyncIterable<readonly RecordResultStub[]>;
  /** Records with these outcomes that no later run replaced, with their rows. They may be settled again meanwhile. */
  toRetry(run: KnownRun, outcomes: readonly OutcomeStatus[]): AsyncIterable<readonly RecordResult[]>;
  /** Records that a run created. */
  created(run: KnownRun): AsyncIterable<readonly Created[]>;
  /** Records that later runs at the run's store and resource have settled, the latest run first. */
  settledAfter(run: OlderRun): AsyncIterable<readonly LaterRecord[]>;
  /** Records of the run's store and resource that have one of these identifiers. */
  holders(run: KnownRun, ids: readonly string[]): Promise<readonly Holder[]>;
  /**
   * Changes the outcomes of records, as found out after the run; all or none. Requires the lock on their store. Records that
   * were held back by one of these doubts become `unsent` (`RELEASED`); returns how many, by run.
   */
  amend(amendments: readonly Amendment[]): Promise<readonly Released[]>;
  /** Also counts records whose lines were dropped. */
  outcomes(run: KnownRun): Promise<OutcomeCounts>;
  /** The last checkpoint at or before the record `seq`. */
  checkpointBefore(run: KnownRun, seq: number): Promise<Checkpoint | undefined>;
  close(): Promise<void>;
}

/** A run that may be older than others at its store. */
export type OlderRun = Pick<KnownRun, 'number' | 'store' | 'resource'>;

/** A run that is being executed. */
export interface OpenRun extends RunJournal {
  readonly number: number;
  /** As `settled` of the ledger; also has records that could not be written. */
  settled(): AsyncIterable<readonly RecordResult[]>;
  /** Replaces the activity of the run. */
  keepActivity(activity: RunActivity): Promise<void>;
  /** Ends the run. The tables must have everything. If it throws, the run has not ended. */
  end(end: RunEnd): Promise<void>;
  /** Without `end`, what is not in the tables stays in the log. */
  close(): Promise<void>;
}

/** Knowledge from earlier runs about the records of one store and resource. Asked for batches, never for single records. */
export interface StoreHistory {
  /** Undefined if no key is known, so that callers can skip it. */
  readonly lookup: Lookup | undefined;
  /** The files that records were imported from; undefined for those that no import made. In the order asked. */
  sourcesOf(refs: readonly RecordRef[]): Promise<readonly (RecordOrigin | undefined)[]>;
  /** Countries that earlier runs read phone numbers in, by the option `country`. */
  countries(): Promise<readonly string[]>;
  /** Some identifiers that the store assigned. */
  readonly ids: readonly string[];
  /** Those of the identifiers whose records are in the trash since an undo; undefined if the trash is empty. */
  readonly trashed: ((ids: readonly string[]) => Promise<ReadonlyMap<string, Trashed>>) | undefined;
  /** The earlier records that source rows belong to, in the order asked. */
  findEarlier(places: readonly EarlierPlace[]): Promise<readonly (EarlierRecord | undefined)[]>;
  /** The lookup of another resource at the same store, for references to it. */
  lookupAmong(resource: string): Promise<Lookup | undefined>;
}

/** A row of an earlier run, as a returned file names it. */
export interface EarlierPlace {
  /** Id of the run. */
  readonly run: string;
  readonly row: number;
  /** The row's cells now. Some may have been corrected. */
  readonly cells: readonly string[];
}

/** Returns the state of keys at one store from earlier runs. Keys are normalised. */
export interface Lookup {
  (keys: readonly string[]): Promise<ReadonlyMap<string, PriorState>>;
  /** The same, at once. Undefined if the engine must wait for its answers. */
  readonly now?: ((keys: readonly string[]) => ReadonlyMap<string, PriorState>) | undefined;
}

/** Opens the ledger of a command. */
export interface LedgerSource {
  /** Shown in messages. */
  readonly name: string;
  /** True if other threads of this process can read the ledger. */
  readonly hasThreads: boolean;
  /** True if earlier runs know anything of a resource. */
  hasHistory(resource: string): Promise<boolean>;
  /** Throws ConfigError. */
  open(): Promise<Ledger>;
}

/** The ledger under a home, with what only a ledger on this machine has. */
export interface LocalLedger extends Ledger {
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
}
