/**
 * What was noted last stands in a log beside this file, one for each run that is not at its end; `epoch` says which
 * of its entries the tables do not have. `intents` then holds those that were open when the tables were written last.
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
