import { join } from 'node:path';
import { statSync } from '../../model/files/fs.ts';
import { LEDGER_FILE } from '../../model/index.ts';
import { type ReturnedState, returnedState } from '../../pipeline/index.ts';

/** Trouble with settling a dead run is not the matter of a reader: the next run at that store says it. */
export const IGNORE_TROUBLE = () => {};

/** States that are kept. */
const MOST_KEPT = 20;

export type LedgerStates = (run: string) => Promise<ReturnedState>;

/**
 * Reads the state of what runs return. As long as no file of the ledger changes, the last answer is right: a page asks
 * often, and counting the outcomes of a million records takes a while.
 */
export function createLedgerStates(home: string): LedgerStates {
  const kept = new Map<string, { readonly files: string; readonly state: ReturnedState }>();
  return async (run) => {
    const known = kept.get(run);
    if (known?.files === filesOf(home)) return known.state;
    const before = filesOf(home);
    const state = await returnedState(home, run, IGNORE_TROUBLE);
    const after = filesOf(home);
    kept.delete(run);
    // A run in progress may write at any time, also between two ticks of the clock of the file system.
    if (before === after && !state.isChanging) kept.set(run, { files: after, state });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return state;
  };
}

function filesOf(home: string): string {
  return [LEDGER_FILE, `${LEDGER_FILE}-wal`]
    .map((name) => statSync(join(home, name), { bigint: true, throwIfNoEntry: false }))
    .map((found) => (found ? `${found.ino} ${found.size} ${found.mtimeNs}` : ''))
    .join();
}
