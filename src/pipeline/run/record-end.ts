import type { OpenRun, RunEnd } from '../../ledger/index.ts';
import { endDate, LEDGER_STOPS, RunStopped } from '../../model/index.ts';
import { type RunFacts, stopReason } from '../summary/facts.ts';
import type { Execution } from './context.ts';
import type { SentRecords } from './send-records.ts';

/** Records the end of the run in the ledger. Returns the facts for its reports. */
export async function recordEnd(
  { stopped, notRead, activity }: SentRecords,
  { run, facts, source, stopwatch }: Execution,
): Promise<RunFacts> {
  const elapsedMs = stopwatch.elapsedMs();
  const workedMs = facts.workedMs + elapsedMs;
  // Computed from the time worked in all executions: the clock may have been set back since the first of them.
  const finishedAt = endDate(facts.startedAt, workedMs);
  const ended = { files: await source.files(), stopped: stopReason(stopped), notRead, activity };
  const failure = await tryToEnd(run, {
    ...ended,
    finishedAt: finishedAt.getTime(),
    workedMs: elapsedMs,
  });
  return {
    ...{ ...facts, ...ended, finishedAt, workedMs },
    ...(failure ? { stopped: stopReason(failure) } : {}),
  };
}

/** Returns the error if the ledger cannot be written. Its outcomes can still be read then. */
async function tryToEnd(run: OpenRun, end: Omit<RunEnd, 'state'>): Promise<RunStopped | undefined> {
  // The ledger could not store an outcome, so it cannot store the end either.
  if (end.stopped && LEDGER_STOPS.has(end.stopped.reason)) return undefined;
  try {
    await run.end({ ...end, state: end.stopped ? 'stopped' : 'done' });
    return undefined;
  } catch (error) {
    if (error instanceof RunStopped) return error;
    throw error;
  }
}
