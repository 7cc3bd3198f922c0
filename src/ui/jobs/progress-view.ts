import { NO_ANSWERS, percentile, type RunActivity, timeLeft, withAnswers } from '../../model/index.ts';
import type { ProgressPoint, ProgressView } from '../api/index.ts';
import type { LiveCommand } from '../command-port.ts';

/** Shorter waits are part of normal work. */
const LONG_WAIT_MS = 2000;
/** The answers of this time are summarised. */
const RECENT_MS = 60_000;

export interface ProgressOptions {
  readonly live: LiveCommand;
  readonly activity: RunActivity | undefined;
  readonly perSecond: number;
  /** Milliseconds since the progress is known, without pauses and questions. */
  readonly workedMs: number;
}

/** The state of a running command as the page shows it; null if nothing is known of it yet. */
export function progressView({ live, activity, perSecond, workedMs }: ProgressOptions): ProgressView | null {
  const { progress, client } = live;
  if (!progress && !client) return null;
  const { widthMs = 1000, points = [] } = activity ?? {};
  const recent = points
    .slice(-Math.max(1, Math.ceil(RECENT_MS / widthMs)))
    .reduce((sum, point) => withAnswers(sum, point.answers), NO_ANSWERS);
  const waiting = client?.waiting?.();
  const all = client?.answers?.();
  const part = progress?.part();
  const records = progress?.records() ?? 0;
  const isWaiting = waiting !== undefined && waiting.forMs >= LONG_WAIT_MS;
  const leftMs = isWaiting ? undefined : timeLeft(workedMs, { part, records, before: progress?.before ?? 0 });
  return {
    part: part ?? null,
    records,
    total: progress?.total?.() ?? null,
    outcomes: progress?.outcomes() ?? {},
    perSecond,
    secondsLeft: leftMs === undefined ? null : leftMs / 1000,
    rate: client?.learnedRate?.() ?? null,
    answers:
      recent.all > 0 && recent.times.length > 0
        ? { median: percentile(recent, 0.5) ?? 0, slowest: percentile(recent, 1) ?? 0 }
        : null,
    refused: all?.refused ?? 0,
    faults: all?.faults ?? 0,
    waiting: isWaiting ? { text: `Waiting for ${waiting.what}`, forMs: waiting.forMs } : null,
    points: points.map(pointView),
    pointMs: widthMs,
  };
}

function pointView({ records, answers, rate, waitedMs }: RunActivity['points'][number]): ProgressPoint {
  return {
    records,
    answers: answers.all,
    refused: answers.refused,
    faults: answers.faults,
    waitedMs,
    rate: rate ?? null,
    medianMs: percentile(answers, 0.5) ?? null,
  };
}
