import { NOT_POSSIBLE, type RecordResultStub } from '../../model/index.ts';
import type { Planner } from '../../plan/index.ts';
import { type BitSet, createBitSet } from './bitset.ts';

/** True for a record that was read but not sent because the run stopped. Operations that are not possible are not retried. */
function isUnsent({ outcome: { outcome, code } }: RecordResultStub): boolean {
  return outcome === 'unsent' && !NOT_POSSIBLE.has(code ?? '');
}

/**
 * Finds the records of an earlier execution that are settled for good, by their `seq`. Passes them to `onSettled`, and
 * the keys of all to the planner.
 */
export async function settledRecords(
  pages: Iterable<readonly RecordResultStub[]> | AsyncIterable<readonly RecordResultStub[]>,
  planner: Planner | undefined,
  onSettled?: (result: RecordResultStub) => void,
): Promise<BitSet> {
  const settled = createBitSet();
  for await (const page of pages)
    for (const result of page) {
      if (isUnsent(result)) {
        planner?.reserve(result);
        continue;
      }
      planner?.claimSettled(result);
      settled.add(result.seq);
      onSettled?.(result);
    }
  return settled;
}
