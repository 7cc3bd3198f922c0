export { type ConnectOptions, connect, shownDatabase } from './connect.ts';
export { fenced, type LeaseId, leaseLost } from './fence.ts';
export {
  currentIncarnation,
  knownPositions,
  learnPositions,
  lookAtDatabase,
  noteLostCommits,
  restored,
} from './incarnation.ts';
export {
  endQuarantines,
  LEASE_TIMING,
  type Lease,
  type LeaseRequest,
  type LeaseTiming,
  takeLease,
} from './lease.ts';
export { compareToken, replaceToken } from './lease-token.ts';
export { type PostgresLedgerOptions, postgresLedger, postgresOutcomes } from './ledger.ts';
export { checkSchema, findNewerSchema, KNOWN_SCHEMA, migrate } from './migrate.ts';
export { type Quarantine, quarantinesOf } from './quarantine.ts';
export { problemsInRun } from './queries/problems.ts';
export { type OutcomesOfRun, outcomesOfRuns, RUNS_IN_DOUBT } from './queries/runs.ts';
export { markReviewed, noteAdopted, reviewOf, type StoreReview } from './review.ts';
export { createRowSeal, newRowKey, type RowKey, type RowSeal, rowKeyOf } from './row-seal.ts';
export { LONG_ANSWER_MS, type Sql } from './sql.ts';
