export { type ConnectOptions, connect, shownDatabase } from './connect.ts';
export { fenced, type LeaseId, leaseLost } from './fence.ts';
export { LEASE_TIMING, type Lease, type LeaseRequest, type LeaseTiming, takeLease } from './lease.ts';
export { checkSchema, migrate } from './migrate.ts';
export type { Sql } from './sql.ts';
