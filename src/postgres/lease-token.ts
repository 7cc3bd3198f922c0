import { FENCE, fenced, fenceValues, HAS_FENCE, type LeaseId } from './fence.ts';
import type { Sql } from './sql.ts';

/**
 * Compares the token that was noted outside the database with that of a store. Increments the incarnation if the database went
 * back to a moment before the note, unless it has been incremented since for the same reason. Throws RunStopped if the lease is
 * lost.
 */
export async function compareToken(sql: Sql, lease: LeaseId, noted: string): Promise<void> {
  if (!HAS_FENCE) return;
  await fenced(sql, lease, async (inside) => {
    await inside.query(
      `update cluster set incarnation = incarnation + 1 from lease join store on store.number = lease.store
       where lease.store = $1 and coalesce(lease.token_in, store.known) >= cluster.incarnation
         and $2::text is distinct from lease.token and $2::text is distinct from lease.token_before`,
      [lease.store, noted],
    );
  });
}

/** `lost`: another worker may have the lease. `other`: the database has a token that this process did not give it. */
export type ReplacedToken = 'replaced' | 'lost' | 'other';

/** Replaces the token of a store, unless it is neither `before` nor `token`; it is to be noted next. May be repeated. */
export async function replaceToken(
  sql: Sql,
  lease: LeaseId,
  { token, before }: { readonly token: string; readonly before?: string | undefined },
): Promise<ReplacedToken> {
  if (!HAS_FENCE) return 'replaced';
  const replaced = await sql.query(
    `update lease set token_before = case when token = $4::text then token_before else token end, token = $4::text,
       token_in = incarnation from cluster
     where store = $1 and epoch = $2 and holder = $3 and ($5::text is null or token in ($4::text, $5::text)) returning 1 as replaced`,
    [...fenceValues(lease), token, before ?? null],
  );
  if (replaced.length > 0) return 'replaced';
  return (await sql.query(FENCE, fenceValues(lease))).length > 0 ? 'other' : 'lost';
}
