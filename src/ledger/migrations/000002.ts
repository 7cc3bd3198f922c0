/**
 * Intents of one commit are one line: a line for each, and its deletion, cost more than sending the request did.
 * An intent is open while `record` has no line for it; the line goes when none of its intents is.
 */
export const sql = `
create table intents (
  batch integer primary key,
  run integer not null references run (number),
  entries text not null,    -- JSON: [[seq, row, key, kind, [[row, [cell, …]], …]], …]
  at integer not null
) strict;
insert into intents (run, entries, at)
  select run, json_array(json_array(seq, row, key, kind, json(rows))), at from intent;
drop table intent;
`;
