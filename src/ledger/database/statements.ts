import { NOT_POSSIBLE } from '../../model/index.ts';

/** Outcomes of incomplete records. The index `record_open` has the same condition, word for word. */
const OPEN = `outcome in ('invalid', 'rejected', 'failed', 'unsent', 'in-doubt')`;

/** Records without further details. */
const PLAIN = `outcome = 'created' and code is null and field is null and message is null`;

/** Records that were sent or adopted. A record that is in doubt since an earlier run was not sent. */
const SAYS_WHAT_IS_THERE = `(
  outcome in ('created', 'updated') or outcome = 'in-doubt' and attempts > 0
  or outcome = 'unchanged' and code is null and (select command from run where number = record.run) = 'adopt'
)`;

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

const NOT_POSSIBLE_WORDS = [...NOT_POSSIBLE].map((code) => `'${code}'`).join(', ');

/** Every statement that the ledger runs, by purpose; those of `run prune` are in prune-statements.ts. */
export const STATEMENTS = {
  beginRun: `
    insert into run
      (id, state, command, resource, mode, store, remembered, mapping_name, mapping_digest, files, header, options, out,
        version, started_at, base)
    values (?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  // The keys of the run will change, so they must be indexed again. Its paths are as found now.
  reopenRun: `
    update run set state = 'running', identified = 0, log_format = 0, files = ?2, options = ?3, out = ?4, base = ?5
    where number = ?1`,
  hasLog: `update run set log_format = ? where number = ?`,
  endRun: `
    update run set state = ?1, stop_reason = ?2, stop_message = ?3, not_read = ?4, files = ?5,
      worked_ms = worked_ms + ?6, finished_at = ?7, whole = whole or ?1 = 'done',
      activity = coalesce(?9, activity)
    where number = ?8`,
  keepActivity: `update run set activity = ? where number = ?`,
  crashRun: `
    update run set state = 'stopped', stop_reason = 'crashed', stop_message = ?1,
      not_read = case when whole then 0 end, finished_at = max(?2, started_at),
      worked_ms = case when worked_ms = 0 then max(0, ?2 - started_at) else worked_ms end
    where number = ?3`,
  runs: `select * from run order by number desc`,
  run: `select * from run where number = ?`,
  runOfId: `select * from run where id = ?`,
  // A record that was imported again counts with its current outcome, a dropped one with its last.
  outcomes: `
    select outcome, sum(count) as count from (
      select outcome, count(*) as count from record where run = ?1 group by outcome
      union all
      select record.outcome, -1 from sequel join record on record.run = sequel.run and record.seq = sequel.seq
        where sequel.run = ?1
      union all
      select record.outcome, 1 from sequel join record on record.run = by_run and record.seq = by_seq
        where sequel.run = ?1
      union all
      select entry.key, entry.value from run join json_each(coalesce(run.pruned, '{}')) as entry where run.number = ?1
    )
    group by outcome having sum(count) > 0`,
  shapes: `select number, fields from shape`,
  // Another run may have added it meanwhile.
  addShape: `insert into shape (fields) values (?) on conflict (fields) do update set fields = fields returning number`,
  identified: `update run set identified = 1 where number = ?`,
  unidentified: `
    select number from run
    where not identified and state <> 'running' and remembered and store = ? and resource = ? order by number`,
  addTarget: `
    insert or ignore into target (store, resource) select store, resource from run where number = ? and remembered`,
  // In the order of the keys, so that the B-tree is written page by page.
  identify: `
    insert into identity (target, key, run, seq)
    select target.number, trim(record.key), record.run, record.seq
    from record join run on run.number = record.run
      join target on target.store = run.store and target.resource = run.resource
    where record.run = ? and run.remembered and ${SAYS_WHAT_IS_THERE}
      and trim(record.key) <> '' and record.key not glob '*[^ -~]*'
    order by 2
    ${TAKES_THE_PLACE}`,
  // Customers are also found by their mail address in lower case.
  identifyMails: `
    insert into identity (target, key, run, seq)
    select target.number, lower(trim(record.key)), record.run, record.seq
    from record join run on run.number = record.run
      join target on target.store = run.store and target.resource = run.resource
    where record.run = ? and run.remembered and run.resource = 'customers' and ${SAYS_WHAT_IS_THERE}
      and instr(record.key, '@') > 0 and record.key <> lower(record.key) and record.key not glob '*[^ -~]*'
    order by 2
    ${TAKES_THE_PLACE}`,
  identifiedByHand: `
    select seq, key from record
    where run = ? and ${SAYS_WHAT_IS_THERE} and key glob '*[^ -~]*'`,
  // Customers are also found by their phone number in every spelling, and by mail addresses that SQLite cannot normalise.
  identifiedByContact: `
    select seq, key from record join run on run.number = record.run
    where run = ? and run.resource = 'customers' and ${SAYS_WHAT_IS_THERE}
      and (ltrim(key) glob '[+([]*' or ltrim(key) glob '00*' or key glob '*[^ -~]*')`,
  countries: `
    select distinct json_extract(options, '$.country') as country from run
    where store = ? and resource = ? and remembered and country is not null`,
  identifyOne: `
    insert into identity (target, key, run, seq)
    select target.number, ?1, run.number, ?3
    from run join target on target.store = run.store and target.resource = run.resource
    where run.number = ?2 and run.remembered
    ${TAKES_THE_PLACE}`,
  // An undo without an answer may have happened.
  trash: `
    insert or replace into trash (target, id, run, seq)
    select target.number, record.id, record.run, record.seq
    from run join target on target.store = run.store and target.resource = run.resource
      join record on record.run = run.number
    where run.number = ? and run.remembered and run.command = 'undo' and record.id is not null
      and (outcome = 'updated' or outcome = 'failed' and attempts > 0)`,
  // An update of a record in the trash is only sent with a status. A resumed run may be older than the undo; then its
  // updates may be older, too.
  restore: `
    delete from trash
    where run < ?1 and target = (
      select target.number from run join target on target.store = run.store and target.resource = run.resource
      where run.number = ?1 and run.remembered and run.command = 'import'
    ) and id in (select id from record where record.run = ?1 and outcome = 'updated')`,
  anyTrash: `
    select target.number from target
    where store = ? and resource = ? and exists (select 1 from trash where target = target.number)`,
  trashExists: `select 1 from trash limit 1`,
  trashed: `
    select wanted.value as id, run.id as run, record.outcome
    from json_each(?) as wanted
      cross join trash on trash.target = ? and trash.id = wanted.value
      cross join run on run.number = trash.run
      cross join record on record.run = trash.run and record.seq = trash.seq`,
  target: `
    select number from target
    where store = ? and resource = ? and exists (select 1 from identity where target = target.number)`,
  knowsResource: `
    select 1 from target where resource = ?1 and exists (select 1 from identity where target = target.number)
    union all select 1 from run where resource = ?1 and remembered and not identified`,
  // `cross join` fixes the order: SQLite would begin with the runs, and search all their records for each batch.
  known: `
    select wanted.value as key, run.id as run, record.row, record.outcome, record.id, record.code, shape.fields,
      record.digests, record.run as by_run,
      record.seq as by_seq
    from json_each(?) as wanted
      cross join identity on identity.target = ? and identity.key = wanted.value
      cross join record on record.run = identity.run and record.seq = identity.seq
      cross join run on run.number = record.run
      left join shape on shape.number = record.shape
    where record.outcome in ('created', 'updated', 'unchanged', 'in-doubt')`,
  diedAt: `select number, id, command from run where state = 'running' and store = ?`,
  checkpointBefore: `select seq, file, at, row, line from mark where run = ? and seq <= ? order by seq desc limit 1`,
  // In two parts: each value read of a million records costs half a second, and most records were just created.
  settledPlain: `
    select seq, row, key, id, http_status, attempts, duration_ms from record where run = ? and ${PLAIN} order by seq`,
  settledOther: `
    select record.seq, row, file, key, outcome, id, http_status, attempts, duration_ms, code, field, message, kept.rows,
      kept.kinds
    from record left join kept on kept.run = record.run and kept.seq = record.seq
    where record.run = ? and not (${PLAIN}) order by record.seq`,
  endingsPlain: `select seq, row, key from record where run = ? and ${PLAIN} order by seq`,
  endingsPlainOfFiles: `select seq, row, file, key from record where run = ? and ${PLAIN} order by seq`,
  endingsOther: `
    select seq, row, file, key, outcome, id, code from record where run = ? and not (${PLAIN}) order by seq`,
  sequels: `
    select sequel.seq, key, outcome, record.id, http_status, attempts, duration_ms, code, field, message, kept.rows,
      kept.kinds, by_run, by_seq, run.id as run, run.header
    from sequel
      join record on record.run = by_run and record.seq = by_seq
      join run on run.number = by_run
      left join kept on kept.run = by_run and kept.seq = by_seq
    where sequel.run = ? order by sequel.seq`,
  runById: `select number, files, header, pruned from run where id = ? and store = ? and resource = ? and remembered`,
  openAt: `
    select record.seq, row, outcome, code, field, message, kept.rows
    from record join kept on kept.run = record.run and kept.seq = record.seq
    where record.run = ? and row <= ? and ${OPEN} order by row desc limit ?`,
  recordWithRows: `
    select record.seq, row, outcome, code, field, message, kept.rows
    from record left join kept on kept.run = record.run and kept.seq = record.seq
    where record.run = ? and record.seq = ?`,
  currentRecord: `
    select run.id as run, run.number, record.seq, row, outcome, code
    from sequel join record on record.run = by_run and record.seq = by_seq join run on run.number = by_run
    where sequel.run = ? and sequel.seq = ?`,
  seqBounds: `
    select (select seq from record where run = ?1 order by seq limit 1) as first,
      (select seq from record where run = ?1 order by seq desc limit 1) as last`,
  nextRecord: `select seq, row from record where run = ? and seq >= ? order by seq limit 1`,
  recordOfRow: `select seq from record where run = ? and row = ? order by seq limit 1`,
  filesOf: `select files from run where number = ?`,
  headerOf: `select header from run where number = ?`,
  // An incomplete record does not replace a complete one.
  supersede: `
    insert into sequel (run, seq, by_run, by_seq) values (?1, ?2, ?3, ?4)
    on conflict (run, seq) do update set by_run = excluded.by_run, by_seq = excluded.by_seq
    where not ?5 or exists (
      select 1 from record where record.run = sequel.by_run and record.seq = sequel.by_seq and ${OPEN}
    )`,
  relink: `update sequel set by_run = ?, by_seq = ? where by_run = ? and by_seq = ?`,
  // Read page by page, since the records are changed meanwhile.
  toRetry: `
    select record.seq, row, file, key, outcome, id, http_status, attempts, duration_ms, code, field, message, kept.rows
    from kept cross join record on record.run = kept.run and record.seq = kept.seq
    where kept.run = ? and kept.seq > ? and outcome in (select value from json_each(?))
      and coalesce(code, '') not in (${NOT_POSSIBLE_WORDS})
      and not exists (select 1 from sequel where sequel.run = kept.run and sequel.seq = kept.seq)
    order by kept.seq limit ?`,
  created: `
    select record.seq, record.row, record.file, coalesce(later.key, record.key) as key, coalesce(later.id, record.id) as id
    from record
      left join sequel on sequel.run = record.run and sequel.seq = record.seq
      left join record as later on later.run = by_run and later.seq = by_seq
    where record.run = ? and record.seq > ? and coalesce(later.outcome, record.outcome) = 'created'
      and coalesce(later.id, record.id) is not null
    order by record.seq limit ?`,
  settledAfter: `
    select run.id as run, record.key, record.id
    from run cross join record on record.run = run.number
    where run.store = ? and run.resource = ? and run.number > ? and run.command = 'import' and run.remembered
      and (outcome in ('created', 'updated') or outcome = 'unchanged' and code is null
        or outcome = 'in-doubt' and attempts > 0)
    order by run.number desc, record.seq`,
  // Only identifiers from the store's own answers show what its identifiers look like, not those that a user entered.
  someIds: `
    select record.id from target
      cross join identity on identity.target = target.number
      cross join record on record.run = identity.run and record.seq = identity.seq
    where target.store = ? and outcome in ('created', 'updated') and http_status between 200 and 299
      and record.id is not null
    limit 100`,
  sourceOf: `
    select run.id as run, run.command, run.files, record.file
    from record join run on run.number = record.run where record.run = ? and record.seq = ?`,
  // Reads all records of the resource, since identifiers have no index. Used only on a user's request.
  holders: `
    select record.id, run.id as run, record.row, record.key, record.run as by_run, record.seq as by_seq
    from run cross join record on record.run = run.number
    where run.store = ? and run.resource = ? and run.remembered and run.command <> 'undo'
      and outcome in ('created', 'updated', 'unchanged') and record.id in (select value from json_each(?))
    order by record.run desc, record.seq`,
  amend: `update record set outcome = ?, id = ?, code = ?, message = ? where run = ? and seq = ?`,
  // Records that were settled without a request since this one was in doubt.
  heldBy: `
    select run.id, sequel.run, sequel.seq
    from sequel
      join record on record.run = sequel.run and record.seq = sequel.seq
      join run on run.number = sequel.run
    where by_run = ? and by_seq = ? and record.outcome = 'in-doubt' and record.attempts = 0`,
  forgetSequel: `delete from sequel where run = ? and seq = ?`,
  forgetRows: `delete from kept where run = ? and seq = ?`,
  intend: `insert into intents (run, entries, at) values (?, ?, ?)`,
  forgetIntents: `delete from intents where run = ?`,
  intents: `select entries from intents where run = ?`,
  logOf: `select id as run, epoch, log_format as format from run where number = ?`,
  runOfLog: `select state, epoch from run where id = ?`,
  beginEpoch: `update run set epoch = ? where number = ?`,
} as const;

const SETTLED = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const INTO_RECORD = `into record
  (run, seq, row, key, outcome, id, http_status, attempts, duration_ms, code, field, message, shape, digests, file)`;

/** Statements over many rows: the placeholders of one row, and the text around those of all. */
export const BULK = {
  settle: {
    place: SETTLED,
    sqlFor: (places: string) => `insert ${INTO_RECORD} values ${places}`,
  },
  keep: {
    place: '(?, ?, ?, ?)',
    sqlFor: (places: string) => `insert into kept (run, seq, rows, kinds) values ${places}`,
  },
  mark: {
    place: '(?, ?, ?, ?, ?, ?)',
    sqlFor: (places: string) =>
      `insert or replace into mark (run, seq, file, at, row, line) values ${places}`,
  },
  /** In a resumed run, records that were unsent before are settled again. */
  resettle: {
    place: SETTLED,
    sqlFor: (places: string) => `insert or replace ${INTO_RECORD} values ${places}`,
  },
  // The run is a literal: for `(run, seq) in (values …)` SQLite would scan the whole table.
  forgetKept: (run: number) => ({
    place: '?',
    sqlFor: (places: string) => `delete from kept where run = ${run} and seq in (${places})`,
  }),
  /** A record that is settled again is the current one: it may have shared a doubt that is over. */
  forgetSequels: (run: number) => ({
    place: '?',
    sqlFor: (places: string) => `delete from sequel where run = ${run} and seq in (${places})`,
  }),
} as const;
