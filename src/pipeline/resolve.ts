import { type Amendment, type KnownRun, type Ledger, openLedger } from '../ledger/index.ts';
import { ConfigError, placeWords, type RecordRef, type Settled } from '../model/index.ts';
import { reportRun } from './report.ts';
import type { ExitCodeOf } from './run.ts';
import { findRun, withLedger } from './runs.ts';
import type { Summary } from './summary.ts';

/** A record that is in doubt. */
export interface Doubtful {
  /** In its own run, which may be a later one that it came back in. */
  readonly ref: RecordRef;
  readonly run: string;
  readonly row: number;
  /** Where the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  /** Why. */
  readonly code: string;
}

/** What was found out about one: its identifier in the store, or that it is not there. */
export type Finding = { readonly id: string } | 'not-there';

/** What is in doubt in a run, in hands that have the lock on its store. */
export interface Doubts {
  readonly ledger: Ledger;
  readonly run: KnownRun;
  readonly doubtful: readonly Doubtful[];
}

/** Which of them are meant. A record counts when one of `rows` or `keys` or `codes` names it, or with `all`. */
export interface Selection {
  readonly rows: readonly number[];
  readonly keys: readonly string[];
  readonly codes: readonly string[];
  readonly all: boolean;
}

/**
 * Takes a run whose records are in doubt, looks what `work` finds out about them, writes that down, and the run's
 * reports anew. Throws ConfigError.
 */
export async function resolveRun(
  home: string,
  name: string,
  exitCodeOf: ExitCodeOf,
  work: (doubts: Doubts) => Promise<ReadonlyMap<Doubtful, Finding>>,
): Promise<{ readonly summary: Summary; readonly resolved: number }> {
  const ledger = openLedger(home);
  try {
    const { id, store } = findRun(ledger, name);
    ledger.lock(store, id);
    const run = findRun(ledger, id);
    const found = await work({ ledger, run, doubtful: doubtfulOf(ledger, run) });
    ledger.amend([...found].map(([record, finding]) => amendment(record, finding)));
    // A record that came back is in the reports of both runs.
    const touched = new Set([...found].map(([record]) => record.run).filter((other) => other !== id));
    for (const other of touched) await reportRun(ledger, findRun(ledger, other), exitCodeOf);
    return { summary: await reportRun(ledger, findRun(ledger, id), exitCodeOf), resolved: found.size };
  } finally {
    ledger.close();
  }
}

/** What is in doubt in a run, for who only wants to know. Throws ConfigError. */
export function doubtIn(
  home: string,
  name: string,
): { readonly run: string; readonly out: string; readonly doubtful: readonly Doubtful[] } {
  return withLedger(home, (ledger) => {
    const run = findRun(ledger, name);
    return { run: run.id, out: run.out, doubtful: doubtfulOf(ledger, run) };
  });
}

function doubtfulOf(ledger: Ledger, run: KnownRun): Doubtful[] {
  const doubtful: Doubtful[] = [];
  for (const end of ledger.settled(run))
    if (end.outcome.outcome === 'in-doubt') doubtful.push(doubtfulFrom(end, run));
  return doubtful;
}

function doubtfulFrom(
  { seq, row, file, key, outcome, cameBack }: Settled,
  { number, id }: KnownRun,
): Doubtful {
  const { code = '' } = outcome;
  const { ref, run } = cameBack ?? { ref: [number, seq] as const, run: id };
  return { ref, run, row, file, key, code };
}

/** Those that are meant. Throws ConfigError where the words mean none. */
export function select(doubtful: readonly Doubtful[], { rows, keys, codes, all }: Selection): Doubtful[] {
  const selected = doubtful.filter(
    ({ row, key, code }) => all || rows.includes(row) || keys.includes(key) || codes.includes(code),
  );
  const missed = [
    ...rows.filter((row) => !doubtful.some((record) => record.row === row)).map((row) => `row ${row}`),
    ...keys.filter((key) => !doubtful.some((record) => record.key === key)).map((key) => `the key "${key}"`),
    ...codes
      .filter((code) => !doubtful.some((record) => record.code === code))
      .map((code) => `the code ${code}`),
  ];
  if (missed.length > 0)
    throw new ConfigError(`No record in doubt has ${missed.join(', or ')}.`, [
      'storeport run resolve without options lists those that are in doubt.',
    ]);
  const unclear = rows.find((row) => doubtful.filter((record) => record.row === row).length > 1);
  if (unclear !== undefined && !all) {
    const places = doubtful.filter(({ row }) => row === unclear).map(placeWords);
    throw new ConfigError(`There is more than one row ${unclear} in doubt: ${places.join(' and ')}.`, [
      'Name the record that is meant with --key.',
    ]);
  }
  return selected;
}

function amendment({ ref: [run, seq], code }: Doubtful, finding: Finding): Amendment {
  const was = `was in doubt (${code})`;
  return finding === 'not-there'
    ? {
        ...{ run, seq },
        outcome: {
          outcome: 'failed',
          code: 'not-there',
          message: `${was}, and is not in the store: storeport run retry sends it`,
        },
      }
    : {
        run,
        seq,
        outcome: { outcome: 'created', id: finding.id, message: `${was}, and was found in the store` },
      };
}
