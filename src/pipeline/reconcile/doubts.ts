import { type KnownRun, type Ledger, openLedger } from '../../ledger/index.ts';
import {
  ConfigError,
  MistypedError,
  placeWords,
  type RecordRef,
  type RecordResult,
} from '../../model/index.ts';
import { keyNormaliser } from '../../plan/index.ts';
import { resourceNamed } from '../../resources/index.ts';
import { reportsOf } from '../run/reports.ts';
import { inTurns } from '../run/returned-rows.ts';
import { findRun, type OnTrouble } from '../run/runs.ts';

/** A record that is in doubt. */
export interface Doubtful {
  /** In its own run, which may be a later one that re-imported it. */
  readonly ref: RecordRef;
  readonly run: string;
  readonly row: number;
  /** Name of the file if the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  /** Code of the reason for the doubt. */
  readonly code: string;
}

/** The answer about one record: its identifier in the store, or that it is not there. */
export type Finding = { readonly id: string } | 'not-there';

/** The records in doubt of a run, with the ledger open and its store locked. */
export interface OpenDoubts {
  readonly ledger: Ledger;
  readonly run: KnownRun;
  readonly doubtful: readonly Doubtful[];
}

/** The records in doubt of a run, and the reports that have them. */
export interface RunDoubts {
  /** Run id. */
  readonly run: string;
  /** Folder of the reports. */
  readonly out: string;
  /** Names of the reports. */
  readonly inDoubt: readonly string[];
  readonly doubtful: readonly Doubtful[];
}

/** Selects records in doubt: those that `rows`, `keys` or `codes` name, or `all`. */
export interface DoubtSelection {
  readonly rows: readonly number[];
  readonly keys: readonly string[];
  readonly codes: readonly string[];
  readonly all: boolean;
}

/**
 * Lists the records in doubt of a run, without a lock and without holding up the process. Throws ConfigError if there is
 * no such run.
 */
export async function doubtIn(home: string, name: string, onTrouble: OnTrouble): Promise<RunDoubts> {
  const ledger = openLedger(home);
  try {
    ledger.settleDead(onTrouble);
    const run = await findRun(ledger, name);
    const doubtful: Doubtful[] = [];
    if ((await ledger.outcomes(run))['in-doubt'])
      for await (const end of inTurns(ledger.settled(run), isInDoubt)) doubtful.push(doubtfulFrom(end, run));
    return { run: run.id, out: run.out, inDoubt: reportsOf(run).in_doubt, doubtful };
  } finally {
    await ledger.close();
  }
}

function isInDoubt({ outcome }: RecordResult): boolean {
  return outcome.outcome === 'in-doubt';
}

/** The records in doubt of a run, in source order. */
export async function doubtfulOf(ledger: Ledger, run: KnownRun): Promise<Doubtful[]> {
  const doubtful: Doubtful[] = [];
  for await (const page of ledger.settled(run))
    for (const end of page) if (isInDoubt(end)) doubtful.push(doubtfulFrom(end, run));
  return doubtful;
}

function doubtfulFrom(
  { seq, row, file, key, outcome, supersededBy }: RecordResult,
  { number, id }: KnownRun,
): Doubtful {
  const { code = '' } = outcome;
  const { ref, run } = supersededBy ?? { ref: [number, seq] as const, run: id };
  return { ref, run, row, file, key, code };
}

/** Applies a selection. Throws ConfigError if a part of it selects no record, or a row number selects several. */
export function select(
  { doubtful, run }: Pick<OpenDoubts, 'doubtful' | 'run'>,
  { rows, keys, codes, all }: DoubtSelection,
): Doubtful[] {
  const normalise = keyNormaliser(resourceNamed(run.resource));
  const hasKey = (record: Doubtful, key: string) => normalise(record.key) === normalise(key);
  const selected = doubtful.filter(
    (record) =>
      all ||
      rows.includes(record.row) ||
      keys.some((key) => hasKey(record, key)) ||
      codes.includes(record.code),
  );
  const missedRows = rows.filter((row) => !doubtful.some((record) => record.row === row));
  const missedKeys = keys.filter((key) => !doubtful.some((record) => hasKey(record, key)));
  const missedCodes = codes.filter((code) => !doubtful.some((record) => record.code === code));
  const missed = [
    ...missedRows.map((row) => `row ${row}`),
    ...missedKeys.map((key) => `the key "${key}"`),
    ...missedCodes.map((code) => `the code ${code}`),
  ];
  if (missed.length > 0) {
    const [key] = missedKeys;
    const [code = ''] = missedCodes;
    throw new MistypedError(
      `No record in doubt has ${missed.join(', or ')}.`,
      ['Without options, the command lists those that are in doubt.'],
      {
        word: key ?? code,
        names: () => new Set(doubtful.map((record) => (key === undefined ? record.code : record.key))),
      },
    );
  }
  const unclear = rows.find((row) => doubtful.filter((record) => record.row === row).length > 1);
  if (unclear !== undefined && !all) {
    const places = doubtful.filter(({ row }) => row === unclear).map(placeWords);
    throw new ConfigError(`There is more than one row ${unclear} in doubt: ${places.join(' and ')}.`, [
      'Name the record that is meant with --key.',
    ]);
  }
  return selected;
}
