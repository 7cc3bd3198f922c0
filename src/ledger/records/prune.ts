import { contactKey, normalisedKey, type OutcomeStatus } from '../../model/index.ts';
import { type Database, inTransaction } from '../database/database.ts';
import { PRUNE_STATEMENTS } from '../database/prune-statements.ts';
import { shrinkIfLarge } from '../database/space.ts';
import type { KnownRun, OutcomeCounts } from '../runs.ts';

/** Counts of a prune of one run, or of its trial. */
export interface Pruned {
  readonly dropped: OutcomeCounts;
  /** Records whose lines stay. */
  readonly kept: number;
  /** Approximate size of the dropped lines and rows. Less is freed, since a page may have other lines. */
  readonly bytes: number;
}

/** Lines of one transaction: a log of some MB, and a commit of some milliseconds. */
const LINES_AT_ONCE = 5000;

/**
 * Drops the lines of a run that nothing needs any more, with their rows and the run's checkpoints. A line stays, with its
 * rows, if it
 *
 * - is the current one of its key (`identity`), so that imports, lookups and updates know what they knew before;
 * - is in doubt: only the store knows whether the record is there;
 * - was imported again by another run, or is such a record: the statistics of one run count a line of another;
 * - belongs to an undo that put its record into the trash;
 * - found its record unchanged while an older run can be continued: that run must not send older values.
 *
 * The keys of dead runs must be indexed, and the run's store be locked. Works in small transactions, and each leaves the
 * ledger consistent: after a kill, the run is pruned up to some record, and the next prune continues at `prune_next`. A
 * run whose lines are all needed stays whole. With `isTrial`, nothing is changed.
 */
export function pruneRun(
  database: Database,
  run: KnownRun,
  { at, isTrial, onDropped }: PruneOptions,
): Pruned {
  const { number } = run;
  const before: Counts = { ...run.pruned?.dropped };
  const dropped: Counts = {};
  let [kept, bytes] = [0, 0];
  const select = database.prepare(PRUNE_STATEMENTS.lines);
  const statements = {
    begin: database.prepare(PRUNE_STATEMENTS.begin),
    dropRecords: database.prepare(PRUNE_STATEMENTS.dropRecords),
    dropRows: database.prepare(PRUNE_STATEMENTS.dropRows),
    dropCheckpoints: database.prepare(PRUNE_STATEMENTS.dropCheckpoints),
    noteDropped: database.prepare(PRUNE_STATEMENTS.noteDropped),
    noteNext: database.prepare(PRUNE_STATEMENTS.noteNext),
  };
  const neededIn = neededLines(database, run);

  /** Drops what is not needed of the lines from `first` on. Returns where the next ones begin; null at the end. */
  function step(first: number): number | null {
    const lines = select.all(number, first, LINES_AT_ONCE) as PrunedLine[];
    const last = lines.length < LINES_AT_ONCE ? undefined : lines.at(-1)?.seq;
    const needed = neededIn(lines);
    const unneeded = lines.filter(({ seq }) => !needed.has(seq));
    const next = last === undefined ? null : last + 1;
    kept += lines.length - unneeded.length;
    for (const line of unneeded) {
      dropped[line.outcome] = (dropped[line.outcome] ?? 0) + 1;
      bytes += line.bytes;
    }
    if (isTrial) return next;
    statements.noteNext.run(next, number);
    if (unneeded.length === 0) return next;
    const seqs = JSON.stringify(unneeded.map(({ seq }) => seq));
    statements.dropRecords.run(number, seqs);
    statements.dropRows.run(number, seqs);
    statements.dropCheckpoints.run(number, first, last ?? Number.MAX_SAFE_INTEGER);
    statements.noteDropped.run(JSON.stringify(sumOf(before, dropped)), number);
    onDropped?.(unneeded.length);
    return next;
  }

  if (!isTrial) inTransaction(database, () => statements.begin.run(at, number));
  for (let next: number | null = run.lastPrune?.next ?? 0; next !== null; ) {
    const first: number = next;
    next = isTrial ? step(first) : inTransaction(database, () => step(first));
    if (!isTrial) shrinkIfLarge(database);
  }
  return { dropped, kept, bytes };
}

export interface PruneOptions {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isTrial: boolean;
  /** Called at the end of each transaction that drops lines, with their number. */
  readonly onDropped?: ((records: number) => void) | undefined;
}

type Counts = Partial<Record<OutcomeStatus, number>>;

interface PrunedLine {
  readonly seq: number;
  readonly key: string;
  readonly outcome: OutcomeStatus;
  readonly id: string | null;
  readonly bytes: number;
}

/** Adds the counts of some outcomes to others. */
function sumOf(a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts {
  const sum: Counts = { ...a };
  for (const [word, count] of Object.entries(b) as [OutcomeStatus, number][])
    sum[word] = (sum[word] ?? 0) + count;
  return sum;
}

/** Outcomes of lines that `identity` may point to, and that a lookup reads. An import that changes nothing has others. */
const MAY_BE_CURRENT: ReadonlySet<OutcomeStatus> = new Set(['created', 'updated']);

/** Returns a function that finds those of some lines, in source order, that must stay. */
function neededLines(
  database: Database,
  { number, command, remembered }: KnownRun,
): (lines: readonly PrunedLine[]) => ReadonlySet<number> {
  const target = database.prepare(PRUNE_STATEMENTS.target).get(number) as { number: number } | undefined;
  const current = database.prepare(PRUNE_STATEMENTS.current);
  const inTrash = database.prepare(PRUNE_STATEMENTS.inTrash);
  const linked = database.prepare(PRUNE_STATEMENTS.linked);
  const mayBeOverwritten = database.prepare(PRUNE_STATEMENTS.olderOpen).get(number) !== undefined;
  return (lines) => {
    const [first, last] = [lines[0], lines.at(-1)];
    const found = new Set<number>();
    // The store of a run that is not remembered ended with its command.
    if (!first || !last || !remembered) return found;
    const add = (rows: unknown[]) => {
      for (const { seq } of rows as { seq: number }[]) found.add(seq);
    };
    for (const { seq, outcome } of lines)
      if (outcome === 'in-doubt' || (mayBeOverwritten && outcome === 'unchanged')) found.add(seq);
    add(linked.all(number, first.seq, last.seq));
    if (!target) return found;
    const named = lines.filter(({ outcome }) => MAY_BE_CURRENT.has(outcome) || command === 'adopt');
    add(current.all(JSON.stringify(named.flatMap(spellingsOf)), target.number, number));
    if (command === 'undo')
      add(inTrash.all(JSON.stringify(lines.flatMap(({ id }) => id ?? [])), target.number, number));
    return found;
  };
}

/** The forms in which `identify` may have indexed the key of a line. */
function spellingsOf({ key }: PrunedLine): string[] {
  if (key === '') return [];
  return [...new Set([key, normalisedKey(key), contactKey(key)])];
}
