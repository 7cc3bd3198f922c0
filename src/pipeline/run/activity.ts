import {
  type ActivityPoint,
  type AnswerCounts,
  MOST_POINTS,
  NO_ANSWERS,
  type RunActivity,
  RunStopped,
  withAnswers,
} from '../../model/index.ts';
import type { StoreClient } from '../../store/index.ts';

/** How often a point is added, and how often the points are kept in the ledger, milliseconds. */
const SAMPLE_MS = 1000;
const KEEP_MS = 10_000;

/** The parts of a client that show how a run goes. */
export type ObservedClient = Partial<Pick<StoreClient, 'answers' | 'waiting' | 'learnedRate'>>;

export interface ActivityOptions {
  /** Records that got their outcome so far. */
  readonly records: () => number;
  readonly client: ObservedClient;
  /** The activity of earlier executions. */
  readonly earlier?: RunActivity | undefined;
  /** Keeps the activity in the ledger. Rejects with RunStopped. Left out, it is not kept. */
  readonly keep?: (activity: RunActivity) => Promise<void>;
}

/** The notes of one execution. */
export interface NotedActivity {
  /** Adds the time since the last point, and ends the notes. Nothing is kept after it resolves. */
  stop(): Promise<void>;
  /** The activity so far, with that of earlier executions. */
  activity(): RunActivity;
}

/** Notes the activity of an execution: a point a second. */
export function noteActivity({ records, client, earlier, keep }: ActivityOptions): NotedActivity {
  let activity = earlier ?? { widthMs: SAMPLE_MS, points: [] };
  let open: ActivityPoint | undefined;
  let openMs = 0;
  let last = { atMs: performance.now(), records: records(), answers: client.answers?.() ?? NO_ANSWERS };
  let keptAtMs = last.atMs;
  let keeping: Promise<void> | undefined;

  function sample(): void {
    const atMs = performance.now();
    const now = { atMs, records: records(), answers: client.answers?.() ?? NO_ANSWERS };
    const waiting = client.waiting?.();
    const point: ActivityPoint = {
      records: now.records - last.records,
      answers: withAnswers(now.answers, last.answers, -1),
      rate: client.learnedRate?.(),
      waitedMs: waiting ? Math.min(Math.round(waiting.forMs), Math.round(atMs - last.atMs)) : 0,
      waitedFor: waiting && waiting.forMs >= SAMPLE_MS ? waiting.what : undefined,
    };
    open = open ? merged(open, point) : point;
    openMs += atMs - last.atMs;
    last = now;
    // A timer that fires early would make a point of nothing.
    if (openMs < activity.widthMs * 0.9) return;
    activity = withPoint(activity, open);
    open = undefined;
    openMs = 0;
  }

  async function keepNow(): Promise<void> {
    try {
      await keep?.(activity);
    } catch (error) {
      // The next outcome meets the same failure, and stops the run.
      if (!(error instanceof RunStopped)) throw error;
      clearInterval(timer);
    } finally {
      keeping = undefined;
    }
  }

  const timer = setInterval(() => {
    sample();
    if (last.atMs - keptAtMs < KEEP_MS) return;
    // The ledger may be slow or away. The next activity has all that this one has.
    if (keeping) return;
    keptAtMs = last.atMs;
    keeping = keepNow();
  }, SAMPLE_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      sample();
      if (open) activity = withRest(activity, open, openMs);
      open = undefined;
      await keeping;
    },
    activity: () => activity,
  };
}

/** Adds a point. If there are too many, joins each two to one. */
export function withPoint({ widthMs, points }: RunActivity, point: ActivityPoint): RunActivity {
  const all = [...points, point];
  if (all.length <= MOST_POINTS) return { widthMs, points: all };
  const joined: ActivityPoint[] = [];
  for (let index = 0; index < all.length; index += 2) {
    const [first, second] = [all[index] as ActivityPoint, all[index + 1]];
    joined.push(second ? merged(first, second) : first);
  }
  return { widthMs: widthMs * 2, points: joined };
}

/** Adds the time since the last point: to that point if it is short, since a point of its own would look slow. */
function withRest(activity: RunActivity, rest: ActivityPoint, restMs: number): RunActivity {
  const { widthMs, points } = activity;
  const last = points.at(-1);
  if (!last || restMs >= widthMs / 2) return withPoint(activity, rest);
  return { widthMs, points: [...points.slice(0, -1), merged(last, rest)] };
}

function merged(a: ActivityPoint, b: ActivityPoint): ActivityPoint {
  const answers: AnswerCounts = withAnswers(a.answers, b.answers);
  return {
    records: a.records + b.records,
    answers,
    rate: b.rate ?? a.rate,
    waitedMs: a.waitedMs + b.waitedMs,
    waitedFor: a.waitedFor ?? b.waitedFor,
  };
}
