import { join } from 'node:path';
import type { KnownRun, Ledger } from '../../ledger/index.ts';
import { existsSync } from '../../model/files/fs.ts';
import { ConfigError, PLAIN_COMMANDS, RunStopped } from '../../model/index.ts';
import { REPORT_OPTIONS, reportFormatOf, withDefaults } from '../../options/index.ts';
import {
  openReports,
  type ReportFormat,
  type ReportNames,
  type ReportSettings,
  type Reports,
  reportNames,
  type SettledBatch,
  type Summary,
  settledBatches,
} from '../../report/index.ts';
import { type RunFacts, stopReason, storedFacts } from '../summary/facts.ts';
import { createStatistics, type RunStatistics, statisticsOf } from '../summary/statistics.ts';
import { type ExitCodeOf, summarise } from '../summary/summary.ts';
import type { Execution } from './context.ts';
import { wholeSettled } from './pruned.ts';

/**
 * Writes the reports of a run from the ledger and returns the summary. If the reports cannot be written, the summary says
 * so: everything was sent, and the ledger has every outcome.
 */
export async function reportRun(
  facts: RunFacts,
  { run, source, reports, options: { exitCodeOf, reportFormat } }: Execution,
): Promise<Summary> {
  const statistics = createStatistics();
  const summary = () => summarise(facts, statistics, { exitCodeOf, reports: reports.names() });
  const isInTables = run.unwritten().length === 0;
  const settled =
    (isInTables ? source.settled?.(run.number) : undefined) ??
    settledBatches(run.settled(), reportFormat ?? {});
  const failure = await writeReports(reports, settled, { statistics, summary, facts }).catch(
    (error: unknown) => {
      // It would say that nothing was sent.
      if (error instanceof ConfigError) return new RunStopped('output-failed', error.message);
      throw error;
    },
  );
  if (!failure) return summary();
  const unwritten = {
    ...facts,
    stopped: stopReason(reportsMissing(failure, facts, reportFormat?.commands)),
  };
  return summarise(unwritten, await statisticsOf(run.settled()), { exitCodeOf, reports: reports.names() });
}

/** Options of reports that are written again. */
export interface RewriteOptions {
  readonly exitCodeOf: ExitCodeOf;
  /** Missing parts are as the run was asked for. */
  readonly reportFormat?: Partial<ReportSettings> | undefined;
}

/** Rewrites the reports of an earlier run from the ledger. Throws RunStopped if they cannot be written. */
export async function rewriteRunReports(
  ledger: Ledger,
  run: KnownRun,
  { exitCodeOf, reportFormat }: RewriteOptions,
): Promise<Summary> {
  const statistics = createStatistics();
  const format = { ...storedFormat(run), ...reportFormat };
  const reports = await openReports({ folder: run.out, run: run.id, header: run.header, format });
  const facts = storedFacts(run);
  const summary = () => summarise(facts, statistics, { exitCodeOf, reports: reports.names() });
  const settled = settledBatches(wholeSettled(ledger, run, 'reported on'), format);
  const failure = await writeReports(reports, settled, { statistics, summary, facts });
  if (failure) throw failure;
  return summary();
}

/** The summary of an earlier run, from the ledger. */
export async function summaryOf(ledger: Ledger, run: KnownRun, exitCodeOf: ExitCodeOf): Promise<Summary> {
  return summarise(storedFacts(run), await statisticsOf(wholeSettled(ledger, run, 'shown')), {
    ...{ exitCodeOf, reports: reportsOf(run) },
  });
}

/** Returns the names of an earlier run's reports: of those in its folder, else of those that it would write. */
export function reportsOf(run: KnownRun): ReportNames {
  return reportNames(storedFormat(run), (name) => existsSync(join(run.out, name)));
}

/** The form of the reports that a run was asked for. */
function storedFormat({ options }: KnownRun): ReportFormat {
  return reportFormatOf(withDefaults(REPORT_OPTIONS, options)) as ReportFormat;
}

/** Returns the error if the reports cannot be written; no part of them is left behind then. */
async function writeReports(
  reports: Reports,
  settled: AsyncIterable<SettledBatch>,
  {
    statistics,
    summary,
    facts,
  }: { readonly statistics: RunStatistics; readonly summary: () => Summary; readonly facts: RunFacts },
): Promise<RunStopped | undefined> {
  try {
    for await (const batch of settled) {
      statistics.addBatch(batch);
      await reports.addBatch(batch);
    }
    await reports.finish(summary(), facts);
    return undefined;
  } catch (error) {
    await reports.abort();
    if (error instanceof RunStopped) return error;
    throw error;
  }
}

/** The error for a run whose reports are missing. One that stopped is continued, which writes them too. */
function reportsMissing(
  failure: RunStopped,
  { id, command, stopped }: RunFacts,
  { report, resume } = PLAIN_COMMANDS,
): RunStopped {
  const room = failure.reason === 'output-failed' ? 'Make space. ' : '';
  const todo =
    stopped && command === 'import'
      ? `${room}To send the rest and write the reports: ${resume(id)}`
      : `${room}To write the reports: ${report(id)}`;
  return new RunStopped(
    'output-failed',
    `${failure.message} The ledger has the outcome of each record. Do not import the file again. ${todo}`,
  );
}
