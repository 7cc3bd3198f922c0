export type {
  EarlierPlace,
  Ledger,
  LedgerSource,
  LocalLedger,
  Lookup,
  OlderRun,
  OpenRun,
  StoreHistory,
} from './contract.ts';
export type { LedgerSpace } from './database/space.ts';
export { type LockHolder, lockExport, lockPage } from './files/lock.ts';
export { localLedger, openLedger } from './ledger.ts';
export type { EarlierRecord } from './records/earlier.ts';
export type { RecordOrigin } from './records/identity.ts';
export { decodeIntent, encodeIntent, type Intent, intentText } from './records/intents.ts';
export type { RunJournal } from './records/journal.ts';
export type { Pruned } from './records/prune.ts';
export type { Checkpoint } from './records/record-store.ts';
export type { Amendment, Holder, Released } from './records/resolve-queries.ts';
export type { Created } from './records/retry-queries.ts';
export {
  type CountedRun,
  countedRuns,
  type KnownRun,
  type NewRun,
  type OutcomeCounts,
  type RunCommand,
  type RunEnd,
  runsUnder,
  runUnder,
  type SourceFile,
} from './runs.ts';
export { type LedgerView, openLedgerView } from './view.ts';
