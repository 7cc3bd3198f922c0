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

/**
 * How far the server's log of commits has reached the disk. On one timeline it never goes back, unless somebody replaced the
 * data directory by an earlier copy, or a disk lost what it had confirmed.
 */
const POSITION = `(pg_current_wal_flush_lsn() - '0/0')::text`;

export interface SeenDatabase {
  readonly is: string;
  /** Undefined: not allowed to ask. */
  readonly position: string | null;
  readonly incarnation: number;
}

/** Columns of SeenDatabase, as a user may ask for them. */
const COLUMNS = (identity: string, position: string) =>
  `${identity} as is, ${position} as position, (select incarnation from cluster) as incarnation`;
const ALL = COLUMNS(IDENTITY, POSITION);
const LEAST = COLUMNS(LEAST_IDENTITY, 'null::text');

/** Insufficient privilege; undefined function; not supported. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['42501', '42883', '0A000']);

/** A look at the database, with the SQL columns for the next one. */
export interface DatabaseIdentity extends SeenDatabase {
  readonly columns: string;
}

async function readIdentity(sql: Sql): Promise<DatabaseIdentity & { readonly known: string | null }> {
  try {
    return await identityBy(sql, ALL);
  } catch (error) {
    if (!NOT_ALLOWED.has((error as { readonly code?: string }).code ?? '')) throw error;
    return identityBy(sql, LEAST);
  }
}

async function identityBy(sql: Sql, columns: string) {
  const [line] = await sql.query<SeenDatabase & { known: string | null }>(
    `select ${columns}, identity as known from cluster`,
  );
  if (line === undefined) throw new Error('The table cluster is empty.');
  return { ...line, columns };
}

/** Positions of databases by their identity. */
export type KnownPositions = Readonly<Record<string, string>>;

/** The furthest position of each database that this process knows of. */
let furthest: KnownPositions = {};

/** Positions to compare later answers with, and to keep for the next process on this machine. */
export function knownPositions(): KnownPositions {
  return furthest;
}

/** Learns what an earlier process knew. */
export function learnPositions(positions: KnownPositions): void {
  for (const [is, position] of Object.entries(positions)) learn({ is, position });
}

function learn({ is, position }: Pick<SeenDatabase, 'is' | 'position'>): void {
  if (position !== null && BigInt(position) > BigInt(furthest[is] ?? 0))
    furthest = { ...furthest, [is]: position };
}

/** `before`: what was known when the question was sent, since answers over several connections overtake each other. */
function isBehind({ is, position }: Pick<SeenDatabase, 'is' | 'position'>, before: KnownPositions): boolean {
  return position !== null && BigInt(position) < BigInt(before[is] ?? 0);
}

/** True if the database is not the one, or not in the state, in which it was seen before. */
export function wasReplaced(first: SeenDatabase, now: SeenDatabase, before: KnownPositions): boolean {
  learn(now);
  return now.is !== first.is || now.incarnation !== first.incarnation || isBehind(now, before);
}

/** Looks at the database. Increments its incarnation if it is another one than when it was last seen, or went back. */
export async function lookAtDatabase(sql: Sql): Promise<DatabaseIdentity> {
  const before = furthest;
  const seen = await readIdentity(sql);
  const wentBack = isBehind(seen, before);
  learn(seen);
  if (seen.known === seen.is && !wentBack) return seen;
  // Several processes may look at the same moment: of these, one notices that the identity is another one.
  const [changed] = await sql.query<{ incarnation: number }>(
    `update cluster set identity = $1, incarnation = incarnation + case when identity is null then 0 else 1 end
     where identity is distinct from $1 or $2 returning incarnation`,
    [seen.is, wentBack],
  );
  // Its position counts anew from here.
  if (wentBack && furthest[seen.is] === before[seen.is]) furthest = { ...furthest, [seen.is]: '0' };
  return changed ? { ...seen, incarnation: changed.incarnation } : lookAtDatabase(sql);
}

/** The number of times that the database was restored, or lost commits. */
export async function currentIncarnation(sql: Sql): Promise<number> {
  return (await lookAtDatabase(sql)).incarnation;
}

/** Increments the incarnation: commits are missing that were confirmed, or a user says so. */
export async function noteLostCommits(sql: Sql): Promise<void> {
  await sql.query('update cluster set incarnation = incarnation + 1 where one = $1', [true]);
}

/** `why`: a sentence about this store. It has no command: the next steps of a task change while its message stays. */
export function restored(why?: string): RunStopped {
  return new RunStopped(
    'restored',
    'The database was restored from a backup, or another server took over, and may lack what was sent last. So no new records are sent to this store.',
    why === undefined ? [] : [why],
  );
}
