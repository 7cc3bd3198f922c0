/** Every statement that the ledger runs, by what it is for. */
export const STATEMENTS = {
  beginRun: `
    insert into run (id, state, resource, mode, store, mapping_name, mapping_digest, files, header, out, version, started_at)
    values (?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  endRun: `update run set state = ?, stop_reason = ?, files = ?, finished_at = ? where number = ?`,
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

/** Statements over many rows: the places of one, and the text around the places of all. */
export const MANY = {
  settle: {
    place: '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    sqlFor: (places: string) =>
      `insert into record
         (run, seq, row, key, outcome, id, http_status, attempts, duration_ms, code, field, message)
       values ${places}`,
  },
  keep: {
    place: '(?, ?, ?)',
    sqlFor: (places: string) => `insert into kept (run, seq, rows) values ${places}`,
  },
} as const;
