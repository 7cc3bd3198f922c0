import {
  type KnownRun,
  type LedgerSpace,
  type LocalLedger,
  type LockHolder,
  type OutcomeCounts,
  openLedger,
} from '../../ledger/index.ts';
import { ConfigError, INCOMPLETE, type OutcomeStatus } from '../../model/index.ts';
import type { OnTrouble } from '../run/runs.ts';

export interface PruneRunsOptions {
  readonly home: string;
  /** Prunes runs that ended at least this many milliseconds ago, and pruned ones whose last prune is as long ago. */
  readonly olderThanMs: number;
  /** Only runs for this store; undefined for all. */
  readonly store?: string | undefined;
  /** Also runs that are not finished: rows that did not arrive are dropped, doubts are not. */
  readonly alsoUnfinished: boolean;
  /** Changes nothing. */
  readonly dryRun: boolean;
  readonly onTrouble: OnTrouble;
  /** Called after each small transaction, with the number of records that it dropped. */
  readonly onDropped?: ((records: number) => void) | undefined;
  /** Milliseconds since 1970. Default: the time of the machine. */
  readonly now?: number;
}

/** Result of a prune, or of its trial. The names are those of `--json`. */
export interface PruneSummary {
  readonly dry_run: boolean;
  /** Runs that ended before this time were pruned. */
  readonly before: string;
  /** Oldest first, as are the others. */
  readonly pruned: readonly PrunedRunLine[];
  /** Runs that are old enough and were kept whole. */
  readonly kept: readonly KeptRunLine[];
  /** Records whose lines were dropped. */
  readonly records: number;
  /** Approximate size of these in the ledger. Less is freed, since a page may have other lines. */
  readonly record_bytes: number;
  readonly bytes_before: number;
  readonly bytes_after: number;
  /** Part of `bytes_after` that is free for later runs. */
  readonly bytes_free: number;
}

interface RunLineHead {
  readonly run: string;
  readonly resource: string;
  readonly store: string;
  readonly finished_at: string | null;
}

export interface PrunedRunLine extends RunLineHead {
  readonly dropped: OutcomeCounts;
  readonly records: number;
  /** Records that stay: the current ones of their keys, those in doubt, and those that other runs refer to. */
  readonly kept_records: number;
}

export interface KeptRunLine extends RunLineHead {
  /** `running`: it is executed. `in-use`: a process works with its store. */
  readonly reason: 'running' | 'in-use' | 'unfinished';
  /** For `in-use` and `running`: the process; null if it is not known. */
  readonly process: LockHolder | null;
  /** For `unfinished`: its records that did not arrive, or are in doubt. */
  readonly open: OutcomeCounts;
  /** For `unfinished`: why it stopped before its end; null if it did not. */
  readonly stopped: string | null;
}

/**
 * Drops records of old runs from the ledger. What later runs need stays: identities, doubts, and records that were
 * imported again. Throws ConfigError, and RunStopped if the ledger cannot be written; what was dropped stays dropped, and
 * the next prune continues.
 */
export async function pruneRuns(options: PruneRunsOptions): Promise<PruneSummary> {
  const { home, olderThanMs, dryRun, onTrouble, now = Date.now() } = options;
  const before = now - olderThanMs;
  const ledger = openLedger(home);
  try {
    const holders = ledger.settleDead(onTrouble);
    const runs = (await ledger.runs()).reverse();
    refuseUnknownStore(runs, options.store);
    const space = ledger.space();
    const pruned: PrunedOne[] = [];
    const kept: KeptRunLine[] = [];
    const context = { ledger, holders, before, now, options };
    for (const run of runs.filter((each) => isDue(each, before, options))) {
      const found = await pruneOne(run, context);
      if (found && 'reason' in found) kept.push(found);
      else if (found) pruned.push(found);
    }
    if (!dryRun) ledger.shrink();
    return {
      dry_run: dryRun,
      before: new Date(before).toISOString(),
      ...{ pruned: pruned.map(({ line }) => line), kept },
      records: pruned.reduce((sum, { line }) => sum + line.records, 0),
      record_bytes: pruned.reduce((sum, { bytes }) => sum + bytes, 0),
      ...bytesOf(space, ledger.space()),
    };
  } finally {
    await ledger.close();
  }
}

