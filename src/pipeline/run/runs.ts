import {
  type KnownRun,
  type Ledger,
  type LocalLedger,
  type LockHolder,
  openLedger,
  runsUnder,
} from '../../ledger/index.ts';
import { didYouMean, nearest } from '../../map/did-you-mean.ts';
import { ConfigError, OUTCOMES, printedCommand, runCommand, shownWord } from '../../model/index.ts';
import type { Summary } from '../../report/index.ts';
import type { ExitCodeOf } from '../summary/summary.ts';
import { nextCommands } from './next-commands.ts';
import { type CommandFiles, refuseLosses } from './own-files.ts';
import { refusePruned } from './pruned.ts';
import { type RewriteOptions, rewriteRunReports, summaryOf } from './reports.ts';

/** One line of `run list`. The names are those of `--json`. */
export interface ListedRun {
  readonly run: string;
  /** `running`: a process executes it. A run that died is `stopped`, with the reason `crashed`. */
  readonly state: KnownRun['state'];
  readonly stopped: string | null;
  readonly resource: string;
  readonly mode: string;
  readonly store: string;
  readonly files: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
  readonly started_at: string;
  /** When its records were dropped from the ledger; null if it has all. */
  readonly pruned_at: string | null;
  readonly out: string;
  /** Commands that would finish it. */
  readonly next: readonly string[];
}

/** Called with the reason if a dead run could not be settled. */
export type OnTrouble = (message: string) => void;

/** Lists all runs under `home`, the latest first. Throws ConfigError. */
export async function listRuns(home: string, onTrouble: OnTrouble): Promise<ListedRun[]> {
  return (await runsFrom(home, onTrouble, { from: 0, count: Number.POSITIVE_INFINITY })).runs;
}

/** Lists some of the runs under `home`, the latest first, and counts all. Throws ConfigError. */
export async function runsFrom(
  home: string,
  onTrouble: OnTrouble,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<{ readonly total: number; readonly runs: ListedRun[] }> {
  return withLedger(home, onTrouble, async (ledger) => {
    const all = await ledger.runs();
    const runs: ListedRun[] = [];
    for (const run of all.slice(from, from + count)) runs.push(await listedRun(ledger, run));
    return { total: all.length, runs };
  });
}

async function listedRun(ledger: Ledger, run: KnownRun): Promise<ListedRun> {
  const counts = await ledger.outcomes(run);
  return {
    run: run.id,
    state: run.state,
    stopped: run.stopped?.reason ?? null,
    resource: run.resource,
    mode: run.mode,
    store: run.store,
    files: run.files.map(({ file }) => file),
    outcomes: Object.fromEntries(OUTCOMES.flatMap((word) => (counts[word] ? [[word, counts[word]]] : []))),
    started_at: new Date(run.startedAt).toISOString(),
    pruned_at: run.pruned ? new Date(run.pruned.at).toISOString() : null,
    out: run.out,
    next: nextCommands(run, counts).map(({ word, run: id }) => runCommand(`run ${word}`, id)),
  };
}

/** Ids of the runs under `home`, the latest first. Does not create a ledger. Throws ConfigError. */
export function runIds(home: string): string[] {
  return runsUnder(home).map(({ id }) => id);
}

/** Finds one run by its name. Throws ConfigError if there is none. */
export async function runNamed(home: string, name: string): Promise<KnownRun> {
  // A caller that continues the run takes its store's lock, and sees trouble then.
  return withLedger(
    home,
    () => {},
    (ledger) => findRun(ledger, name),
  );
}

/** The summary of a run, with its state. */
export interface ShownRun extends Omit<Summary, 'exit_code'> {
  readonly state: KnownRun['state'];
  /** null while the run is executed. */
  readonly exit_code: number | null;
  /** Only while the run is executed. */
  readonly process?: { readonly pid: number; readonly since: string };
}

/** Shows one run from the ledger. Throws ConfigError. */
export async function showRun(
  home: string,
  name: string,
  { exitCodeOf, onTrouble }: { readonly exitCodeOf: ExitCodeOf; readonly onTrouble: OnTrouble },
): Promise<ShownRun> {
  return withLedger(home, onTrouble, async (ledger, holders) => {
    const run = await findRun(ledger, name);
    const summary = await summaryOf(ledger, run, exitCodeOf);
    if (run.state !== 'running') return { ...summary, state: run.state };
    const { pid, since } = holders.get(run.store) ?? {};
    const process = pid === undefined || since === undefined ? undefined : { pid, since };
    return { ...summary, state: run.state, exit_code: null, ...(process ? { process } : {}) };
  });
}

/** Rewrites the reports of a run. Throws ConfigError, also if it is being executed; RunStopped if they cannot be written. */
export async function rewriteReports(
  home: string,
  name: string,
  { commandFiles, ...options }: RewriteOptions & { readonly commandFiles?: CommandFiles | undefined },
): Promise<Summary> {
  const ledger = openLedger(home);
  try {
    const found = await findRun(ledger, name);
    refusePruned(found, 'reported on');
    const { id, store, state, out } = found;
    refuseLosses({ files: [], commandFiles }, out);
    // If it died, the lock settles it. If it is being executed, the store is locked, and the error names the holder.
    if (state === 'running') await ledger.lock(store, id);
    return await rewriteRunReports(ledger, await findRun(ledger, id), options);
  } finally {
    await ledger.close();
  }
}

/** Finds a run by its id, by a unique beginning of it, or by `last`. Throws ConfigError. */
export async function findRun(ledger: Ledger, name: string): Promise<KnownRun> {
  const exact = await ledger.find(name);
  if (exact) return exact;
  const runs = await ledger.runs();
  const [latest] = runs;
  if (latest === undefined)
    throw new ConfigError('There are no runs in this ledger yet.', [
      'Runs are kept in .storeport in the folder of the import; name another with --home.',
    ]);
  if (name === 'last') return latest;
  const found = runs.filter(({ id }) => id.startsWith(name));
  const [only] = found;
  if (only && found.length === 1) return only;
  if (found.length > 1)
    throw new ConfigError(
      `"${name}" is the beginning of ${found.length} runs: ${found.map(({ id }) => id).join(', ')}.`,
    );
  const hint = didYouMean(name, ['last', ...runs.map(({ id }) => id)]);
  throw new ConfigError(`There is no run "${shownWord(name)}".${hint || nearestBeginning(name, runs)}`, [
    `The latest is ${latest.id}. All runs: ${printedCommand('run list')}`,
  ]);
}

/** Suggests a run whose id begins nearly like this. */
function nearestBeginning(name: string, runs: readonly KnownRun[]): string {
  const ids = new Map(runs.map(({ id }) => [id.slice(0, name.length), id]));
  const best = name.length < SHORTEST_BEGINNING ? undefined : nearest(name, ids.keys());
  return best === undefined ? '' : ` Did you mean "${ids.get(best)}"?`;
}

/** Ids begin with the date, so shorter text is near to all of a month. */
const SHORTEST_BEGINNING = 9;

/** Opens the ledger for reading. Dead runs are settled first, so that their records have outcomes. */
export async function withLedger<Result>(
  home: string,
  onTrouble: OnTrouble,
  work: (ledger: LocalLedger, holders: ReadonlyMap<string, LockHolder | undefined>) => Promise<Result>,
): Promise<Result> {
  const ledger = openLedger(home);
  try {
    return await work(ledger, ledger.settleDead(onTrouble));
  } finally {
    await ledger.close();
  }
}
