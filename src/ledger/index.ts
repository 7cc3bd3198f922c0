export type { Intent } from './intents.ts';
export type { Journal } from './journal.ts';
export { type Ledger, type NewRun, type OpenRun, openLedger, type SourceFile } from './ledger.ts';
