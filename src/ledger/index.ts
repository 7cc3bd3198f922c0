export { type LockHolder, lockExport } from './files/lock.ts';
export { type Knowledge, knowsAny, type Ledger, type OpenRun, openLedger } from './ledger.ts';
export type { EarlierRecord, FindEarlier } from './records/earlier.ts';
export type { Intent } from './records/intents.ts';
export type { Journal } from './records/journal.ts';
export type { Amendment, Created, Holder } from './records/later.ts';
export type { Mark } from './records/tables.ts';
export {
  type KnownRun,
  type NewRun,
  type RunCommand,
  type RunEnd,
  runUnder,
  type SourceFile,
} from './runs.ts';
