import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ActivityPoint,
  MOST_POINTS,
  NO_ANSWERS,
  percentile,
  type RunActivity,
  RunStopped,
  timeOf,
  timeStep,
} from '../../../src/model/index.ts';
import { noteActivity, withPoint } from '../../../src/pipeline/run/activity.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const CLIENT = {};
const EMPTY: RunActivity = { widthMs: 1000, points: [] };

const point = (records: number, step = 4): ActivityPoint => {
  const times = [...new Array<number>(step).fill(0), records];
  return { records, answers: { all: records, refused: 0, faults: 0, times }, waitedMs: 1 };
};

describe('the points of a run', () => {
  test('are never too many, and nothing of them is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 1500 }), (counts) => {
        const { widthMs, points } = counts.reduce((all, count) => withPoint(all, point(count)), EMPTY);
        expect(points.length).toBeLessThanOrEqual(MOST_POINTS);
        const sum = (of: (each: ActivityPoint) => number) => points.reduce((all, each) => all + of(each), 0);
        const records = counts.reduce((all, count) => all + count, 0);
        expect([sum(({ records }) => records), sum(({ answers }) => answers.all)]).toEqual([
          records,
          records,
        ]);
        expect(sum(({ waitedMs }) => waitedMs)).toBe(counts.length);
        expect(points.length * widthMs).toBeGreaterThanOrEqual(counts.length * 1000);
      }),
      { numRuns: scaledRuns(30) },
    );
  });

  test('a percentile is within a step of the true one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1 }), (durations) => {
        const times: number[] = new Array(41).fill(0);
        for (const ms of durations) times[timeStep(ms)] = (times[timeStep(ms)] ?? 0) + 1;
        const sorted = [...durations].sort((a, b) => a - b);
        const truth = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
        const found = percentile({ ...NO_ANSWERS, times }, 0.95) ?? 0;
        expect(found / truth).toBeGreaterThan(0.7);
        expect(found / truth).toBeLessThan(1.42);
      }),
    );
    expect(percentile(NO_ANSWERS, 0.5)).toBeUndefined();
    expect(timeOf(timeStep(100))).toBeCloseTo(107.6, 0);
  });
});

describe('an execution', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  test('has a point a second, with the differences of the counts', () => {
    const counts = { records: 5 };
    let all = 0;
    const client = {
      ...CLIENT,
      answers: () => ({ all, refused: all / 10, faults: 0, times: [all] }),
      waiting: () => (counts.records > 20 ? { what: 'an answer', forMs: 1500 } : undefined),
      learnedRate: () => 60,
    };
    const noted = noteActivity({ records: () => counts.records, client });
    for (const records of [15, 30]) {
      counts.records = records;
      all += 10;
      vi.advanceTimersByTime(1000);
    }
    noted.stop();
    const answers = { all: 10, refused: 1, faults: 0, times: [10] };
    expect(noted.activity().points.slice(0, 2)).toEqual([
      { records: 10, answers, rate: 60, waitedMs: 0, waitedFor: undefined },
      { records: 15, answers, rate: 60, waitedMs: 1000, waitedFor: 'an answer' },
    ]);
  });

  test('continues the points of an earlier one, and is kept every ten seconds', async () => {
    const earlier = { widthMs: 1000, points: [point(7)] };
    const kept: number[] = [];
    const keep = async ({ points }: RunActivity) => void kept.push(points.length);
    const noted = noteActivity({ records: () => 0, client: CLIENT, earlier, keep });
    await vi.advanceTimersByTimeAsync(25_000);
    await noted.stop();
    expect(noted.activity().points[0]).toEqual(point(7));
    expect(kept).toEqual([11, 21]);
  });

  test('is noted no longer if the ledger cannot keep it, and the run is not ended by that', async () => {
    const keep = vi.fn(async () => {
      throw new RunStopped('ledger-failed', 'The disk is full.');
    });
    const noted = noteActivity({ records: () => 0, client: CLIENT, keep });
    await vi.advanceTimersByTimeAsync(60_000);
    await noted.stop();
    expect(keep).toHaveBeenCalledTimes(1);
  });
});
