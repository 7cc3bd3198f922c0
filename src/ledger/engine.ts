/** Shared by the engines of the ledger: the contract, and the forms in which records are stored. */
export type {
  EarlierPlace,
  Ledger,
  LedgerSource,
  Lookup,
  OlderRun,
  OpenRun,
  StoreHistory,
} from './contract.ts';
export { followEntries } from './fold/pending.ts';
export { CRASH_MESSAGE, outcomeAfterCrash } from './records/after-crash.ts';
export {
  type CurrentLine,
  type EarlierLine,
  type EarlierRecord,
  type EarlierRun,
  earlierRecordOf,
  mostSimilar,
  NEAR,
} from './records/earlier.ts';
export {
  importedFrom,
  type KnownLine,
  type OriginLine,
  priorStateOf,
  type RecordOrigin,
  type RecordTarget,
} from './records/identity.ts';
export {
  decodeIntent,
  type Intent,
  type PackedIntent,
  packedText,
  packKinds,
  packRows,
  unpackIntent,
} from './records/intents.ts';
export { type Folding, openJournal, type RunJournal } from './records/journal.ts';
export { decodeLogEntry, entryPieces, type LogEntry } from './records/log-entry.ts';
export type { Checkpoint } from './records/record-store.ts';
export { type Amendment, type Holder, RELEASED, type Released } from './records/resolve-queries.ts';
export type { Created } from './records/retry-queries.ts';
export {
  type EndingLine,
  endingIn,
  fileAt,
  JUST_CREATED,
  type PlainLine,
  type RecordLine,
  type SequelLine,
  sequelIn,
  settledIn,
  withSequels,
  withUnwritten,
} from './records/settled.ts';
export {
  type KnownRun,
  knownRun,
  type NewRun,
  type OutcomeCounts,
  type RunCommand,
  type RunEnd,
  type SourceFile,
  type StoredRun,
} from './runs.ts';
export type { EntryLog } from './wal/entry-log.ts';
