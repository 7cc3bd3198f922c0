import { countOf, PLAIN_COMMANDS, printedCommand } from '../model/index.ts';
import type { MigrationSummary } from './migration-summary.ts';
import type { NextStep } from './next-steps.ts';

/** Code of references to records that are in doubt: no file need be corrected. */
const DOUBTFUL = 'not-settled';

/** Returns the next steps after a migration, the most urgent first; none if all is done. */
export function migrationSteps({ phase, steps, again, stopped, outcomes }: MigrationSummary): NextStep[] {
  const wrong = steps
    .filter(({ run }) =>
      run?.problems.some(({ outcome, code }) => outcome === 'invalid' && code !== DOUBTFUL),
    )
    .map(({ resource }) => resource);
  const refersToDoubts = steps.some(({ run }) => run?.problems.some(({ code }) => code === DOUBTFUL));
  const next: NextStep[] = [];
  const add = (text: string, command?: string) =>
    void next.push({ text, ...(command === undefined ? {} : { command }) });
  if (stopped && phase === 'import') add(`What was sent is not sent again. To continue: ${again}`, again);
  if (stopped && phase === 'undo') add(`To continue: ${again} --undo`, `${again} --undo`);
  const list = printedCommand('run list');
  if (phase === 'check' && !stopped) {
    if (refersToDoubts)
      add(
        `To do: some records refer to records in doubt. Settle these first. Their runs, with the commands that settle them: ${list}`,
        list,
      );
    if (wrong.length > 0)
      add(
        `To do: correct the files of ${wrong.join(', ')} (errors.csv of each step says what is wrong), then give the same command again. Or send the valid records alone: ${again} --yes`,
        `${again} --yes`,
      );
    else if (!refersToDoubts) add(`To import: ${again}`, again);
  }
  if (phase === 'import' && !stopped) {
    const doubts = outcomes['in-doubt'] ?? 0;
    for (const { run } of steps)
      if ((run?.outcomes['in-doubt'] ?? 0) > 0)
        add(
          `To do: look in the store for the ${run?.resource} in doubt; they may be there. Then: ${PLAIN_COMMANDS.resolve(run?.run ?? '')}`,
          PLAIN_COMMANDS.resolve(run?.run ?? ''),
        );
    const open = ['invalid', 'rejected', 'failed'].reduce((sum, word) => sum + (outcomes[word] ?? 0), 0);
    if (open > 0 || doubts > 0)
      add(
        `To do: correct what the reports of the steps say${open > 0 ? ` (${countOf(open, 'record')})` : ''}, then give the same command again, which sends only what is new or changed: ${again}`,
        again,
      );
  }
  return next;
}
