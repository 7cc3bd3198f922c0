/** The statements of `run prune`, by purpose. */
export const PRUNE_STATEMENTS = {
  begin: `
    update run set pruned_at = ?1, prune_next = coalesce(prune_next, 0)
    where number = ?2`,
  // The size of a line without the columns that may be long is 30 bytes or so; of a line of kept rows, 10.
  lines: `
    select record.seq, key, outcome, id,
      30 + length(cast(key as blob)) + coalesce(length(id), 0) + coalesce(length(digests), 0)
        + coalesce(length(cast(message as blob)), 0)
        + coalesce(10 + length(cast(kept.rows as blob)) + coalesce(length(kept.kinds), 0), 0) as bytes
    from record left join kept on kept.run = record.run and kept.seq = record.seq
    where record.run = ? and record.seq >= ? order by record.seq limit ?`,
  target: `
    select target.number from run join target on target.store = run.store and target.resource = run.resource
    where run.number = ? and run.remembered`,
  current: `
    select identity.seq from json_each(?) as wanted
      cross join identity on identity.target = ? and identity.key = wanted.value
    where identity.run = ?`,
  inTrash: `
    select trash.seq from json_each(?) as wanted cross join trash on trash.target = ? and trash.id = wanted.value
    where trash.run = ?`,
  linked: `
    select seq from sequel where run = ?1 and seq between ?2 and ?3
    union all select by_seq from sequel where by_run = ?1 and by_seq between ?2 and ?3`,
  // The first condition on outcomes repeats the condition of the index, so that SQLite uses it.
  olderOpen: `
    select 1 from run join run as older on older.store = run.store and older.resource = run.resource
    where run.number = ? and older.number < run.number and older.command = 'import' and older.remembered
      and (older.state <> 'done' or exists (
        select 1 from record where record.run = older.number
          and outcome in ('invalid', 'rejected', 'failed', 'unsent', 'in-doubt') and outcome in ('failed', 'unsent')
      ))
    limit 1`,
  // A list of values, as the run alone is compared with a constant: see `forgetKept`.
  dropRecords: `delete from record where run = ? and seq in (select value from json_each(?))`,
  dropRows: `delete from kept where run = ? and seq in (select value from json_each(?))`,
  dropCheckpoints: `delete from mark where run = ? and seq between ? and ?`,
  noteDropped: `update run set pruned = ?, activity = null where number = ?`,
  noteNext: `update run set prune_next = ? where number = ?`,
} as const;
