/** What the engines of the ledger share: the contract, and the forms in which records are stored. */
export type {
  EarlierPlace,
  Ledger,
  Lookup,
  OpenRun,
  StoreHistory,
} from './contract.ts';
export { followEntries } from './fold/pending.ts';
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
  type KnownLine,
  type OriginLine,
  originOf,
  priorStateOf,
  type RecordOrigin,
  type RecordTarget,
} from './records/identity.ts';
export {
  type Intent,
  type PackedIntent,
  packedText,
  packKinds,
  packRows,
  unpackIntent,
} from './records/intents.ts';
export { decodeLogEntry, entryPieces, type LogEntry } from './records/log-entry.ts';
export type { Checkpoint } from './records/record-store.ts';
export type { Amendment, Holder } from './records/resolve-queries.ts';
export type { Created } from './records/retry-queries.ts';
export {
  CREATED,
  type EndingLine,
  endingIn,
  fileAt,
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
  type RunLine,
  type SourceFile,
} from './runs.ts';