interface PruneContext {
  readonly ledger: LocalLedger;
  /** Processes that work with a store. */
  readonly holders: ReadonlyMap<string, LockHolder | undefined>;
  readonly before: number;
  readonly now: number;
  readonly options: PruneRunsOptions;
}

interface PrunedOne {
  readonly line: PrunedRunLine;
  readonly bytes: number;
}

/** Prunes one run, or says why it is kept whole. Undefined if another process has changed it meanwhile. */
async function pruneOne(
  found: KnownRun,
  { ledger, holders, before, now, options }: PruneContext,
): Promise<PrunedOne | KeptRunLine | undefined> {
  const { store, state } = found;
  if (state === 'running') return keptLine(found, { reason: 'running', process: holders.get(store) ?? null });
  // For each run anew: an import that waits for the store gets its turn.
  const lock = ledger.tryLock(store, 'prune');
  if ('holder' in lock) return keptLine(found, { reason: 'in-use', process: lock.holder ?? null });
  try {
    const run = await ledger.reread(found);
    if (run.state === 'running' || !isDue(run, before, options)) return undefined;
    const unfinished = options.alsoUnfinished ? undefined : await unfinishedPart(ledger, run);
    if (unfinished) return keptLine(run, { reason: 'unfinished', ...unfinished });
    const { onDropped, dryRun: isTrial } = options;
    const { dropped, kept, bytes } = ledger.prune(run, { at: now, isTrial, onDropped });
    const line = { ...headOf(run), dropped, records: totalOf(dropped), kept_records: kept };
    return { line, bytes };
  } finally {
    lock.unlock();
  }
}

function bytesOf(before: LedgerSpace, after: LedgerSpace) {
  return { bytes_before: before.bytes, bytes_after: after.bytes, bytes_free: after.free };
}

/** True if a run is old enough. After a whole prune it counts from then: some of its lines may be needed no more. */
function isDue(run: KnownRun, before: number, { store }: Pick<PruneRunsOptions, 'store'>): boolean {
  if (store !== undefined && run.store !== store) return false;
  const { lastPrune, finishedAt, startedAt } = run;
  const prunedAt = lastPrune?.next === undefined ? lastPrune?.at : undefined;
  // A run that is executed has not ended: it is named if it began so long ago.
  return Math.max(prunedAt ?? 0, finishedAt ?? startedAt) <= before;
}

/** The reasons to keep a run whole: a row that did not arrive may have its only copy there. Undefined if there are none. */
async function unfinishedPart(
  ledger: LocalLedger,
  run: KnownRun,
): Promise<Pick<KeptRunLine, 'open' | 'stopped'> | undefined> {
  // The store of such a run ended with its command.
  if (!run.remembered) return undefined;
  const counts = Object.entries(await ledger.outcomes(run)) as [OutcomeStatus, number][];
  const open = counts.flatMap(([word, count]) => {
    const left = count - (run.pruned?.dropped[word] ?? 0);
    return INCOMPLETE.has(word) && left > 0 ? [[word, left] as const] : [];
  });
  // An undo and an adoption cannot be resumed.
  const stopped = run.pruned || run.command !== 'import' ? null : (run.stopped?.reason ?? null);
  if (open.length === 0 && stopped === null) return undefined;
  return { open: Object.fromEntries(open), stopped };
}

function keptLine(
  run: KnownRun,
  why: Pick<KeptRunLine, 'reason'> & Partial<Pick<KeptRunLine, 'process' | 'open' | 'stopped'>>,
): KeptRunLine {
  return { ...headOf(run), process: null, open: {}, stopped: null, ...why };
}

function headOf({ id, resource, store, finishedAt }: KnownRun): RunLineHead {
  return {
    ...{ run: id, resource, store },
    finished_at: finishedAt === undefined ? null : new Date(finishedAt).toISOString(),
  };
}

function totalOf(counts: OutcomeCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function refuseUnknownStore(runs: readonly KnownRun[], store: string | undefined): void {
  const known = [...new Set(runs.map((run) => run.store))];
  if (store === undefined || known.includes(store)) return;
  throw new ConfigError(`No run in this ledger is for the store ${store}.`, [
    known.length > 0 ? `Its stores: ${known.join(', ')}.` : 'It has no runs yet.',
  ]);
}
