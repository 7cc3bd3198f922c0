import type { Amendment } from '../../ledger/engine.ts';
import { INCOMPLETE } from '../../model/index.ts';
import type { Sql } from '../sql.ts';
import { storedOrNull } from '../text.ts';

/**
 * Changes the outcomes of records; all or none. Of several for one record, the last counts. The caller begins a fenced
 * transaction.
 */
export async function amendAll(sql: Sql, amendments: readonly Amendment[]): Promise<void> {
  const last = new Map(amendments.map((amendment) => [`${amendment.run} ${amendment.seq}`, amendment]));
  const changes = [...last.values()];
  for (let at = 0; at < changes.length; at += BATCH) await amendSome(sql, changes.slice(at, at + BATCH));
}

/** Records that one statement changes. */
const BATCH = 500;

async function amendSome(sql: Sql, amendments: readonly Amendment[]): Promise<void> {
  await sql.query(
    `
    update record set outcome = amended.outcome, id = amended.id, code = amended.code, message = amended.message
    from unnest($1::integer[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[])
      as amended (run, seq, outcome, id, code, message)
    where record.run = amended.run and record.seq = amended.seq`,
    [
      amendments.map(({ run }) => run),
      amendments.map(({ seq }) => seq),
      amendments.map(({ outcome }) => outcome.outcome),
      amendments.map(({ outcome }) => storedOrNull(outcome.id)),
      amendments.map(({ outcome }) => storedOrNull(outcome.code)),
      amendments.map(({ outcome }) => storedOrNull(outcome.message)),
    ],
  );
  const complete = amendments.filter(({ outcome }) => !INCOMPLETE.has(outcome.outcome));
  await sql.query(
    `
    delete from kept using unnest($1::integer[], $2::integer[]) as complete (run, seq)
    where kept.run = complete.run and kept.seq = complete.seq`,
    [complete.map(({ run }) => run), complete.map(({ seq }) => seq)],
  );
}
