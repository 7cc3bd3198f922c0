import { type KnownRun, type Ledger, openLedger } from '../ledger/index.ts';
import { ConfigError, OUTCOMES } from '../model/index.ts';
import { booksOf, reportRun } from './report.ts';
import type { ExitCodeOf } from './run.ts';
import type { Summary } from './summary.ts';

/** One line of the list of runs. The names are those of `--json`. */
export interface ListedRun {
  readonly run: string;
  readonly state: KnownRun['state'];
  readonly stopped: string | null;
  readonly resource: string;
  readonly mode: string;
  readonly store: string;
  readonly files: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
  readonly started_at: string;
  readonly out: string;
}

/** All runs under `home`, the latest first. Throws ConfigError. */
export function listRuns(home: string): ListedRun[] {
  return withLedger(home, (ledger) =>
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
      };
    }),
  );
}

/** What is known of one run beside its records. Throws ConfigError. */
export function runNamed(home: string, name: string): KnownRun {
  return withLedger(home, (ledger) => findRun(ledger, name));
}

/** Its books, from the ledger alone. Throws ConfigError. */
export function showRun(
  home: string,
  name: string,
  exitCodeOf: ExitCodeOf,
): Summary & Pick<KnownRun, 'state'> {
  return withLedger(home, (ledger) => {
    const run = findRun(ledger, name);
    return { ...booksOf(ledger, run, exitCodeOf), state: run.state };
  });
}

/** Writes its reports again. Throws ConfigError, also where it is at work; RunStopped where they cannot be written. */
export async function rewriteReports(home: string, name: string, exitCodeOf: ExitCodeOf): Promise<Summary> {
  const ledger = openLedger(home);
  try {
    const { id, store, state } = findRun(ledger, name);
    // It died, or it is at work: then the store is taken, and this says by whom.
    if (state === 'running') ledger.lock(store, id);
    return await reportRun(ledger, findRun(ledger, id), exitCodeOf);
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

export function withLedger<Result>(home: string, work: (ledger: Ledger) => Result): Result {
  const ledger = openLedger(home);
  try {
    return work(ledger);
  } finally {
    ledger.close();
  }
}
