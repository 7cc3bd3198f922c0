import { OUTCOMES, type OutcomeStatus } from '../../model/index.ts';
import type { Source } from '../../read/index.ts';

export interface Progress {
  readonly count: RecordCounts;
  /** The part of the work that is done, 0 to 1; undefined if the total is unknown. */
  part(): number | undefined;
  /** Records that earlier executions settled; `part` counts them as done. Default: none. */
  readonly before?: number;
}

export function progressOf(
  { files }: { readonly files: readonly { readonly source: Pick<Source, 'size' | 'bytesRead'> }[] },
  count: RecordCounts,
  {
    offset,
    limit = Number.POSITIVE_INFINITY,
  }: { readonly offset: number; readonly limit?: number | undefined },
): Progress {
  const sizes = files.map(({ source }) => source.size);
  const bytes = sizes.includes(undefined)
    ? undefined
    : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return {
    count,
    before: count.records,
    part() {
      if (count.planned === 0) return undefined;
      const read = files.reduce((sum, { source }) => sum + source.bytesRead(), 0);
      // Extrapolates the number of records from the bytes read. Skipped records are no work.
      const all = bytes
        ? (offset + count.planned) / ((read / bytes) * count.drained)
        : Number.POSITIVE_INFINITY;
      const wanted = Math.min(limit, Math.max(count.planned, all - offset));
      return wanted === Number.POSITIVE_INFINITY ? undefined : Math.min(1, count.records / wanted);
    },
  };
}

/** Counts of a run in progress. */
export interface RecordCounts {
  /** `records`: how many have this outcome; default: one. */
  add(outcome: OutcomeStatus, records?: number): void;
  readonly records: number;
  /** Records planned so far, settled or not. */
  readonly planned: number;
  onPrepared(records: number): void;
  /** The planned part of the rows read, 0 to 1. Less than 1 only if all rows are grouped before the first record. */
  readonly drained: number;
  onDrained(part: number): void;
  /** Counts by outcome, in the order of OUTCOMES, without zeros. */
  outcomes(): Record<string, number>;
}

export function createRecordCounts(): RecordCounts {
  const counts = new Map<OutcomeStatus, number>();
  let records = 0;
  let planned = 0;
  let given = 1;
  return {
    add(outcome, more = 1) {
      records += more;
      counts.set(outcome, (counts.get(outcome) ?? 0) + more);
    },
    get records() {
      return records;
    },
    get planned() {
      return planned;
    },
    onPrepared(more) {
      planned += more;
    },
    get drained() {
      return given;
    },
    onDrained(part) {
      given = part;
    },
    outcomes: () =>
      Object.fromEntries(
        OUTCOMES.flatMap((word) => (counts.has(word) ? [[word, counts.get(word) as number]] : [])),
      ),
  };
}
