export type { CheckedRecord, RecordKeys, Reimport } from './checked-record.ts';
export { decide, keyFieldOf, kindFor, type Mode, skippedOutcome } from './decide.ts';
export { changedFields, createDigester, digestedFields, mergedDigests } from './digests.ts';
export { type IdShape, idShapeFor } from './identifiers.ts';
export { createKeyIndex, type KeyIndex } from './key-index.ts';
export { lastNumber, roundedNumber, type WatchedNumber, watchedNumbers } from './last-numbers.ts';
export { createNewerImports, type NewerImports } from './newer-imports.ts';
export {
  createPlanner,
  type Judged,
  type KeyClaim,
  keyFor,
  keyOf,
  type Planner,
  type PlanOptions,
  type RecordGrouping,
} from './plan.ts';
export { keyNormaliser, keysOfItem, nationalKey, nationalPhoneKey, phoneCountry } from './record-key.ts';
export { splitKeyIn, stillSplitGroup } from './split-group.ts';
