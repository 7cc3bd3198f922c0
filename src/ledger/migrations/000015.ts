/** A pruned run has lost the lines that nothing needs any more; `records/prune.ts` says which. */
export default `
alter table run add column pruned_at integer;     -- when a prune last went through its lines
alter table run add column pruned text;           -- JSON: {outcome: number of lines that were dropped}; null: none was
alter table run add column prune_next integer;    -- the record at which an interrupted prune continues; null: it has ended
`;
