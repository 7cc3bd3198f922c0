export type { EarlierRecord, FindEarlier } from './earlier.ts';
export type { Intent } from './intents.ts';
export type { Journal } from './journal.ts';
export type { Amendment, Created, Holder } from './later.ts';
export { type Knowledge, knowsAny, type Ledger, type OpenRun, openLedger } from './ledger.ts';
export { type LockHolder, lockExport } from './lock.ts';
export {
  type KnownRun,
  type NewRun,
  type RunCommand,
  type RunEnd,
  runUnder,
  type SourceFile,
} from './runs.ts';
export type { Mark } from './tables.ts';
