import { type KnownRun, type Ledger, type LockHolder, openLedger } from '../../ledger/index.ts';
import { ConfigError, OUTCOMES, type OutcomeStatus } from '../../model/index.ts';
import type { BesideFiles } from './own-files.ts';
import { refuseLosses } from './own-files.ts';
import { rewriteRunReports, summaryOf } from './reports.ts';
import type { ExitCodeOf, Summary } from './summary.ts';

/** One line of the list of runs. The names are those of `--json`. */
export interface ListedRun {
  readonly run: string;
  /** `running`: a process is at work on it. One that died is `stopped`, with the reason `crashed`. */
  readonly state: KnownRun['state'];
  readonly stopped: string | null;
  readonly resource: string;
  readonly mode: string;
  readonly store: string;
  readonly files: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
  readonly started_at: string;
  readonly out: string;
  /** Commands that bring it to its end, where there are any. */
  readonly next: readonly string[];
}

/** Called with why a run that died could not be brought to its end. */
export type OnTrouble = (message: string) => void;

/** All runs under `home`, the latest first. Throws ConfigError. */
export function listRuns(home: string, onTrouble: OnTrouble): ListedRun[] {
  return withLedger(home, onTrouble, (ledger) =>
    ledger.runs().map((run) => {
      const counts = ledger.outcomes(run);
      return {
        run: run.id,
        state: run.state,
        stopped: run.stopped?.reason ?? null,
        resource: run.resource,
        mode: run.mode,
        store: run.store,
        files: run.files.map(({ file }) => file),
        outcomes: Object.fromEntries(
          OUTCOMES.flatMap((word) => (counts[word] ? [[word, counts[word]]] : [])),
        ),
        started_at: new Date(run.startedAt).toISOString(),
        out: run.out,
        next: nextFor(run, counts),
      };
    }),
  );
}

function nextFor(run: KnownRun, outcomes: Readonly<Partial<Record<OutcomeStatus, number>>>): string[] {
  const { id, command, state, remembered, files } = run;
  if (state === 'running' || !remembered) return [];
  // Its mapping is called so.
  if (command === 'undo' && (state === 'stopped' || outcomes.failed))
    return [`storeport run ${run.mappingName}`];
  if (command !== 'import') return [];
  const fromPipe = files.some(({ path }) => path === undefined);
  const commands = [
    state === 'stopped' && (run.whole || !fromPipe) ? 'resume' : undefined,
    (outcomes['in-doubt'] ?? 0) > 0 ? 'resolve' : undefined,
    state === 'done' && (outcomes.failed ?? 0) > 0 ? 'retry' : undefined,
  ];
  return commands.flatMap((word) => (word === undefined ? [] : [`storeport run ${word} ${id}`]));
}

/** What is known of one run beside its records. Throws ConfigError. */
export function runNamed(home: string, name: string): KnownRun {
  // Whoever goes on with it takes the lock, and finds out then.
  return withLedger(
    home,
    () => {},
    (ledger) => findRun(ledger, name),
  );
}

/** The books of a run, and how it stands. */
export interface ShownRun extends Omit<Summary, 'exit_code'> {
  readonly state: KnownRun['state'];
  /** null: it is at work. */
  readonly exit_code: number | null;
  /** Only while it is at work. */
  readonly process?: { readonly pid: number; readonly since: string };
}

/** Its books, from the ledger alone. Throws ConfigError. */
export function showRun(home: string, name: string, exitCodeOf: ExitCodeOf, onTrouble: OnTrouble): ShownRun {
  return withLedger(home, onTrouble, (ledger, atWork) => {
    const run = findRun(ledger, name);
    const books = summaryOf(ledger, run, exitCodeOf);
    if (run.state !== 'running') return { ...books, state: run.state };
    const { pid, since } = atWork.get(run.store) ?? {};
    const process = pid === undefined || since === undefined ? undefined : { pid, since };
    return { ...books, state: run.state, exit_code: null, ...(process ? { process } : {}) };
  });
}

/** Writes its reports again. Throws ConfigError, also where it is at work; RunStopped where they cannot be written. */
export async function rewriteReports(
  home: string,
  name: string,
  exitCodeOf: ExitCodeOf,
  beside?: BesideFiles,
): Promise<Summary> {
  const ledger = openLedger(home);
  try {
    const { id, store, state, out } = findRun(ledger, name);
    refuseLosses({ files: [], beside }, out);
    // It died, or it is at work: then the store is taken, and this says by whom.
    if (state === 'running') ledger.lock(store, id);
    return await rewriteRunReports(ledger, findRun(ledger, id), exitCodeOf);
  } finally {
    ledger.close();
  }
}

/** The run of that id, or the only one whose id begins so; `last` is the latest. Throws ConfigError. */
export function findRun(ledger: Pick<Ledger, 'runs'>, name: string): KnownRun {
  const runs = ledger.runs();
  const [latest] = runs;
  if (latest === undefined)
    throw new ConfigError('There are no runs in this ledger yet.', [
      'Runs are kept in .storeport in the folder of the import; name another with --home.',
    ]);
  if (name === 'last') return latest;
  const found = runs.filter(({ id }) => id.startsWith(name));
  const [only] = found.filter(({ id }) => id === name || found.length === 1);
  if (only) return only;
  if (found.length > 1)
    throw new ConfigError(
      `"${name}" is the beginning of ${found.length} runs: ${found.map(({ id }) => id).join(', ')}.`,
    );
  throw new ConfigError(`There is no run "${name}".`, [
    `The latest is ${latest.id}; storeport run list shows all.`,
  ]);
}

/** For who only reads. What is read of runs that died is what became of their records. */
export function withLedger<Result>(
  home: string,
  onTrouble: OnTrouble,
  work: (ledger: Ledger, atWork: ReadonlyMap<string, LockHolder | undefined>) => Result,
): Result {
  const ledger = openLedger(home);
  try {
    return work(ledger, ledger.settleDead(onTrouble));
  } finally {
    ledger.close();
  }
}
