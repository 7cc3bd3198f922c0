import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeIntent } from '../../ledger/engine.ts';
import { leaseLost } from '../fence.ts';
import type { Lease } from '../lease.ts';
import type { Sql } from '../sql.ts';
import { loadedText } from '../text.ts';

/** Waits before an intent whose key rests: an earlier update by a lost holder may still arrive. */
export type WaitForRest = (intent: Buffer) => Promise<void> | undefined;

/** Undefined if no key of the store rests. */
export async function restingKeys(sql: Sql, { store, lost }: Lease): Promise<WaitForRest | undefined> {
  await sql.query('delete from rest where store = $1 and until <= clock_timestamp()', [store]);
  const lines = await sql.query<{ key: string; ms: number }>(
    'select key, (extract(epoch from until - clock_timestamp()) * 1000)::float8 as ms from rest where store = $1',
    [store],
  );
  if (lines.length === 0) return undefined;
  const begunAt = performance.now();
  const ends = new Map(lines.map(({ key, ms }) => [loadedText(key), begunAt + ms]));
  const lastEnd = Math.max(...ends.values());
  return (intent) => {
    const now = performance.now();
    if (now >= lastEnd) return undefined;
    const end = ends.get(decodeIntent(intent).key);
    if (end === undefined || end <= now) return undefined;
    return delay(end - now, undefined, { signal: lost }).catch(() => {
      throw lost.reason ?? leaseLost();
    });
  };
}
