/**
 * How fast a run went, as a short list of points. Each is about the same time of work: one second, and longer for long
 * runs, so that there are never more than `MOST_POINTS`.
 */
export interface RunActivity {
  /** Milliseconds of work that a point is about. */
  readonly widthMs: number;
  readonly points: readonly ActivityPoint[];
}

export interface ActivityPoint {
  /** Records that got their outcome. */
  readonly records: number;
  readonly answers: AnswerCounts;
  /** Requests a second that the store takes, at the end of this time; undefined if no limit is known. */
  readonly rate?: number | undefined;
  /** Milliseconds for which the run waited, and why. */
  readonly waitedMs: number;
  readonly waitedFor?: string | undefined;
}

/** Ends of requests for records. */
export interface AnswerCounts {
  /** All of them. */
  readonly all: number;
  /** Refused because there were too many (429). */
  readonly refused: number;
  /** No usable answer: a lost connection, an error of the server, a foreign answer. */
  readonly faults: number;
  /** Number by duration, see `timeOf`. Shorter than `TIME_STEPS` if the slowest ones are missing. */
  readonly times: readonly number[];
}

export const MOST_POINTS = 240;

/** Steps of durations, each √2 times the one before: from below 1 ms to 17 minutes. */
export const TIME_STEPS = 41;

/** The step of a duration in milliseconds. */
export function timeStep(ms: number): number {
  return ms <= 1 ? 0 : Math.min(TIME_STEPS - 1, Math.ceil(Math.log2(ms) * 2));
}

/** The duration in milliseconds that a step stands for. */
export function timeOf(step: number): number {
  return 2 ** ((step - 0.5) / 2);
}

export const NO_ANSWERS: AnswerCounts = { all: 0, refused: 0, faults: 0, times: [] };

/** Adds `sign` times the second counts to the first. */
export function withAnswers(a: AnswerCounts, b: AnswerCounts, sign: 1 | -1 = 1): AnswerCounts {
  const length = Math.max(a.times.length, b.times.length);
  const times = Array.from({ length }, (_, step) => (a.times[step] ?? 0) + sign * (b.times[step] ?? 0));
  while (times.at(-1) === 0) times.pop();
  return {
    all: a.all + sign * b.all,
    refused: a.refused + sign * b.refused,
    faults: a.faults + sign * b.faults,
    times,
  };
}

/** The duration in milliseconds below which this part of the answers is, such as 0.95; undefined without answers. */
export function percentile({ times }: AnswerCounts, part: number): number | undefined {
  const all = times.reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  let seen = 0;
  for (const [step, count] of times.entries()) {
    seen += count;
    if (seen >= part * all) return timeOf(step);
  }
  return undefined;
}
