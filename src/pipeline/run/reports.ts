import type { KnownRun, Ledger } from '../../ledger/index.ts';
import { type RecordResult, RunStopped } from '../../model/index.ts';
import { openReports, type Reports } from '../../report/index.ts';
import { type RunFacts, stopReason, storedFacts } from '../summary/facts.ts';
import { createStatistics, statisticsOf, withStatistics } from '../summary/statistics.ts';
import { type ExitCodeOf, type Summary, summarise } from '../summary/summary.ts';
import type { Execution } from './context.ts';

/**
 * Writes the reports of a run from the ledger and returns the summary. If the reports cannot be written, the summary says
 * so: everything was sent, and the ledger has every outcome.
 */
export async function reportRun(
  facts: RunFacts,
  { run, reports, options: { exitCodeOf } }: Execution,
): Promise<Summary> {
  const statistics = createStatistics();
  const summary = () => summarise(facts, statistics, exitCodeOf);
  const failure = await writeReports(reports, withStatistics(statistics, run.settled()), summary);
  if (!failure) return summary();
  const unwritten = { ...facts, stopped: stopReason(reportsMissing(failure, facts.id)) };
  return summarise(unwritten, statisticsOf(run.settled()), exitCodeOf);
}

/** Rewrites the reports of an earlier run from the ledger. Throws RunStopped if they cannot be written. */
export async function rewriteRunReports(
  ledger: Ledger,
  run: KnownRun,
  exitCodeOf: ExitCodeOf,
): Promise<Summary> {
  const statistics = createStatistics();
  const summary = () => summarise(storedFacts(run), statistics, exitCodeOf);
  const reports = await openReports({ folder: run.out, run: run.id, header: run.header });
  const failure = await writeReports(reports, withStatistics(statistics, ledger.settled(run)), summary);
  if (failure) throw failure;
  return summary();
}

/** The summary of an earlier run, from the ledger. */
export function summaryOf(ledger: Ledger, run: KnownRun, exitCodeOf: ExitCodeOf): Summary {
  return summarise(storedFacts(run), statisticsOf(ledger.settled(run)), exitCodeOf);
}

/** Returns the error if the reports cannot be written; no part of them is left behind then. */
async function writeReports(
  reports: Reports,
  results: Iterable<RecordResult>,
  summary: () => object,
): Promise<RunStopped | undefined> {
  try {
    for (const result of results) {
      const full = reports.add(result);
      if (full) await full;
    }
    await reports.finish(summary());
    return undefined;
  } catch (error) {
    await reports.abort();
    if (error instanceof RunStopped) return error;
    throw error;
  }
}

/** The error for a run whose records were all sent, and whose reports are missing. */
function reportsMissing(failure: RunStopped, run: string): RunStopped {
  return new RunStopped(
    'output-failed',
    `${failure.message} The ledger has the outcome of each record: make space, then write the reports with \`storeport run report ${run}\`. Do not import the file again`,
  );
}
