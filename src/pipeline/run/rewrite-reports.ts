import type { KnownRun, Ledger } from '../../ledger/index.ts';
import { openReports } from '../../report/index.ts';
import { writeReports } from './execute.ts';
import { factsOf } from './facts.ts';
import { createStatistics, statisticsOf, withStatistics } from './statistics.ts';
import type { ExitCodeOf } from './summary.ts';
import { type Summary, summarise } from './summary.ts';

/** The books of a run, from the ledger alone. */
export function summaryOf(ledger: Ledger, run: KnownRun, exitCodeOf: ExitCodeOf): Summary {
  return summarise(factsOf(run), statisticsOf(ledger.settled(run)), exitCodeOf);
}

/** Writes the reports of a run once more, from the ledger alone. Throws RunStopped where they cannot be written. */
export async function reportRun(ledger: Ledger, run: KnownRun, exitCodeOf: ExitCodeOf): Promise<Summary> {
  const tally = createStatistics();
  const summary = () => summarise(factsOf(run), tally, exitCodeOf);
  const reports = await openReports({ folder: run.out, run: run.id, header: run.header });
  const failure = await writeReports(reports, withStatistics(tally, ledger.settled(run)), summary);
  if (failure) throw failure;
  return summary();
}
