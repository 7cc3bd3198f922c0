import { randomBytes } from 'node:crypto';
import { ConfigError, printedCommand } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import { selectStores } from '../stores/select.ts';
import { listTasks } from './list-tasks.ts';
import { refuseWorkAt } from './refuse-work.ts';
import type { Task, Work } from './task.ts';

export interface NewTasks extends Work {
  /** A selection of stores, see `selectStores`. */
  readonly stores: string;
  /** Default: now. */
  readonly notBefore?: Date | undefined;
}

/**
 * Adds one task for each selected store, all or none. Throws ConfigError for work that cannot succeed. Wake their stores then, see
 * `wakeStores`.
 */
export async function addTasks(sql: Sql, tasks: NewTasks): Promise<Task[]> {
  const { command, resource, options, stores, notBefore = null } = tasks;
  const selected = await selectStores(sql, stores);
  if (selected.length === 0)
    throw new ConfigError('There are no stores yet.', ['To add one: storeport fleet store add --help']);
  await refuseWorkAt(sql, tasks, selected);
  const ids = selected.map(() => newTaskId());
  await sql.transaction(async (inside) => {
    const made = await inside.query(
      `insert into task (id, store, command, resource, options, not_before)
       select id, store, $3, $4, $5::jsonb, coalesce($6::timestamptz, clock_timestamp())
       from unnest($1::text[], $2::int[]) with ordinality as each (id, store, place) ${STILL_THERE} order by place
       returning 1 as made`,
      [ids, selected.map(({ number }) => number), command, resource, JSON.stringify(options), notBefore],
    );
    if (made.length < ids.length)
      throw new ConfigError('A store was removed meanwhile, so nothing was added.', [
        `To see those that are left: ${printedCommand('fleet store list')}`,
      ]);
  });
  const added = await listTasks(sql, { ids, limit: ids.length });
  return added.reverse();
}

/** Leaves out stores that somebody is removing, and keeps the others from being removed until the tasks are there. */
export const STILL_THERE = `join lateral (
  select 1 from store where store.number = each.store and removed_at is null for share
) as present on true`;

/** As ids of runs, with more chance in it: thousands of tasks begin in the same second. */
export function newTaskId(): string {
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(6).toString('hex')}`;
}
