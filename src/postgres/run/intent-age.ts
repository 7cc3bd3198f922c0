import { performance } from 'node:perf_hooks';
import type { Lease } from '../lease.ts';

/** An intent that is older is not written to a socket: another worker may have the store by then. */
const MOST_INTENT_MS = 5_000;

/**
 * Begins the age of an intent. By both clocks: the monotonic one may halt while the machine sleeps, and the wall clock may be
 * set back.
 */
export function ageIntent(lease: Lease): () => boolean {
  const [monotonic, wall] = [performance.now(), Date.now()];
  return () =>
    performance.now() - monotonic > MOST_INTENT_MS || Date.now() - wall > MOST_INTENT_MS || lease.isStale();
}
