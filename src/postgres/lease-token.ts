import { fenced, fenceValues, type LeaseId } from './fence.ts';
import type { Sql } from './sql.ts';

/**
 * Compares the token that was noted outside the database with that of a store. Increments the incarnation if the database went
 * back to a moment before the note, unless it has been incremented since for the same reason. Throws RunStopped if the lease is
 * lost.
 */
export function compareToken(sql: Sql, lease: LeaseId, noted: string): Promise<void> {
  return fenced(sql, lease, async (inside) => {
    await inside.query(
      `update cluster set incarnation = incarnation + 1 from lease join store on store.number = lease.store
       where lease.store = $1 and coalesce(lease.token_in, store.known) >= cluster.incarnation
         and $2::text is distinct from lease.token and $2::text is distinct from lease.token_before`,
      [lease.store, noted],
    );
  });
}

/**
 * Replaces the token of a store; it is to be noted next. May be repeated. Returns false if the lease is lost, or the token is
 * neither `before` nor `token`.
 */
export async function replaceToken(
  sql: Sql,
  lease: LeaseId,
  { token, before }: { readonly token: string; readonly before?: string | undefined },
): Promise<boolean> {
  const replaced = await sql.query(
    `update lease set token_before = case when token = $4::text then token_before else token end, token = $4::text,
       token_in = incarnation from cluster
     where store = $1 and epoch = $2 and holder = $3 and ($5::text is null or token in ($4::text, $5::text)) returning 1 as replaced`,
    [...fenceValues(lease), token, before ?? null],
  );
  return replaced.length > 0;
}
