import { RunStopped } from '../model/index.ts';
import type { Sql } from './sql.ts';

/** Identifies the right to send to a store: whoever holds another epoch has no right. */
export interface LeaseId {
  /** Number of the store. */
  readonly store: number;
  readonly epoch: number;
  readonly holder: string;
}

/**
 * False only in a program built for the harness of faults, which must find records that are created twice without all of this:
 * there, a worker that lost its lease does not notice. The build replaces the variable, so that no environment can set it.
 */
export const HAS_FENCE = process.env.STOREPORT_NO_FENCE === undefined;

/**
 * One line if the lease is held, none if it is lost. Its parameters are the first three of the statement. A takeover waits for
 * the end of a transaction that has read it, and then sees what that has written. Renewals do not wait: a long transaction would
 * make the lease stale. So whoever gives the lease to another holder must lock its line by `for update` first.
 */
export const FENCE = HAS_FENCE
  ? 'select 1 from lease where store = $1 and epoch = $2 and holder = $3 for key share'
  : 'select 1 where $1::integer is not null and $2::bigint is not null and $3::text is not null';

/** The values of the parameters of `FENCE`. */
export function fenceValues({ store, epoch, holder }: LeaseId): readonly [number, number, string] {
  return [store, epoch, holder];
}

/**
 * Runs `work` in a transaction that commits only under the lease. Throws RunStopped if it is lost. `withinMs`: as for any
 * transaction.
 */
export function fenced<Result>(
  sql: Sql,
  lease: LeaseId,
  work: (sql: Sql) => Promise<Result>,
  withinMs?: number,
): Promise<Result> {
  return sql.transaction(async (inside) => {
    const held = await inside.query(FENCE, fenceValues(lease));
    if (held.length === 0) throw leaseLost();
    return work(inside);
  }, withinMs);
}

/** The error of a worker whose lease is lost: another one may send to the store. */
export function leaseLost(): RunStopped {
  return new RunStopped(
    'lease-lost',
    'This worker lost its lease on the store, so nothing more was sent: another one takes over.',
    ['What it had sent without an answer is in doubt until its answers arrive or the time for them is over.'],
  );
}
