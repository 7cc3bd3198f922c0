/**
 * Intents of one commit are one line: inserting and deleting a line for each cost more than sending the request. An
 * intent is open while `record` has no line for it. The line is deleted once none of its intents is open.
 */
export default `
create table intents (
  batch integer primary key,
  run integer not null references run (number),
  entries text not null,    -- JSON: [[seq, row, key, kind, [[row, [cell, …]], …]], …]
  at integer not null
) strict;
insert into intents (run, entries, at)
  select run, json_array(json_array(seq, row, key, kind, json(rows))), at from intent;
drop table intent;
create view intent as     -- those that are open
  select
    intents.run as run,
    entry.value ->> 0 as seq,
    entry.value ->> 1 as row,
    entry.value ->> 2 as key,
    entry.value ->> 3 as kind,
    entry.value -> 4 as rows,
    intents.at as at
  from intents, json_each(intents.entries) as entry
  where not exists (
    select 1 from record where record.run = intents.run and record.seq = entry.value ->> 0
  );
`;
