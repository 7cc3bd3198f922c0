import { describe, expect, test } from 'vitest';
import type { Outcome, PlannedRecord } from '../../../src/model/index.ts';
import { createCanary } from '../../../src/pipeline/run/canary.ts';

const planned = (seq: number) =>
  ({ record: { seq, rows: [] }, key: String(seq) }) as unknown as PlannedRecord;
const outcome = { outcome: 'created', attempts: 1, durationMs: 1 } as Outcome;

async function* batches(...sizes: number[]) {
  let seq = 0;
  for (const size of sizes) yield Array.from({ length: size }, () => planned(seq++));
}

describe('canary', () => {
  test('lets the first records through, then waits until they are settled and somebody has said yes', async () => {
    const log: string[] = [];
    const canary = createCanary(5, async (records) => {
      log.push(`asked about ${records.map(({ key }) => key).join()}`);
      return true;
    });
    for await (const batch of canary.hold(batches(3, 4, 2))) {
      log.push(`batch ${batch.map(({ key }) => key).join()}`);
      // Settled a turn later, as answers are.
      for (const { key } of batch) setTimeout(() => canary.settled({ row: 1, key, outcome }), 5);
    }
    expect(log).toEqual(['batch 0,1,2', 'batch 3,4', 'asked about 0,1,2,3,4', 'batch 5,6', 'batch 7,8']);
    expect(canary.refused.aborted).toBe(false);
  });

  test('after a no the run is told, and the rest can still be counted', async () => {
    const canary = createCanary(1, async () => false);
    let rest = 0;
    for await (const batch of canary.hold(batches(3, 3))) {
      if (canary.refused.aborted) rest += batch.length;
      for (const { key } of batch) canary.settled({ row: 1, key, outcome });
    }
    expect(canary.refused.aborted).toBe(true);
    expect(rest).toBe(5);
  });

  test('asks nothing when the run has stopped before them', async () => {
    let asked = false;
    const canary = createCanary(1, async () => {
      asked = true;
      return true;
    });
    for await (const batch of canary.hold(batches(2)))
      for (const { key } of batch)
        canary.settled({ row: 1, key, outcome: { ...outcome, outcome: 'unsent' } });
    expect(asked).toBe(false);
  });

  test('asks nothing when there are no more records than it sends first', async () => {
    let asked = false;
    const canary = createCanary(10, async () => {
      asked = true;
      return true;
    });
    for await (const batch of canary.hold(batches(3)))
      for (const { key } of batch) canary.settled({ row: 1, key, outcome });
    expect(asked).toBe(false);
  });
});
