import { expect, test } from 'vitest';
import { type EventSink, startRun } from '../../src/library/start-run.ts';

/** Emits numbers as long as there is room, and counts them. */
function counting(most: number) {
  const state = { emitted: 0, ended: false };
  const run = startRun<number, number>(async ({ emit, room, interrupted }) => {
    try {
      while (state.emitted < most && !interrupted.aborted) {
        emit(++state.emitted);
        await room();
      }
      return state.emitted;
    } finally {
      state.ended = true;
    }
  });
  return { run, state };
}

test('does nothing until its events or its summary are asked for', async () => {
  const { run, state } = counting(3);
  await new Promise(setImmediate);
  expect(state.emitted).toBe(0);
  expect(await run.summary()).toBe(3);
});

test('gives every event once and in order, then the summary', async () => {
  const { run } = counting(5000);
  const taken: number[] = [];
  for await (const event of run) taken.push(event);
  expect(taken).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
  expect(await run.summary()).toBe(5000);
});

test('is ahead of a slow listener by a bounded number of events', async () => {
  const { run, state } = counting(100_000);
  let ahead = 0;
  let taken = 0;
  for await (const event of run) {
    taken = event;
    if (taken % 500 === 0) await new Promise(setImmediate);
    ahead = Math.max(ahead, state.emitted - taken);
    if (taken === 20_000) break;
  }
  expect(ahead).toBeGreaterThan(0);
  expect(ahead).toBeLessThanOrEqual(2000);
  expect(state.emitted).toBeLessThanOrEqual(22_000);
});

test('leaving the loop interrupts the work and waits for its end', async () => {
  const { run, state } = counting(100_000);
  for await (const _event of run) break;
  expect(state.ended).toBe(true);
  expect(await run.summary()).toBeLessThan(100_000);
});

test('without a listener, events are dropped and the work is never held up', async () => {
  const { run, state } = counting(10_000);
  expect(await run.summary()).toBe(10_000);
  expect(state.emitted).toBe(10_000);
});

test('events before an error are given first, then the error is thrown', async () => {
  const run = startRun<string, never>(async ({ emit }) => {
    emit('one');
    emit('two');
    throw new Error('the disk is full');
  });
  const taken: string[] = [];
  const loop = async () => {
    for await (const event of run) taken.push(event);
  };
  await expect(loop()).rejects.toThrow('the disk is full');
  expect(taken).toEqual(['one', 'two']);
  await expect(run.summary()).rejects.toThrow('the disk is full');
});

test('a signal interrupts the work, also one that was aborted before', async () => {
  const abort = new AbortController();
  const seen: boolean[] = [];
  const work = async ({ interrupted }: EventSink<never>) => {
    seen.push(interrupted.aborted);
    abort.abort();
    seen.push(interrupted.aborted);
  };
  await startRun(work, abort.signal).summary();
  await startRun(work, abort.signal).summary();
  expect(seen).toEqual([false, true, true, true]);
});

test('events are given to one loop only', async () => {
  const { run } = counting(3);
  for await (const _event of run);
  expect(() => run[Symbol.asyncIterator]()).toThrow('once');
});
