import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRateGate, type Permit, type RateGate } from '../../../src/store/rate/rate-gate.ts';

/** Takes permits with several workers for a while, and records when each was used. */
async function take(
  gate: RateGate,
  workers: number,
  forMs: number,
  into: number[],
  beforeUse?: () => Promise<void>,
): Promise<void> {
  const end = performance.now() + forMs;
  async function worker(): Promise<void> {
    while (performance.now() < end) {
      const granted = gate.permit();
      const permit = await granted;
      await beforeUse?.();
      into.push(performance.now());
      permit.used();
      if (granted === permit) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await Promise.all(Array.from({ length: workers }, worker));
}

/** How late timers are, in ms, in turn: now and then a busy machine runs none for a while. */
const LATE_MS = [0, 1, 0, 2, 0, 0, 4, 0, 1, 30, 0, 0, 1, 0, 12];

/** Clocks that pass from one timer to the next. */
function fakeClocks(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    const onTime = setTimeout;
    let timers = 0;
    const late = (run: () => void, ms = 0) => onTime(run, ms + (LATE_MS[timers++ % LATE_MS.length] ?? 0));
    vi.stubGlobal('setTimeout', late);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}

/** Lets time pass until the work is done. */
async function timeFor(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    // Workers use their permits first.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (!isDone) vi.advanceTimersToNextTimer();
  }
  await done;
}

const pass = (ms: number) => timeFor(new Promise((resolve) => setTimeout(resolve, ms)));

/** The most permits in any second, wherever it begins. */
function mostInASecond(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  let from = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[from] ?? time) >= 1000) from++;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

describe('no second has more permits than the rate', () => {
  fakeClocks();

  test.each([
    [5, 4],
    [30, 8],
    [75, 16],
    [100, 16],
    [333, 64],
    [1000, 64],
    [5000, 256],
  ])('at a rate of %d, with %d workers', async (rate, workers) => {
    const gate = createRateGate({ ceiling: rate });
    const times: number[] = [];
    await timeFor(take(gate, workers, 2_300, times));
    gate.stop();
    expect(times.length).toBeGreaterThan(rate);
    expect(mostInASecond(times)).toBeLessThanOrEqual(rate);
  });

  test('after a pause, in which permits do not accumulate', async () => {
    const gate = createRateGate({ ceiling: 200 });
    const times: number[] = [];
    await timeFor(take(gate, 3, 250, times));
    await pass(400);
    await timeFor(take(gate, 200, 1_300, times));
    gate.stop();
    expect(mostInASecond(times)).toBeLessThanOrEqual(200);
  });

  test('if some requests with a permit are delayed before they are sent', async () => {
    const gate = createRateGate({ ceiling: 100 });
    const times: number[] = [];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let toHold = 40;
    const work = take(gate, 64, 2_600, times, async () => {
      if (toHold-- > 0) await held;
    });
    await pass(1_900);
    letGo();
    await timeFor(work);
    gate.stop();
    expect(times.length).toBeGreaterThan(40);
    expect(mostInASecond(times)).toBeLessThanOrEqual(100);
  });

  test('while the adaptive rate below it changes', async () => {
    const pace = { rate: 800, pausedUntilMs: Number.NEGATIVE_INFINITY, sending() {} };
    const gate = createRateGate({ ceiling: 500, pace });
    const times: number[] = [];
    const work = take(gate, 64, 2_600, times);
    await pass(700);
    pace.rate = 50;
    const slow = performance.now();
    await pass(1_200);
    pace.rate = 490;
    const fast = performance.now();
    await timeFor(work);
    gate.stop();
    expect(mostInASecond(times)).toBeLessThanOrEqual(500);
    // Batches of one keep the rate, except for one in flight.
    const between = times.filter((time) => time > slow + 100 && time < fast).length;
    expect(between).toBeGreaterThan(30);
    expect(between).toBeLessThanOrEqual(57);
  });
});

describe('a lower rate', () => {
  fakeClocks();

  test('holds from the very next request on', async () => {
    const pace = { rate: 100, pausedUntilMs: Number.NEGATIVE_INFINITY, sending() {} };
    const gate = createRateGate({ pace });
    await timeFor(Promise.resolve(gate.permit()));
    const from = performance.now();
    const next = Promise.resolve(gate.permit());
    const afterNext = Promise.resolve(gate.permit());
    pace.rate = 4;
    gate.update();
    await timeFor(next);
    expect(performance.now() - from).toBeGreaterThan(200);
    await timeFor(afterNext);
    expect(performance.now() - from).toBeGreaterThan(400);
    gate.stop();
  });
});

const isGranted = (granted: Permit | Promise<Permit>) => !(granted instanceof Promise);

