import { OUTCOMES, type OutcomeStatus } from '../../model/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';

export interface Progress {
  readonly count: RecordCounts;
  /** How much of what is to be done is done, 0 to 1; undefined where nobody knows how much that is. */
  part(): number | undefined;
  /** Records that an earlier process settled, and that `part` counts as done; left out: none. */
  readonly before?: number;
}

export function progressOf(
  { inputs }: ImportInputs,
  count: RecordCounts,
  {
    offset,
    limit = Number.POSITIVE_INFINITY,
  }: { readonly offset: number; readonly limit?: number | undefined },
): Progress {
  const sizes = inputs.map(({ source }) => source.size);
  const bytes = sizes.includes(undefined)
    ? undefined
    : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return {
    count,
    before: count.records,
    part() {
      if (count.planned === 0) return undefined;
      const read = inputs.reduce((sum, { source }) => sum + source.bytesRead(), 0);
      // As many records as all bytes hold, if the rest is like what was read; those that are passed over are no work.
      const all = bytes
        ? (offset + count.planned) / ((read / bytes) * count.given)
        : Number.POSITIVE_INFINITY;
      const wanted = Math.min(limit, Math.max(count.planned, all - offset));
      return wanted === Number.POSITIVE_INFINITY ? undefined : Math.min(1, count.records / wanted);
    },
  };
}

/** How far a run is: outcomes as they come. */
export interface RecordCounts {
  add(outcome: OutcomeStatus): void;
  readonly records: number;
  /** Records that were planned so far, settled or not. */
  readonly planned: number;
  onPlanned(records: number): void;
  /** How much of what was read is planned, 0 to 1; less than 1 only where rows are gathered first. */
  readonly given: number;
  onGiven(part: number): void;
  /** In the order of OUTCOMES; only those that occurred. */
  outcomes(): Record<string, number>;
}

export function createRecordCounts(): RecordCounts {
  const counts = new Map<OutcomeStatus, number>();
  let records = 0;
  let planned = 0;
  let given = 1;
  return {
    add(outcome) {
      records++;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    },
    get records() {
      return records;
    },
    get planned() {
      return planned;
    },
    onPlanned(more) {
      planned += more;
    },
    get given() {
      return given;
    },
    onGiven(part) {
      given = part;
    },
    outcomes: () =>
      Object.fromEntries(
        OUTCOMES.flatMap((word) => (counts.has(word) ? [[word, counts.get(word) as number]] : [])),
      ),
  };
}
