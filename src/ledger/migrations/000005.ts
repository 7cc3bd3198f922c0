/**
 * Identity: the latest record that says what a key is at a store. Of the fields sent to the store, a digest is kept for
 * each top-level field. A shape is a list of fields that many records have in common.
 */
export default `
create table shape (
  number integer primary key,
  fields text not null unique   -- with commas between
) strict;
alter table run add column remembered integer not null default 1;  -- 0: its store was gone when its command ended
alter table record add column shape integer references shape (number);
alter table record add column digests text;   -- 8 characters for each field of the shape
create table target (
  number integer primary key,
  store text not null,
  resource text not null,
  unique (store, resource)
) strict;
create table identity (
  target integer not null references target (number),
  key text not null,            -- normalised
  run integer not null,
  seq integer not null,
  primary key (target, key)
) strict, without rowid;
insert into target (store, resource) select distinct store, resource from run;
insert or replace into identity (target, key, run, seq)
  select target.number, trim(record.key), record.run, record.seq
  from record join run on run.number = record.run
    join target on target.store = run.store and target.resource = run.resource
  where trim(record.key) <> '' and record.outcome in ('created', 'updated', 'in-doubt')
  order by record.run, record.seq;
`;
