import { RunStopped } from '../model/index.ts';
import type { Sql } from './sql.ts';

/**
 * The server's identifier and the table's, which a restored dump changes, and the timeline, which a standby changes when it
 * takes over. Returns text such as `7712223350951344257/16385/1`.
 */
const IDENTITY = `
  (select system_identifier::text from pg_control_system()) || '/' || 'cluster'::regclass::oid::text || '/'
    || ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer::text`;

/** For a user who may not ask the server: at least a restored dump is noticed. */
const LEAST_IDENTITY = `'cluster'::regclass::oid::text`;

/** Identifies the database, by an SQL expression. */
export interface DatabaseIdentity {
  readonly is: string;
  readonly expression: string;
}

export async function readIdentity(sql: Sql): Promise<DatabaseIdentity> {
  try {
    return await identityBy(sql, IDENTITY);
  } catch (error) {
    if (!NOT_ALLOWED.has((error as { readonly code?: string }).code ?? '')) throw error;
    return identityBy(sql, LEAST_IDENTITY);
  }
}

/** Insufficient privilege; undefined function; not supported. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['42501', '42883', '0A000']);

async function identityBy(sql: Sql, expression: string): Promise<DatabaseIdentity> {
  const [line] = await sql.query<{ is: string }>(`select ${expression} as is`);
  return { is: line?.is ?? '', expression };
}

/**
 * The number of times that the database was restored, or lost commits. Increments it if the database is another one than when
 * it was last seen.
 */
export async function currentIncarnation(sql: Sql): Promise<number> {
  const { is } = await readIdentity(sql);
  const [changed] = await sql.query<{ incarnation: number }>(
    `
    update cluster set identity = $1,
      incarnation = incarnation + case when identity is null then 0 else 1 end
    where identity is distinct from $1 returning incarnation`,
    [is],
  );
  if (changed) return changed.incarnation;
  const [line] = await sql.query<{ incarnation: number }>('select incarnation from cluster');
  return line?.incarnation ?? 1;
}

/** Increments the incarnation: commits are missing that were confirmed. */
export async function noteLostCommits(sql: Sql): Promise<void> {
  await sql.query('update cluster set incarnation = incarnation + 1 where one = $1', [true]);
}

/** Throws RunStopped if the database was restored since the doubts of a store were looked at. `store`: its number. */
export async function refuseRestored(sql: Sql, store: number): Promise<void> {
  const incarnation = await currentIncarnation(sql);
  const [line] = await sql.query<{ reviewed: number }>('select reviewed from store where number = $1', [
    store,
  ]);
  if (line && line.reviewed >= incarnation) return;
  throw restored();
}

/** The user has looked at the doubts of a store: its creates are sent again. */
export async function markReviewed(sql: Sql, store: number): Promise<void> {
  const incarnation = await currentIncarnation(sql);
  await sql.query('update store set reviewed = $2 where number = $1', [store, incarnation]);
}

export function restored(): RunStopped {
  return new RunStopped(
    'restored',
    'The database was restored from a backup, or another server took over, and may lack what was sent last. So no new records are sent to this store.',
    [
      'Compare the store with the last runs, and settle what is in doubt. Then continue with storeport fleet resume --reviewed STORE.',
    ],
  );
}
