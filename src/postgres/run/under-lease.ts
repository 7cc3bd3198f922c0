import { setTimeout as delay } from 'node:timers/promises';
import { RunStopped } from '../../model/index.ts';
import { leaseLost } from '../fence.ts';
import type { Lease } from '../lease.ts';

/** Between attempts while the database is away. */
const RETRY_MS = 250;

/**
 * Does `work` as long as the lease may be held, and again while the database is away: it must be harmless to repeat, since a
 * commit may have succeeded although its connection was lost. A database that does not answer must not keep a worker that has
 * to stop: rejects at once with the reason for which the lease is lost.
 */
export function underLease<Result>(lease: Lease, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const { lost } = lease;
    const onLost = () => reject(lost.reason ?? leaseLost());
    if (lease.isStale()) return onLost();
    lost.addEventListener('abort', onLost, { once: true });
    repeated(lease, work)
      .then(resolve, reject)
      .finally(() => lost.removeEventListener('abort', onLost));
  });
}

async function repeated<Result>(lease: Lease, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof RunStopped && error.reason === 'ledger-failed';
      if (!isAway || lease.isStale()) throw error;
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}
