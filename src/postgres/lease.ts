import { performance } from 'node:perf_hooks';
import type { RunStopped } from '../model/index.ts';
import { FENCE, fenceValues, HAS_FENCE, type LeaseId, leaseLost } from './fence.ts';
import {
  type DatabaseIdentity,
  knownPositions,
  lookAtDatabase,
  restored,
  type SeenDatabase,
  wasReplaced,
} from './incarnation.ts';
import type { Sql } from './sql.ts';

/** Durations in milliseconds. They decide how soon work continues, never whether a create is sent twice. */
export interface LeaseTiming {
  /** A lease that is not renewed for so long expires, by the clock of Postgres. */
  readonly ttlMs: number;
  readonly renewMs: number;
  /** The holder stops when its last renewal that succeeded was sent so long ago. */
  readonly staleMs: number;
  /** An intent that is older is not written to a socket: another worker may have the store by then. */
  readonly intentMs: number;
  /** The longest that a request of the former holder may take. */
  readonly requestMs: number;
  /** Beyond expiry and `requestMs`: how long a former holder that may live is given to be sent its last requests. */
  readonly graceMs: number;
}

export const LEASE_TIMING: LeaseTiming = {
  ttlMs: 30_000,
  renewMs: 5_000,
  staleMs: 20_000,
  intentMs: 5_000,
  requestMs: 60_000,
  graceMs: 600_000,
};

export interface LeaseRequest {
  /** Number of the store. */
  readonly store: number;
  /** Name of the worker. */
  readonly holder: string;
  readonly timing?: Partial<LeaseTiming> | undefined;
}

/** The right of one worker to send to one store. It renews itself. */
export interface Lease extends LeaseId {
  readonly timing: LeaseTiming;
  /** True if it could not be renewed for so long that another worker may soon have it. Nothing may be begun. */
  isStale(): boolean;
  /** Aborted when the lease is refused or stale, with RunStopped as its reason. */
  readonly lost: AbortSignal;
  /**
   * Gives the store to the next worker. Only when no request is in flight and every run has ended: the next holder then knows
   * that nothing more arrives.
   */
  release(): Promise<void>;
  /** Stops to renew, and leaves the lease to expire: for work that did not end in good order. */
  abandon(): void;
}

/** Takes a lease that is free or expired. Undefined if another worker holds it. */
export async function takeLease(
  sql: Sql,
  { store, holder, timing }: LeaseRequest,
): Promise<Lease | undefined> {
  const times = { ...LEASE_TIMING, ...timing };
  const identity = await lookAtDatabase(sql);
  const sentAt = performance.now();
  const epoch = await sql.transaction((inside) => takeIn(inside, { store, holder, times }));
  return epoch === undefined
    ? undefined
    : holdLease(sql, { store, epoch, holder }, { times, sentAt, identity });
}

async function takeIn(
  sql: Sql,
  { store, holder, times }: { readonly store: number; readonly holder: string; readonly times: LeaseTiming },
): Promise<number | undefined> {
  await sql.query('insert into lease (store) values ($1) on conflict do nothing', [store]);
  // Waits for commits that are in flight under the former epoch; the next statements see them.
  const [former] = await sql.query<{ holder: string | null }>(
    'select holder from lease where store = $1 and (holder is null or expires < clock_timestamp()) for update',
    [store],
  );
  if (!former) return undefined;
  // The former holder may live. In the same transaction, since this worker may die before it settles these runs.
  if (former.holder !== null)
    await sql.query(QUARANTINE, [store, (times.requestMs + times.graceMs) / 1000, former.holder]);
  const [taken] = await sql.query<{ epoch: number }>(
    `update lease set epoch = epoch + 1, holder = $2, expires = clock_timestamp() + make_interval(secs => $3),
      takeovers = takeovers + (holder is not null)::int
    where store = $1 returning epoch`,
    [store, holder, times.ttlMs / 1000],
  );
  return taken?.epoch;
}

