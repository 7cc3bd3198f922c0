import { createHash } from 'node:crypto';
import { type KnownRun, type Ledger, openLedger } from '../../ledger/index.ts';
import { firstOfShared, IN_ERRORS_CSV, type KeptRow, type RecordResult } from '../../model/index.ts';
import { openCsvReport, type ReturnTable, returnTable } from '../../report/index.ts';
import { refusePruned, wholeSettled } from './pruned.ts';
import { findRun, type OnTrouble } from './runs.ts';

/** A record that did not arrive, with those of its rows that errors.csv has here. */
export interface ReturnedResult {
  readonly result: RecordResult;
  readonly rows: readonly KeptRow[];
  /** Its rows that errors.csv has at an earlier record, since several records share them. */
  readonly elsewhere: readonly KeptRow[];
}

/** The rows of a run that did not arrive, as errors.csv would have them now. */
export interface ReturnedOfRun {
  readonly known: KnownRun;
  /** In source order, read from disk. */
  readonly records: AsyncIterable<ReturnedResult>;
  /** The columns of errors.csv, its lines, and wrong cells. */
  readonly table: ReturnTable;
  close(): Promise<void>;
}

/** Opens the rows of a run that did not arrive. Throws ConfigError. */
export async function openReturnedOf(home: string, name: string): Promise<ReturnedOfRun> {
  const ledger = openLedger(home);
  try {
    const known = await findRun(ledger, name);
    refusePruned(known, 'corrected');
    const table = returnTable(known.header);
    return { known, table, records: returnedIn(ledger, known), close: () => ledger.close() };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

async function* returnedIn(ledger: Ledger, known: KnownRun): AsyncGenerator<ReturnedResult> {
  const isFirst = firstOfShared();
  for await (const result of inTurns(wholeSettled(ledger, known, 'corrected'), isReturned)) {
    const rows: KeptRow[] = [];
    const elsewhere: KeptRow[] = [];
    for (const row of result.rows ?? []) (isFirst(row) ? rows : elsewhere).push(row);
    yield { result, rows, elsewhere };
  }
}

export function isReturned({ outcome }: RecordResult): boolean {
  return IN_ERRORS_CSV.has(outcome.outcome);
}

/** Yields the wanted records, and lets the process do other work after each page. */
export async function* inTurns(
  pages: AsyncIterable<readonly RecordResult[]>,
  isWanted: (record: RecordResult) => boolean,
): AsyncGenerator<RecordResult> {
  for await (const page of pages) {
    for (const record of page) if (isWanted(record)) yield record;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The state of what a run returns. */
export interface ReturnedState {
  readonly known: KnownRun;
  /** Differs whenever the rows that did not arrive may differ. */
  readonly mark: string;
  /** True while a run works with the same records. */
  readonly isChanging: boolean;
}

/** Finds out cheaply if the rows that a run returns may have changed. Throws ConfigError. */
export async function returnedState(
  home: string,
  name: string,
  onTrouble: OnTrouble,
): Promise<ReturnedState> {
  const ledger = openLedger(home);
  try {
    ledger.settleDead(onTrouble);
    const known = await findRun(ledger, name);
    refusePruned(known, 'corrected');
    // A later run with the same records may have imported some again, or have resolved a doubt of one.
    const related = (await ledger.runs()).filter(
      ({ number, store, resource }) =>
        number >= known.number && store === known.store && resource === known.resource,
    );
    const states = related.map(({ id, state, finishedAt, workedMs }) => [id, state, finishedAt, workedMs]);
    const text = JSON.stringify([states, await ledger.outcomes(known)]);
    return {
      known,
      mark: createHash('sha256').update(text).digest('hex').slice(0, 16),
      isChanging: related.some(({ state }) => state === 'running'),
    };
  } finally {
    await ledger.close();
  }
}

/** Writes corrected rows as errors.csv is written, so that an import knows them again. */
export async function writeCorrectedRows(
  path: string,
  header: readonly string[],
  rows: AsyncIterable<readonly string[]>,
): Promise<void> {
  const file = await openCsvReport(path, header, { areCells: true });
  try {
    for await (const cells of rows) {
      file.push(cells);
      if (file.full()) await file.drain();
    }
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}
