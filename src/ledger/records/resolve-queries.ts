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

/** Changes the outcomes of records. All or nothing. */
export function amend(database: Database, amendments: readonly Amendment[]): void {
  const change = database.prepare(STATEMENTS.amend);
  const forget = database.prepare(STATEMENTS.forgetRows);
  inTransaction(database, () => {
    for (const { run, seq, outcome } of amendments) {
      const { outcome: word, id, code, message } = outcome;
      change.run(word, id ?? null, code ?? null, message ?? null, run, seq);
      if (!INCOMPLETE.has(word)) forget.run(run, seq);
    }
  });
}
