import type { KnownRun, Ledger } from '../../ledger/index.ts';
import { openReports } from '../../report/index.ts';
import { writeReports } from './execute.ts';
import { factsOf } from './facts.ts';
import { countedBy, createTally, tallyOf } from './statistics.ts';
import type { ExitCodeOf } from './summary.ts';
import { type Summary, summarise } from './summary.ts';

/** The books of a run, from the ledger alone. */
export function booksOf(ledger: Ledger, run: KnownRun, exitCodeOf: ExitCodeOf): Summary {
  return summarise(factsOf(run), tallyOf(ledger.settled(run)), exitCodeOf);
}

/** Writes the reports of a run once more, from the ledger alone. Throws RunStopped where they cannot be written. */
export async function reportRun(ledger: Ledger, run: KnownRun, exitCodeOf: ExitCodeOf): Promise<Summary> {
  const tally = createTally();
  const summary = () => summarise(factsOf(run), tally, exitCodeOf);
  const reports = await openReports({ folder: run.out, run: run.id, header: run.header });
  const failure = await writeReports(reports, countedBy(tally, ledger.settled(run)), summary);
  if (failure) throw failure;
  return summary();
}
