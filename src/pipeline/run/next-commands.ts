import type { KnownRun } from '../../ledger/index.ts';
import type { OutcomeStatus } from '../../model/index.ts';

/** A command that would finish a run, and the run that it names. */
export interface NextCommand {
  readonly word: 'resume' | 'resolve' | 'retry' | 'undo';
  readonly run: string;
}

export function nextCommands(
  run: KnownRun,
  outcomes: Readonly<Partial<Record<OutcomeStatus, number>>>,
): NextCommand[] {
  const { id, command, state, remembered, files, pruned } = run;
  if (state === 'running' || !remembered) return [];
  if (pruned) return outcomes['in-doubt'] ? [{ word: 'resolve', run: id }] : [];
  // The mapping of an undo is named `undo <run>`.
  if (command === 'undo' && (state === 'stopped' || outcomes.failed))
    return [{ word: 'undo', run: run.mappingName.replace(/^undo /, '') }];
  if (command !== 'import') return [];
  const fromPipe = files.some(({ path }) => path === undefined);
  const words = [
    state === 'stopped' && (run.whole || !fromPipe) ? ('resume' as const) : undefined,
    (outcomes['in-doubt'] ?? 0) > 0 ? ('resolve' as const) : undefined,
    state === 'done' && (outcomes.failed ?? 0) > 0 ? ('retry' as const) : undefined,
  ];
  return words.flatMap((word) => (word === undefined ? [] : [{ word, run: id }]));
}