describe('the rate gate', () => {
  test('grants a permit at once without a limit', () => {
    const gate = createRateGate({});
    for (let count = 0; count < 1000; count++) expect(isGranted(gate.permit())).toBe(true);
    gate.stop();
  });

  test('grants the opening at once, and then what the rate allows', () => {
    const pace = { rate: 40, pausedUntilMs: 0, sending() {} };
    const gate = createRateGate({ pace, opening: 8, now: () => 1 });
    const granted = Array.from({ length: 12 }, () => gate.permit());
    expect(granted.map(isGranted)).toEqual(granted.map((_, index) => index < 8));
    gate.stop();
  });

  test('has no opening above a ceiling, or during a pause', () => {
    const pace = { rate: 40, pausedUntilMs: Number.POSITIVE_INFINITY, sending() {} };
    const gates = [createRateGate({ ceiling: 10, opening: 8 }), createRateGate({ pace, opening: 8 })];
    for (const gate of gates) {
      expect(isGranted(gate.permit())).toBe(false);
      gate.stop();
    }
  });

  test('releases waiting requests when the limit ends', async () => {
    const pace = { rate: 20 as number | undefined, pausedUntilMs: Number.POSITIVE_INFINITY, sending() {} };
    const gate = createRateGate({ pace });
    const waiting = gate.permit();
    [pace.rate, pace.pausedUntilMs] = [undefined, 0];
    gate.update();
    await waiting;
    expect(isGranted(gate.permit())).toBe(true);
    gate.stop();
  });

  test('distinguishes requests that waited for the rate from those between two batches', async () => {
    let nowMs = 0;
    const pace = { rate: 300, pausedUntilMs: Number.NEGATIVE_INFINITY, sending() {} };
    const gate = createRateGate({ pace, now: () => nowMs });
    const isLimited = async (count: number) => {
      const permits = Array.from({ length: count }, () => Promise.resolve(gate.permit()));
      return (await Promise.all(permits)).map(({ limited }) => limited);
    };
    // One permit of the batch of three is used. The others lapse, and one more request has to wait.
    expect(await isLimited(1)).toEqual([true]);
    nowMs += 60;
    expect(await isLimited(3)).toEqual([false, false, true]);
    nowMs += 60;
    expect(await isLimited(1)).toEqual([true]);
    gate.stop();
  });

  test('grants at most two batches before they are sent', async () => {
    let nowMs = 0;
    const pace = { rate: 300, pausedUntilMs: Number.NEGATIVE_INFINITY, sending() {} };
    const gate = createRateGate({ pace, now: () => nowMs });
    const takeBatch = () => Promise.all(Array.from({ length: 3 }, () => Promise.resolve(gate.permit())));
    const first = await takeBatch();
    nowMs += 10;
    await takeBatch();
    nowMs += 20;
    let isThird = false;
    const third = takeBatch().then(() => {
      isThird = true;
    });
    const turn = () => new Promise((resolve) => setTimeout(resolve, 40));
    await turn();
    expect(isThird).toBe(false);
    // The disk is ready: the first two batches are sent now, and the third one at its distance.
    for (const permit of first) permit.used();
    await turn();
    expect(isThird).toBe(false);
    nowMs += 10;
    await third;
    // Requests that are not sent for longer, as while a connection opens, are not waited for.
    const fourth = takeBatch();
    nowMs += 50;
    await fourth;
    gate.stop();
  });

  test('keeps no timer after it is stopped', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const pace = { rate: 100, pausedUntilMs: Number.NEGATIVE_INFINITY, sending() {} };
    const gate = createRateGate({ pace });
    await gate.permit();
    const waiting = gate.permit();
    pace.rate = 0.01;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const during = timers();
    gate.stop();
    await waiting;
    expect(timers()).toBeLessThan(during);
  });

  test('waits for the pause of the rate, and then grants one permit', async () => {
    const pauses: number[] = [];
    let nowMs = 0;
    const pace = {
      rate: undefined,
      pausedUntilMs: 5_000,
      sending() {
        pace.pausedUntilMs = Number.POSITIVE_INFINITY;
      },
    };
    const pause = async (ms: number) => {
      pauses.push(ms);
      nowMs += ms;
    };
    const gate = createRateGate({ pace, now: () => nowMs, pause });
    const went: string[] = [];
    const one = Promise.resolve(gate.permit()).then(() => went.push('one'));
    const two = Promise.resolve(gate.permit()).then(() => went.push('two'));
    await one;
    expect([pauses, went]).toEqual([[5_000], ['one']]);
    // A token request of the holder of the permit.
    expect(isGranted(gate.permit(true))).toBe(true);
    pace.pausedUntilMs = nowMs;
    gate.update();
    await two;
    gate.stop();
  });

  test('releases waiting requests when it is stopped', async () => {
    const gate = createRateGate({ ceiling: 0.01 });
    await gate.permit();
    const waiting = gate.permit();
    gate.stop();
    await waiting;
    expect(isGranted(gate.permit())).toBe(true);
  });
});
