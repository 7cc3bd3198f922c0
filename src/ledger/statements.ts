/** Every statement that the ledger runs, by what it is for. */
export const STATEMENTS = {
  beginRun: `
    insert into run
      (id, state, resource, mode, store, remembered, mapping_name, mapping_digest, files, header, options, out, version,
        started_at)
    values (?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  reopenRun: `update run set state = 'running' where number = ?`,
  endRun: `
    update run set state = ?, stop_reason = ?, stop_message = ?, not_read = ?, files = ?,
      worked_ms = worked_ms + ?, finished_at = ?
    where number = ?`,
  crashRun: `
    update run set state = 'stopped', stop_reason = 'crashed', stop_message = ?, not_read = null, finished_at = ?
    where number = ?`,
  runs: `select * from run order by number desc`,
  outcomes: `select outcome, count(*) as count from record where run = ? group by outcome`,
  shapes: `select number, fields from shape`,
  // Another run may have added it meanwhile.
  addShape: `insert into shape (fields) values (?) on conflict (fields) do update set fields = fields returning number`,
  addTarget: `
    insert or ignore into target (store, resource) select store, resource from run where number = ? and remembered`,
  // In the order of the keys, so that the tree is written page by page.
  identify: `
    insert into identity (target, key, run, seq)
    select target.number, trim(record.key), record.run, record.seq
    from record join run on run.number = record.run
      join target on target.store = run.store and target.resource = run.resource
    where record.run = ? and run.remembered and record.outcome in ('created', 'updated', 'in-doubt')
      and trim(record.key) <> '' and record.key not glob '*[^ -~]*'
    order by 2
    on conflict (target, key) do update set run = excluded.run, seq = excluded.seq`,
  identifiedByHand: `
    select seq, key from record
    where run = ? and outcome in ('created', 'updated', 'in-doubt') and key glob '*[^ -~]*'`,
  identifyOne: `
    insert or replace into identity (target, key, run, seq)
    select target.number, ?1, run.number, ?3
    from run join target on target.store = run.store and target.resource = run.resource
    where run.number = ?2 and run.remembered`,
  target: `
    select number from target
    where store = ? and resource = ? and exists (select 1 from identity where target = target.number)`,
  anythingKnown: `
    select 1 from target where resource = ? and exists (select 1 from identity where target = target.number)`,
  // `cross join` keeps this order: SQLite would begin with the runs, and walk through all their records for each batch.
  known: `
    select wanted.value as key, run.id as run, record.row, record.outcome, record.id, record.code, shape.fields,
      record.digests
    from json_each(?) as wanted
      cross join identity on identity.target = ? and identity.key = wanted.value
      cross join record on record.run = identity.run and record.seq = identity.seq
      cross join run on run.number = record.run
      left join shape on shape.number = record.shape
    where record.outcome in ('created', 'updated', 'unchanged', 'in-doubt')`,
  diedAt: `select number, id from run where state = 'running' and store = ?`,
  markBefore: `select seq, file, at, row, line from mark where run = ? and seq <= ? order by seq desc limit 1`,
  settled: `
    select record.seq, row, key, outcome, id, http_status, attempts, duration_ms, code, field, message, kept.rows
    from record left join kept on kept.run = record.run and kept.seq = record.seq
    where record.run = ? order by record.seq`,
  intend: `insert into intents (run, entries, at) values (?, ?, ?)`,
  forgetIntents: `delete from intents where run = ?`,
  intents: `select entries from intents where run = ?`,
  epoch: `select epoch from run where number = ?`,
  beginEpoch: `update run set epoch = ? where number = ?`,
} as const;

const SETTLED = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const INTO_RECORD = `into record
  (run, seq, row, key, outcome, id, http_status, attempts, duration_ms, code, field, message, shape, digests)`;

/** Statements over many rows: the places of one, and the text around the places of all. */
export const MANY = {
  settle: {
    place: SETTLED,
    sqlFor: (places: string) => `insert ${INTO_RECORD} values ${places}`,
  },
  keep: {
    place: '(?, ?, ?)',
    sqlFor: (places: string) => `insert into kept (run, seq, rows) values ${places}`,
  },
  mark: {
    place: '(?, ?, ?, ?, ?, ?)',
    sqlFor: (places: string) =>
      `insert or replace into mark (run, seq, file, at, row, line) values ${places}`,
  },
  /** Where a run goes on, what was unsent before ends anew. */
  settleAgain: {
    place: SETTLED,
    sqlFor: (places: string) => `insert or replace ${INTO_RECORD} values ${places}`,
  },
  // The run is written out: of `(run, seq) in (values …)` SQLite makes a walk through the whole table.
  forgetKept: (run: number) => ({
    place: '?',
    sqlFor: (places: string) => `delete from kept where run = ${run} and seq in (${places})`,
  }),
} as const;
