import { performance } from 'node:perf_hooks';
import type { Lease } from '../lease.ts';

/**
 * Begins the age of an intent. By both clocks: the monotonic one may halt while the machine sleeps, and the wall clock may be
 * set back.
 */
export function ageIntent(lease: Lease): () => boolean {
  const [monotonic, wall] = [performance.now(), Date.now()];
  const { intentMs } = lease.timing;
  return () => performance.now() - monotonic > intentMs || Date.now() - wall > intentMs || lease.isStale();
}
