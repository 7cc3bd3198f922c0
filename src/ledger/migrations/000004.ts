/** Data for resuming a run: the command's options, why it stopped, and places in its files to read from. */
export default `
alter table run add column options text not null default '{}';  -- JSON: what the command was given, without secrets
alter table run add column stop_message text;
alter table run add column not_read integer;      -- records behind the last one that was read; null: not known
alter table run add column worked_ms integer not null default 0;  -- in all its executions
create table mark (
  run integer not null references run (number),
  seq integer not null,     -- the record that begins there
  file integer not null,    -- position in run.files
  at integer not null,      -- byte
  row integer not null,
  line integer not null,
  primary key (run, seq)
) strict, without rowid;
`;
