import { type KnownRun, type Ledger, openLedger } from '../../ledger/index.ts';
import { firstOfShared } from '../../model/index.ts';
import type { Summary } from '../../report/index.ts';
import { storedFacts } from '../summary/facts.ts';
import { createStatistics, withStatistics } from '../summary/statistics.ts';
import { type ExitCodeOf, summarise } from '../summary/summary.ts';
import { type NextCommand, nextCommands } from './next-commands.ts';
import { wholeSettled } from './pruned.ts';
import { reportsOf } from './reports.ts';
import { inTurns, isReturned } from './returned-rows.ts';
import { findRun, type OnTrouble } from './runs.ts';

/** A run as the ledger knows it now, for a process that does other things meanwhile. */
export interface DescribedRun {
  readonly known: KnownRun;
  readonly summary: Summary;
  /** Rows that errors.csv would have if it were written now. */
  readonly returned: number;
  readonly next: readonly NextCommand[];
  /** Id of the run that undid it; undefined if none did. */
  readonly undoneBy?: string | undefined;
}

/** Reads one run, without holding up the process. Throws ConfigError. */
export async function describeRun(
  home: string,
  name: string,
  { exitCodeOf, onTrouble }: { readonly exitCodeOf: ExitCodeOf; readonly onTrouble: OnTrouble },
): Promise<DescribedRun> {
  const ledger = openLedger(home);
  try {
    ledger.settleDead(onTrouble);
    const known = await findRun(ledger, name);
    const statistics = createStatistics();
    const isFirst = firstOfShared();
    let returned = 0;
    for await (const { rows } of inTurns(
      withStatistics(statistics, wholeSettled(ledger, known, 'shown')),
      isReturned,
    ))
      for (const row of rows ?? []) if (isFirst(row)) returned++;
    const summary = summarise(storedFacts(known), statistics, { exitCodeOf, reports: reportsOf(known) });
    return {
      ...{ known, summary, returned, next: nextCommands(known, await ledger.outcomes(known)) },
      undoneBy: await undoneBy(ledger, known),
    };
  } finally {
    await ledger.close();
  }
}

async function undoneBy(ledger: Ledger, { id }: KnownRun): Promise<string | undefined> {
  const isUndo = ({ command, state, mappingName }: KnownRun) =>
    command === 'undo' && state === 'done' && mappingName === `undo ${id}`;
  return (await ledger.runs()).find(isUndo)?.id;
}
