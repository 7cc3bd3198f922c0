import { INCOMPLETE, type Outcome, type RecordRef } from '../../model/index.ts';
import { type Database, inTransaction } from '../database/database.ts';
import { STATEMENTS } from '../database/statements.ts';
import type { RecordTarget } from './identity.ts';

/** The latest known record with an identifier. (A `LockHolder` is a process.) */
export interface Holder {
  readonly id: string;
  readonly run: string;
  readonly row: number;
  readonly key: string;
  readonly ref: RecordRef;
}

/** Reads the records of one store and resource that have these identifiers, the latest first. */
export function holdersOf(
  database: Database,
  { store, resource }: RecordTarget,
  ids: readonly string[],
): Holder[] {
  const lines = database.prepare(STATEMENTS.holders).all(store, resource, JSON.stringify(ids)) as (Omit<
    Holder,
    'ref'
  > & { readonly by_run: number; readonly by_seq: number })[];
  return lines.map(({ id, run, row, key, by_run, by_seq }) => ({ id, run, row, key, ref: [by_run, by_seq] }));
}

/** An outcome that somebody has found out for a record in doubt. */
export interface Amendment {
  readonly run: number;
  readonly seq: number;
  readonly outcome: Pick<Outcome, 'outcome' | 'id' | 'code' | 'message'>;
}

/** Records of a later run that were held back by a doubt that is over. */
export interface Released {
  /** Run id. */
  readonly run: string;
  readonly records: number;
}

/**
 * The outcome of a record that was held back by a doubt that is over. It has values of its own, which were never sent, so it
 * shares no outcome with the record that was in doubt.
 */
export const RELEASED = {
  outcome: 'unsent',
  code: 'doubt-over',
  message:
    'not sent while another import of it was in doubt; that is settled now: a retry sends what differs',
} as const;

/** Changes the outcomes of records, and releases those that they held back. All or nothing. */
export function amend(database: Database, amendments: readonly Amendment[]): Released[] {
  const change = database.prepare(STATEMENTS.amend);
  const forget = database.prepare(STATEMENTS.forgetRows);
  const heldBy = database.prepare(STATEMENTS.heldBy);
  const forgetSequel = database.prepare(STATEMENTS.forgetSequel);
  const released = new Map<string, number>();
  inTransaction(database, () => {
    for (const { run, seq, outcome } of amendments) {
      const { outcome: word, id, code, message } = outcome;
      change.run(word, id ?? null, code ?? null, message ?? null, run, seq);
      if (!INCOMPLETE.has(word)) forget.run(run, seq);
      for (const held of heldBy.all(run, seq) as { id: string; run: number; seq: number }[]) {
        change.run(RELEASED.outcome, null, RELEASED.code, RELEASED.message, held.run, held.seq);
        forgetSequel.run(held.run, held.seq);
        released.set(held.id, (released.get(held.id) ?? 0) + 1);
      }
    }
  });
  return [...released].map(([run, records]) => ({ run, records }));
}
