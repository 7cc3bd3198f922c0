import type { RecordTarget } from '../../ledger/engine.ts';
import { contactKey, normalisedKey } from '../../model/index.ts';
import type { Sql } from '../sql.ts';
import { INDEXED_LENGTH, indexedKey, loadedText } from '../text.ts';

/** Records that were sent or adopted. A record that is in doubt since an earlier run was not sent. */
const SAYS_WHAT_IS_THERE = `(
  outcome in ('created', 'updated') or outcome = 'in-doubt' and attempts > 0
  or outcome = 'unchanged' and code is null and run.command = 'adopt'
)`;

/** Keys that Postgres can normalise: trimming spaces is enough. */
const SIMPLE = `(length(record.key) <= ${INDEXED_LENGTH} and record.key collate "C" ~ '^[ -~]*$')`;

/**
 * An older run may end after a later one. Records that it created are then older than the updates of the later run, but not than
 * a doubt of it that was settled: nothing was there.
 */
const TAKES_THE_PLACE = `
  on conflict (target, key) do update set run = excluded.run, seq = excluded.seq
  where excluded.run >= identity.run or exists (
    select 1 from record where record.run = excluded.run and record.seq = excluded.seq and outcome = 'updated'
  ) or exists (
    select 1 from record where record.run = identity.run and record.seq = identity.seq
      and outcome not in ('created', 'updated', 'unchanged', 'in-doubt')
  )`;

/** A run with its records and its target. */
const RECORDS_OF_RUN = `
  run join target on target.store = run.store and target.resource = run.resource
    join record on record.run = run.number
  where run.number = $1 and run.remembered`;

/** In the order of the keys, so that the index is written page by page. Of several records of a key, the last counts. */
const identifyKeys = (key: string, condition: string) => `
  insert into identity (target, key, run, seq)
  select distinct on (key) target, key, run, seq from (
    select target.number as target, (${key}) collate "C" as key, record.run, record.seq
    from ${RECORDS_OF_RUN} and ${SAYS_WHAT_IS_THERE} and ${condition}
  ) as found
  order by key, seq desc
  ${TAKES_THE_PLACE}`;

/** In the order in which they run, each with the number of the run. */
const STEPS_BEFORE = [
  `
  insert into target (store, resource) select store, resource from run where number = $1 and remembered
  on conflict do nothing`,
  identifyKeys(`trim(record.key)`, `trim(record.key) <> '' and ${SIMPLE}`),
];
const STEPS_AFTER = [
  // Customers are also found by their mail address in lower case.
  identifyKeys(
    `lower(trim(record.key) collate "C")`,
    `run.resource = 'customers' and position('@' in record.key) > 0
      and record.key <> lower(record.key collate "C") and ${SIMPLE}`,
  ),
  // An undo without an answer may have happened.
  `
  insert into trash (target, id, run, seq)
  select distinct on (record.id) target.number, record.id, record.run, record.seq
  from ${RECORDS_OF_RUN} and run.command = 'undo' and record.id is not null
    and (outcome = 'updated' or outcome = 'failed' and attempts > 0)
  order by record.id, record.seq desc
  on conflict (target, id) do update set run = excluded.run, seq = excluded.seq`,
  // An update of a record in the trash is only sent with a status. A resumed run may be older than the undo; then its
  // updates may be older, too.
  `
  delete from trash
  where run < $1 and target = (
    select target.number from run join target on target.store = run.store and target.resource = run.resource
    where run.number = $1 and run.remembered and run.command = 'import'
  ) and exists (
    select 1 from record where record.run = $1 and record.id = trash.id and outcome = 'updated'
  )`,
  `update run set identified = true where number = $1`,
];

/**
 * Indexes the keys of a run: for keys that it created, updated or left in doubt, its records become the current ones. The
 * caller begins a transaction, and has its fence in it.
 */
export async function identifyIn(sql: Sql, run: number): Promise<void> {
  for (const step of STEPS_BEFORE) await sql.query(step, [run]);
  await identifyOthers(sql, run, `not ${SIMPLE}`, normalisedKey);
  await identifyOthers(sql, run, IS_CONTACT, contactKey);
  for (const step of STEPS_AFTER) await sql.query(step, [run]);
}

/** The numbers of runs that ended without their keys being indexed. Each needs `identifyIn` before the keys are asked for. */
export async function unidentifiedIn(sql: Sql, { store, resource }: RecordTarget): Promise<number[]> {
  const lines = await sql.query<{ number: number }>(
    `
    select number from run
    where not identified and state <> 'running' and remembered and store = $1 and resource = $2 order by number`,
    [store, resource],
  );
  return lines.map(({ number }) => number);
}

const PAGE = 1000;

/** Customers are also found by their phone number in every spelling, and by mail addresses that Postgres cannot normalise. */
const IS_CONTACT = `run.resource = 'customers'
  and (ltrim(record.key) collate "C" ~ '^([+([]|00)' or not ${SIMPLE})`;

/** Keys that are normalised here: long ones, those with other characters, and phone numbers. */
async function identifyOthers(
  sql: Sql,
  run: number,
  condition: string,
  normalise: (key: string) => string,
): Promise<void> {
  for (let last = -1; ; ) {
    const lines = await sql.query<{ seq: number; key: string }>(
      `
      select record.seq, record.key from ${RECORDS_OF_RUN} and ${SAYS_WHAT_IS_THERE} and ${condition}
        and record.seq > $2
      order by record.seq limit ${PAGE}`,
      [run, last],
    );
    const seqs = new Map(lines.map(({ seq, key }) => [indexedKey(normalise(loadedText(key))), seq]));
    await sql.query(
      `
      insert into identity (target, key, run, seq)
      select target.number, named.key, run.number, named.seq
      from unnest($2::text[], $3::integer[]) as named (key, seq)
        cross join run join target on target.store = run.store and target.resource = run.resource
      where run.number = $1
      order by named.key collate "C"
      ${TAKES_THE_PLACE}`,
      [run, [...seqs.keys()], [...seqs.values()]],
    );
    if (lines.length < PAGE) return;
    last = lines.at(-1)?.seq ?? last;
  }
}
