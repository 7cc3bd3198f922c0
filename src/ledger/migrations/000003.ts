/**
 * The latest entries are in a log beside this file, one for each run that has not ended. `epoch` identifies the entries
 * that are not in the tables yet. `intents` now has the intents that were open when the tables were last written.
 */
export default `
alter table run add column epoch integer not null default 0;
drop view intent;
delete from intents where not exists (
  select 1 from json_each(intents.entries) as entry
  where not exists (select 1 from record where record.run = intents.run and record.seq = entry.value ->> 0)
);
update intents set entries = (
  select json_group_array(json(entry.value)) from json_each(intents.entries) as entry
  where not exists (select 1 from record where record.run = intents.run and record.seq = entry.value ->> 0)
);
create index intents_of_run on intents (run);
`;
