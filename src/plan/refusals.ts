import type { Outcome, PriorState, RecordRef, RunCommands } from '../model/index.ts';
import type { CheckedRecord, Reimport } from './checked-record.ts';
import { skippedOutcome } from './decide.ts';

// Outcomes of records that are not sent because of others: of this run, or of an earlier one.

/** Keeps a record in doubt: only the store knows whether it is there, and sending it might create a second one. */
export function stillInDoubt(
  { run, ref, code = '' }: { readonly run: string; readonly ref?: RecordRef; readonly code?: string },
  { resolve }: Pick<RunCommands, 'resolve'>,
): Outcome {
  const then = ref
    ? `then record what you found: ${resolve(run)}`
    : 'if it is not there, clear the cell in storeport_outcome';
  return skippedOutcome('in-doubt', {
    code: code === '' ? 'no-answer' : code,
    message: `not sent: in doubt since the run ${run}. Look in the store; ${then}`,
  });
}

/** Leaves a record of an older run unsent: a later run has settled its key, so its values are out of date. */
export function importedSince(run: string): Outcome {
  return skippedOutcome('unsent', {
    code: 'imported-since',
    message: `not sent: the run ${run} has imported it since, and its values are newer than these`,
  });
}

/** Outcomes after which nothing is left to do. */
const DONE: ReadonlySet<string> = new Set(['created', 'updated', 'unchanged']);

/** True if the ledger says that the record was sent by now, in that run or a later one. */
export function wasSent({ current }: Reimport): boolean {
  return current.ref !== undefined && DONE.has(current.outcome);
}

/** The outcome of a re-imported record that must not be sent; undefined if it may be. */
export function refusedReturn(
  reimport: Reimport,
  { key, groupKey, id, known }: Pick<CheckedRecord, 'groupKey' | 'id' | 'known'> & { readonly key: string },
): Outcome | undefined {
  if (DONE.has(reimport.current.outcome) && known === undefined) return returnedBefore(reimport.current);
  if (id === undefined && known && isOfAnother(reimport, known))
    return sentForAnother(key, known, groupKey !== undefined);
  return undefined;
}

/** Refuses a re-imported record with another key or none: it could be created a second time. */
function returnedBefore({ run, row, outcome }: Reimport['current']): Outcome {
  const has = outcome === 'unchanged' ? 'has sent' : `has ${outcome}`;
  const message = `not sent: the run ${run} ${has} it already, row ${row}; if this is another record, clear the cell in storeport_run`;
  return skippedOutcome('duplicate', { code: 'returned-before', message });
}

/**
 * True if the earlier run has sent another record with the key of a re-imported one. Then this one is a duplicate, or the
 * rest of a group, and an update would overwrite the other record.
 */
function isOfAnother({ refs, isWhole }: Reimport, { id, ref: [run, seq] }: PriorState): boolean {
  if (!isWhole || id === undefined || !refs.some(([itsRun]) => itsRun === run)) return false;
  return !refs.some(([itsRun, itsSeq]) => itsRun === run && itsSeq === seq);
}

function sentForAnother(key: string, { run, row }: PriorState, isGroup: boolean): Outcome {
  const sent = `the run ${run} has sent "${key}" from row ${row}`;
  const message = isGroup
    ? `${sent}, without these rows: import all its rows again from the source. If these are all of them, clear their cells in storeport_run`
    : `${sent} already; if this row is to replace it, clear its cell in storeport_run`;
  return isGroup
    ? skippedOutcome('invalid', { code: 'group-split', message })
    : skippedOutcome('duplicate', { code: 'duplicate-key', message });
}

/** The outcome of a record that the program which runs the import does not want to send. */
export function leftOut(): Outcome {
  return skippedOutcome('unchanged', {
    code: 'left-out',
    message: 'left out by the transform of the program',
  });
}

export function duplicate(key: string, before: string, isInvalid: boolean): Outcome {
  const advice = isInvalid
    ? ', and that row is invalid: correct it and import it. If this row is the right one, delete the other from the file, and import the file again'
    : '; that row was used';
  const message = `"${key}" is already in ${before}${advice}`;
  return skippedOutcome('duplicate', { code: 'duplicate-key', message });
}
