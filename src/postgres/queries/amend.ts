import { type Amendment, RELEASED, type Released } from '../../ledger/engine.ts';
import { INCOMPLETE } from '../../model/index.ts';
import type { Sql } from '../sql.ts';
import { storedOrNull } from '../text.ts';

/** Runs with records that were held back by a doubt that is over. */
export interface ReleasedRun extends Released {
  readonly number: number;
}

/**
 * Changes the outcomes of records, and releases those that they held back; all or none. Of several for one record, the last
 * counts. The caller begins a fenced transaction.
 */
export async function amendAll(sql: Sql, amendments: readonly Amendment[]): Promise<ReleasedRun[]> {
  const last = new Map(amendments.map((amendment) => [`${amendment.run} ${amendment.seq}`, amendment]));
  const changes = [...last.values()];
  const released = new Map<number, ReleasedRun>();
  for (let at = 0; at < changes.length; at += BATCH)
    for (const each of await amendSome(sql, changes.slice(at, at + BATCH)))
      released.set(each.number, {
        ...each,
        records: each.records + (released.get(each.number)?.records ?? 0),
      });
  return [...released.values()];
}

/** Records that one statement changes. */
const BATCH = 500;

async function amendSome(sql: Sql, amendments: readonly Amendment[]): Promise<ReleasedRun[]> {
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
  return sql.query<ReleasedRun>(RELEASE, [
    amendments.map(({ run }) => run),
    amendments.map(({ seq }) => seq),
    ...[RELEASED.outcome, RELEASED.code, RELEASED.message],
  ]);
}

/** Records that were settled without a request since one of these was in doubt. */
const RELEASE = `
  with held as (
    select sequel.run, sequel.seq
    from unnest($1::integer[], $2::integer[]) as amended (run, seq)
      join sequel on by_run = amended.run and by_seq = amended.seq
      join record on record.run = sequel.run and record.seq = sequel.seq
    where record.outcome = 'in-doubt' and record.attempts = 0
  ), parted as (
    delete from sequel using held where sequel.run = held.run and sequel.seq = held.seq
  ), released as (
    update record set outcome = $3, code = $4, message = $5 from held
    where record.run = held.run and record.seq = held.seq
    returning record.run
  )
  select run.id as run, run.number, count(*)::integer as records
  from released join run on run.number = released.run
  group by run.id, run.number order by run.number`;
