import { type Outcome, type OutcomeStatus, type RecordResult, resultBytes } from '../model/index.ts';
import { type CsvForm, csvText } from '../write/index.ts';
import { resultCells } from './columns.ts';

/** Settled records for the reports of a run. Nearly all say nothing but their outcome, and are text and numbers here. */
export interface SettledBatch {
  /** The lines of results.csv for all of them. */
  readonly lines: string;
  /** Number of records that say nothing else, by outcome. */
  readonly plain: Partial<Record<OutcomeStatus, number>>;
  /** Attempts of the plain records. */
  readonly attempts: number;
  /** The other records, with their rows, in source order. */
  readonly others: readonly RecordResult[];
}

/** Records of one batch: some 40 KB of text. */
const BATCH = 500;
/** Memory of the other records of a batch: several batches wait for the thread that writes the reports. */
const MAX_BYTES = 256 * 1024;

/** The records of a run for its reports, in the form of results.csv. */
export async function* settledBatches(
  pages: Iterable<readonly RecordResult[]> | AsyncIterable<readonly RecordResult[]>,
  { delimiter }: Pick<CsvForm, 'delimiter'>,
): AsyncGenerator<SettledBatch> {
  let cells: string[][] = [];
  let plain: Partial<Record<OutcomeStatus, number>> = {};
  let others: RecordResult[] = [];
  let attempts = 0;
  let bytes = 0;

  function batch(): SettledBatch {
    const whole = { lines: csvText(cells, { delimiter }), plain, attempts, others };
    [cells, plain, others, attempts, bytes] = [[], {}, [], 0, 0];
    return whole;
  }

  for await (const page of pages)
    for (const result of page) {
      const { outcome } = result;
      cells.push(resultCells(result));
      if (isPlain(outcome)) {
        plain[outcome.outcome] = (plain[outcome.outcome] ?? 0) + 1;
        attempts += outcome.attempts;
      } else {
        others.push(result);
        bytes += resultBytes(result);
      }
      if (cells.length === BATCH || bytes >= MAX_BYTES) yield batch();
    }
  if (cells.length > 0) yield batch();
}

/** The outcomes of records that arrived: no report but results.csv has them, unless something was noted. */
const ARRIVED: ReadonlySet<OutcomeStatus> = new Set(['created', 'updated', 'unchanged']);

function isPlain({ outcome, code }: Outcome): boolean {
  return code === undefined && ARRIVED.has(outcome);
}
