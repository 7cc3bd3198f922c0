/**
 * Records that an undo put into the trash, or may have, until an update restores them. By identifier, since some have
 * no key.
 */
export default `
create table trash (
  target integer not null references target (number),
  id text not null,
  run integer not null,         -- the undo
  seq integer not null,
  primary key (target, id)
) strict, without rowid;
insert into trash (target, id, run, seq)
  select identity.target, record.id, record.run, record.seq
  from identity join run on run.number = identity.run
    join record on record.run = identity.run and record.seq = identity.seq
  where run.command = 'undo' and record.outcome = 'updated' and record.id is not null
  on conflict do nothing;
`;
