export type { Lookup } from './identity.ts';
export type { Intent } from './intents.ts';
export type { Journal } from './journal.ts';
export { knowsAny, type Ledger, type OpenRun, openLedger } from './ledger.ts';
export type { KnownRun, NewRun, RunEnd, SourceFile } from './runs.ts';
export type { Mark } from './tables.ts';
