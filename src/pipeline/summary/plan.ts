import { leadRowNumber, type Outcome, type PlannedRecord } from '../../model/index.ts';
import type { CheckedRecord } from '../../plan/index.ts';
import type { PlanLine, PlanSummary, UnusedColumn } from '../../report/index.ts';

/** The plan of a record: what an import would do, by what earlier runs know. */
export function planLine({ record, key, operation, outcome }: PlannedRecord): PlanLine {
  const row = leadRowNumber(record);
  if (!operation) return { row, key, action: outcome.outcome, id: outcome.id, fields: [] };
  if (operation.kind === 'create') return { row, key, action: 'create', fields: [] };
  return { row, key, action: 'update', id: operation.id, fields: Object.keys(operation.payload) };
}

/** The outcome of every record that would be sent. */
export const PLANNED: Outcome = { outcome: 'planned', attempts: 0, durationMs: 0 };

/** The outcome of a record in a check: it would be sent, or be left as earlier runs have made it. */
export function checkedOutcome(
  { operation, outcome }: PlannedRecord,
  { known, trashed }: CheckedRecord,
): Outcome {
  const isByHistory = (known ?? trashed) !== undefined && outcome !== undefined && BY_HISTORY(outcome);
  return operation || isByHistory ? PLANNED : outcome;
}

/** True for outcomes that a record with a known key has, and a new one has not. */
const BY_HISTORY = ({ outcome, code }: Outcome): boolean =>
  outcome === 'unchanged' || outcome === 'unsent' || outcome === 'in-doubt' || code === 'known-key';

/** Counts plans. */
export function createPlanCounts() {
  const actions = new Map<string, number>();
  return {
    add({ action }: PlanLine): void {
      actions.set(action, (actions.get(action) ?? 0) + 1);
    },
    /** `rate`: requests a second that the store takes; undefined if that is not known. */
    summary(rate: number | undefined, unused: readonly UnusedColumn[]): PlanSummary {
      const requests = (actions.get('create') ?? 0) + (actions.get('update') ?? 0);
      return {
        actions: Object.fromEntries([...actions].sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))),
        requests,
        ...(rate === undefined
          ? {}
          : { rate: Number(rate.toPrecision(3)), seconds: Math.ceil(requests / rate) }),
        ...(unused.length === 0 ? {} : { unused }),
      };
    },
  };
}

const ORDER = ['create', 'update', 'unchanged', 'duplicate', 'invalid', 'unsent', 'in-doubt'];
