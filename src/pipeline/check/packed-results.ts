import { PLANNED } from '../summary/plan.ts';
import type { CheckedResult } from './check-records.ts';

/** Results for another thread. Nearly all are creates, which three values describe. */
export interface PackedResults {
  /** `seq`, row and key of each create that is planned, in turn. */
  readonly creates: readonly (number | string)[];
  /** All other results, with their places in the batch. */
  readonly others: readonly (readonly [at: number, result: CheckedResult])[];
}

export function packResults(results: readonly CheckedResult[]): PackedResults {
  const creates: (number | string)[] = [];
  const others: [number, CheckedResult][] = [];
  for (const [at, result] of results.entries()) {
    const { settled, plan } = result;
    if (settled.outcome === PLANNED && plan.action === 'create')
      creates.push(settled.seq, settled.row, settled.key);
    else others.push([at, result]);
  }
  return { creates, others };
}

export function unpackResults({ creates, others }: PackedResults): CheckedResult[] {
  const results: CheckedResult[] = [];
  let next = 0;
  for (let from = 0; from < creates.length || next < others.length; ) {
    const other = others[next];
    if (other?.[0] === results.length) {
      results.push(other[1]);
      next++;
      continue;
    }
    const [seq, row, key] = creates.slice(from, from + 3) as [number, number, string];
    results.push({
      settled: { seq, row, key, outcome: PLANNED },
      plan: { row, key, action: 'create', fields: [] },
    });
    from += 3;
  }
  return results;
}
