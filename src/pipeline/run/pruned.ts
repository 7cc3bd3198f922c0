import type { KnownRun, Ledger } from '../../ledger/index.ts';
import { existsSync } from '../../model/files/fs.ts';
import { ConfigError, PLAIN_COMMANDS, type RecordResult } from '../../model/index.ts';

/** Throws ConfigError if records of a run were dropped. `what`: participle of what cannot be done with it. */
export function refusePruned({ id, pruned, out, command }: KnownRun, what: string): void {
  if (!pruned) return;
  const on = new Date(pruned.at).toISOString().slice(0, 10);
  throw new ConfigError(
    `The run ${id} was pruned on ${on}: its records are no longer in the ledger, so it cannot be ${what}.`,
    [
      ...(existsSync(out) ? [`Its reports are still in ${out}.`] : []),
      ...(command === 'import'
        ? [
            'What it sent is still known: importing its file again sends only what is new or has changed.',
            `To list those of its records that are still in doubt: ${PLAIN_COMMANDS.resolve(id)}`,
          ]
        : []),
    ],
    'pruned',
  );
}

/**
 * Reads the settled records of a run, all of them, in pages. Throws ConfigError if another process prunes the run meanwhile, after
 * the last record, so that nothing may be concluded before the end.
 */
export async function* wholeSettled(
  ledger: Ledger,
  run: KnownRun,
  what: string,
): AsyncGenerator<readonly RecordResult[]> {
  refusePruned(run, what);
  yield* ledger.settled(run);
  refusePruned(await ledger.reread(run), what);
}
