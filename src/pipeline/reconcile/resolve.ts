import {
  type Amendment,
  type Holder,
  type KnownRun,
  type Ledger,
  type OutcomeCounts,
  openLedger,
} from '../../ledger/index.ts';
import {
  ConfigError,
  MistypedError,
  normalisedKey,
  placeWords,
  type RecordRef,
  type RecordResult,
} from '../../model/index.ts';
import { idShapeFor } from '../../plan/index.ts';
import type { ReportSettings, Summary } from '../../report/index.ts';
import { RESOURCES } from '../../resources/index.ts';
import { type LedgerOptions, ledgerOf } from '../run/options.ts';
import { type RewriteOptions, reportsOf, rewriteRunReports } from '../run/reports.ts';
import { inTurns } from '../run/returned-rows.ts';
import { findRun, type OnTrouble } from '../run/runs.ts';
import type { ExitCodeOf } from '../summary/summary.ts';

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

export interface ResolveOptions extends LedgerOptions {
  /** Name of the run. */
  readonly name: string;
  readonly exitCodeOf: ExitCodeOf;
  /** Form of the reports; missing parts are as each run was asked for. */
  readonly reportFormat?: Partial<ReportSettings> | undefined;
}

/** Result of resolving. */
export interface Resolved {
  /** Undefined for a pruned run, which has no reports any more. */
  readonly summary: Summary | undefined;
  readonly exitCode: number;
  /** Folder of the run's reports. */
  readonly out: string;
  /** Findings that were recorded. */
  readonly found: ReadonlyMap<Doubtful, Finding>;
  /** Messages about findings that were not recorded, since the identifier is that of another record. */
  readonly refused: readonly string[];
  /** Warnings about recorded findings that are probably unintended. */
  readonly warnings: readonly string[];
}

/**
 * Locks a run's store, records the findings of `work` about its records in doubt, and rewrites the run's reports. Throws
 * ConfigError, also if every finding was refused.
 */
export async function resolveRun(
  { name, ...options }: ResolveOptions,
  work: (doubts: OpenDoubts) => Promise<ReadonlyMap<Doubtful, Finding>>,
): Promise<Resolved> {
  const ledger = await ledgerOf(options).open();
  try {
    const { id, store } = await findRun(ledger, name);
    await ledger.lock(store, id);
    const run = await findRun(ledger, id);
    const doubts = { ledger, run, doubtful: await doubtfulOf(ledger, run) };
    const { sound: found, refused } = await withoutForeignIds(await work(doubts), doubts);
    if (refused.length > 0 && found.size === 0)
      throw new ConfigError(refused.join('\n'), [
        'Each record has an identifier of its own: look in the store once more. Nothing was changed.',
      ]);
    await ledger.amend([...found].map(([record, finding]) => amendment(record, finding)));
    // A re-imported record is in the reports of both runs.
    const touched = new Set([...found].map(([record]) => record.run).filter((other) => other !== id));
    for (const other of touched) await rewriteReportsIfWhole(ledger, other, options);
    const summary = await rewriteReportsIfWhole(ledger, id, options);
    const exitCode = summary?.exit_code ?? options.exitCodeOf(await doubtsLeft(ledger, run));
    const warnings = await unusualIdWarnings(found, doubts);
    return { summary, exitCode, out: run.out, found, refused, warnings };
  } finally {
    await ledger.close();
  }
}

/** Resolves with undefined for a pruned run: its reports would lack most records, and stay as they are. */
async function rewriteReportsIfWhole(
  ledger: Ledger,
  id: string,
  options: RewriteOptions,
): Promise<Summary | undefined> {
  const run = await findRun(ledger, id);
  return run.pruned ? undefined : rewriteRunReports(ledger, run, options);
}

async function doubtsLeft(ledger: Ledger, run: KnownRun): Promise<OutcomeCounts> {
  const { 'in-doubt': left = 0 } = await ledger.outcomes(run);
  return { 'in-doubt': left };
}

/** Leaves out identifiers that belong to a record with another key: an update of one would change the other. */
async function withoutForeignIds(
  found: ReadonlyMap<Doubtful, Finding>,
  { ledger, run }: OpenDoubts,
): Promise<{ readonly sound: ReadonlyMap<Doubtful, Finding>; readonly refused: string[] }> {
  const ids = [...found.values()].flatMap((finding) => (finding === 'not-there' ? [] : [finding.id]));
  if (ids.length === 0) return { sound: found, refused: [] };
  const { lookup } = await ledger.history(run.store, run.resource);
  const holders = await ledger.holders(run, ids);
  const now = await lookup?.(holders.map(({ key }) => normalisedKey(key)));
  // An earlier identifier of a key is out of date once the key has another.
  const current = holders.filter(({ key, id }) => key === '' || now?.get(normalisedKey(key))?.id === id);
  const sound = new Map(found);
  const refused: string[] = [];
  for (const [record, finding] of found) {
    if (finding === 'not-there') continue;
    const holder = current.find((each) => each.id === finding.id && !isOf(each, record));
    if (!holder) continue;
    sound.delete(record);
    refused.push(
      `The identifier ${finding.id} is already that of "${holder.key}" (run ${holder.run}, row ${holder.row}), so it cannot be that of "${record.key}" (${placeWords(record)}) too.`,
    );
  }
  return { sound, refused };
}

/** Warns of identifiers that do not look like those of the store. */
async function unusualIdWarnings(
  found: ReadonlyMap<Doubtful, Finding>,
  { ledger, run }: OpenDoubts,
): Promise<string[]> {
  const resource = RESOURCES.find(({ name }) => name === run.resource);
  if (!resource) return [];
  const { ids } = await ledger.history(run.store, run.resource);
  const shape = idShapeFor(resource, ids);
  return [...found].flatMap(([{ key }, finding]) =>
    finding === 'not-there' || shape.holds(finding.id)
      ? []
      : [
          `identifiers of this store are ${shape.words}; that of "${key}" was recorded as ${finding.id}. If that is wrong, correct it with storeport run adopt.`,
        ],
  );
}

function isOf({ key, ref }: Holder, record: Doubtful): boolean {
  return ref.join() === record.ref.join() || (key !== '' && normalisedKey(key) === normalisedKey(record.key));
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

async function doubtfulOf(ledger: Ledger, run: KnownRun): Promise<Doubtful[]> {
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
  doubtful: readonly Doubtful[],
  { rows, keys, codes, all }: DoubtSelection,
): Doubtful[] {
  const selected = doubtful.filter(
    ({ row, key, code }) => all || rows.includes(row) || keys.includes(key) || codes.includes(code),
  );
  const missedRows = rows.filter((row) => !doubtful.some((record) => record.row === row));
  const missedKeys = keys.filter((key) => !doubtful.some((record) => record.key === key));
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
      ['storeport run resolve without options lists those that are in doubt.'],
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
