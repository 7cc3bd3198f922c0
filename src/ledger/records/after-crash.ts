import type { Outcome } from '../../model/index.ts';
import type { RunCommand } from '../runs.ts';
import type { Intent } from './intents.ts';

/** Why a run stopped that died. */
export const CRASH_MESSAGE = 'it ended in the middle of its work: it was killed, or the machine went down';

/** The outcome of a request that was in flight; undefined for an update, which is planned again on resume. */
export function outcomeAfterCrash(command: RunCommand, { kind, rows }: Intent): Outcome | undefined {
  if (kind === 'create') return IN_DOUBT_AFTER_CRASH;
  // An undo cannot be resumed. Its first column is the identifier.
  return command === 'undo' ? { ...FAILED_UNDO_AFTER_CRASH, id: rows[0]?.cells[0] } : undefined;
}

const FAILED_UNDO_AFTER_CRASH: Outcome = {
  outcome: 'failed',
  attempts: 1,
  durationMs: 0,
  code: 'crash',
  message: 'it was about to be put into the trash, or was, when the run died; undo the run again',
};

/** Only the store knows whether the request arrived. */
const IN_DOUBT_AFTER_CRASH: Outcome = {
  outcome: 'in-doubt',
  attempts: 1,
  durationMs: 0,
  code: 'crash',
  message: 'it was about to be sent, or was sent, when the run died; look in the store whether it is there',
};