/** Until then the former holder may still send what it had noted. */
const QUARANTINE = `
  update run set doubts_until = greatest(doubts_until, lease.expires + make_interval(secs => $2)),
    doubts_of = array_append(array_remove(doubts_of, $3), $3)
  from lease join store on store.number = lease.store
  where lease.store = $1 and run.store = store.base_url and run.state = 'running'`;

interface HeldFrom {
  readonly times: LeaseTiming;
  readonly sentAt: number;
  readonly identity: DatabaseIdentity;
}

function holdLease(sql: Sql, id: LeaseId, { times, sentAt, identity }: HeldFrom): Lease {
  const lost = new AbortController();
  /** When the last renewal that succeeded was sent. */
  let renewedAt = sentAt;
  let isOver = false;
  let isAsking = false;

  const isStale = () => HAS_FENCE && performance.now() - renewedAt >= times.staleMs;

  function lose(why: RunStopped): void {
    if (!HAS_FENCE) return;
    stop();
    if (!lost.signal.aborted) lost.abort(why);
  }

  function stop(): void {
    isOver = true;
    clearInterval(renewal);
    clearInterval(watch);
  }

  async function renew(): Promise<void> {
    // One at a time: a database that is away must not collect them.
    if (isAsking) return;
    isAsking = true;
    const askedAt = performance.now();
    const before = knownPositions();
    try {
      const values = [...fenceValues(id), times.ttlMs / 1000];
      // A connection that stays silent leaves time for another one.
      const withinMs = times.staleMs / 2;
      const [held] = await sql.query<SeenDatabase>(`${RENEW} ${identity.columns}`, values, withinMs);
      if (isOver) return;
      if (!held) lose(leaseLost());
      else if (wasReplaced(identity, held, before)) lose(restored());
      else renewedAt = askedAt;
    } catch {
      // The database is away. The lease is stale soon, unless a later renewal succeeds.
    } finally {
      isAsking = false;
    }
  }

  const renewal = setInterval(renew, times.renewMs);
  const watch = setInterval(
    () => {
      if (isStale()) lose(leaseLost());
    },
    Math.max(10, times.renewMs / 5),
  );

  return {
    ...id,
    timing: times,
    isStale: () => isStale() || lost.signal.aborted,
    lost: lost.signal,
    async release() {
      if (isOver) return;
      stop();
      await sql.query(RELEASE, fenceValues(id));
    },
    abandon: stop,
  };
}

/** An expired lease that nobody took is still the holder's. What is returned follows. */
const RENEW = `
  update lease set expires = clock_timestamp() + make_interval(secs => $4)
  where store = $1 and epoch = $2 and holder = $3 returning`;

/** Waits for commits in flight: who sees that the lease is free also sees what was written under it. */
const RELEASE = `
  with held as (select store from lease where store = $1 and epoch = $2 and holder = $3 for update)
  update lease set holder = null, expires = '-infinity', released_at = clock_timestamp()
  from held where lease.store = held.store`;

/** Throws RunStopped unless the lease is held now. */
export async function checkLease(sql: Sql, lease: Lease): Promise<void> {
  if (lease.isStale()) throw leaseLost();
  const held = await sql.query(FENCE, fenceValues(lease));
  if (held.length === 0) throw leaseLost();
}

/**
 * The process or the machine of a holder is certainly gone: its leases expire now, and no quarantine is for it any more. Returns
 * the number of runs without a quarantine now. Those with doubts of another lost holder too keep theirs. `sql`: a transaction.
 */
export async function endQuarantines(sql: Sql, holder: string): Promise<number> {
  await sql.query('select 1 from lease where holder = $1 order by store for update', [holder]);
  await sql.query(`update lease set holder = null, expires = '-infinity' where holder = $1`, [holder]);
  const left = await sql.query<{ ended: boolean }>(
    `update run set doubts_of = array_remove(doubts_of, $1),
       doubts_until = case when array_remove(doubts_of, $1) = '{}' then null else doubts_until end
     where $1 = any (doubts_of) returning doubts_until is null as ended`,
    [holder],
  );
  return left.filter(({ ended }) => ended).length;
}
