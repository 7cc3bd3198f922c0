/**
 * 1 if the keys of a run are indexed. Those of a run that died are indexed on demand, or when it is resumed and ends.
 */
export default `
alter table run add column identified integer not null default 0;
update run set identified = 1 where state <> 'running';
`;
