/** Groups rows into records: consecutive rows, or rows that belong together wherever they are. */

export { type Completed, type Grouping, group } from './consecutive.ts';
export { openParts, type SpilledParts } from './parts.ts';
export { createReturningKeys, type KeySet } from './returning-keys.ts';
export { openRowTables, type RowTables } from './row-tables.ts';
export { openTemporaryTables, type TemporaryTables } from './temporary-tables.ts';
export { groupUnordered, type UnorderedGrouping } from './unordered.ts';
