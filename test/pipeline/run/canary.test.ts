import { describe, expect, test } from 'vitest';
import type { Outcome, ReadyRecord } from '../../../src/model/index.ts';
import { createCanary } from '../../../src/pipeline/run/canary.ts';

const outcome = { outcome: 'created', attempts: 1, durationMs: 1 } as Outcome;
const ready = (seq: number): ReadyRecord => ({ result: { seq, row: 1, key: String(seq), outcome } });
const keyIn = (record: ReadyRecord) => ('result' in record ? record.result.key : record.key);

async function* batches(...sizes: number[]) {
  let seq = 0;
  for (const size of sizes) yield Array.from({ length: size }, () => ready(seq++));
}

describe('canary', () => {
  test('sends the first records, then waits until they have outcomes and the user has confirmed', async () => {
    const log: string[] = [];
    const canary = createCanary(5, async (records) => {
      log.push(`asked about ${records.map(({ key }) => key).join()}`);
      return true;
    });
    for await (const batch of canary.hold(batches(3, 4, 2))) {
      log.push(`batch ${batch.map(keyIn).join()}`);
      // Settled a turn later, like real answers.
      for (const key of batch.map(keyIn)) setTimeout(() => canary.settled({ row: 1, key, outcome }), 5);
    }
    expect(log).toEqual(['batch 0,1,2', 'batch 3,4', 'asked about 0,1,2,3,4', 'batch 5,6', 'batch 7,8']);
    expect(canary.refused.aborted).toBe(false);
  });

  test('stops the run after a no, and the rest can still be counted', async () => {
    const canary = createCanary(1, async () => false);
    let rest = 0;
    for await (const batch of canary.hold(batches(3, 3))) {
      if (canary.refused.aborted) rest += batch.length;
      for (const key of batch.map(keyIn)) canary.settled({ row: 1, key, outcome });
    }
    expect(canary.refused.aborted).toBe(true);
    expect(rest).toBe(5);
  });

  test('asks nothing if the run has stopped before', async () => {
    let asked = false;
    const canary = createCanary(1, async () => {
      asked = true;
      return true;
    });
    for await (const batch of canary.hold(batches(2)))
      for (const key of batch.map(keyIn))
        canary.settled({ row: 1, key, outcome: { ...outcome, outcome: 'unsent' } });
    expect(asked).toBe(false);
  });

  test('asks nothing if there are no more records than it sends first', async () => {
    let asked = false;
    const canary = createCanary(10, async () => {
      asked = true;
      return true;
    });
    for await (const batch of canary.hold(batches(3)))
      for (const key of batch.map(keyIn)) canary.settled({ row: 1, key, outcome });
    expect(asked).toBe(false);
  });
});
