/**
 * The history of records after their run: they are retried, resolved, or imported again by another run, whose record is
 * then the current one. A run whose files were read to their end (`whole`) has all its records here, and does not need
 * the files any more.
 */
export default `
alter table run add column command text not null default 'import';   -- or adopt, undo
alter table run add column whole integer not null default 0;
update run set whole = 1 where state = 'done';
create table sequel (
  run integer not null,
  seq integer not null,
  by_run integer not null,      -- the last record that came of it, however often it came back
  by_seq integer not null,
  primary key (run, seq)
) strict, without rowid;
create index sequel_by on sequel (by_run, by_seq);
create index record_open on record (run, row)
  where outcome in ('invalid', 'rejected', 'failed', 'unsent', 'in-doubt');
`;
