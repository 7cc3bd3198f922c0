import type { OpenRun } from '../../ledger/index.ts';
import { ConfigError, RunStopped, startStopwatch } from '../../model/index.ts';
import { openReports, type Summary } from '../../report/index.ts';
import type { RunContext } from './context.ts';
import { recordEnd } from './record-end.ts';
import { reportRun } from './reports.ts';
import { sendRecords } from './send-records.ts';

/**
 * One execution of a run: read → group → map → validate → plan → send → record → report. The first five steps are
 * `source.records`, for files in `prepare/prepare-records.ts`.
 *
 * Resolves with the summary, also if the run stopped early. Throws ConfigError or RunStopped if it could not begin.
 */
export async function runRecords(context: RunContext): Promise<Summary> {
  const { source, facts } = context;
  const stopwatch = startStopwatch();
  const reports = await openReports({
    ...{ folder: facts.out, run: facts.id, header: source.header },
    format: context.options.reportFormat,
  });
  let run: OpenRun | undefined;
  try {
    run = await context.open();
    const execution = { ...context, run, reports, stopwatch };
    const ready = source.records(run.checkpoint);
    const sent = await sendRecords(ready, execution);
    const endedFacts = await recordEnd(sent, execution);
    const summary = await reportRun(endedFacts, execution);
    // A bug is not a way to stop. Its stack is shown, but only after the reports are written.
    if (isBug(sent.stopped) && summary.stopped?.reason !== 'output-failed') throw sent.stopped;
    return summary;
  } catch (error) {
    await reports.abort();
    throw error;
  } finally {
    await source.close?.();
    await run?.close();
  }
}

function isBug(stopped: Error | undefined): boolean {
  return stopped !== undefined && !(stopped instanceof RunStopped || stopped instanceof ConfigError);
}
