/**
 * From now on a log names its run, has a tip, and exists until its run has ended. `ledger.sums` has the checksums of
 * this file's pages. 0: the run has no such log yet, or an earlier version began it.
 */
export default `
alter table run add column log_format integer not null default 0;
`;
