/** Whether the keys of a run are known: those of one that died wait until somebody asks, or it has gone on to its end. */
export default `
alter table run add column identified integer not null default 0;
update run set identified = 1 where state <> 'running';
`;
