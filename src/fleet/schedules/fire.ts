import type { Sql } from '../../postgres/index.ts';
import { selectPresent } from '../stores/select.ts';
import { newTaskId, STILL_THERE } from '../tasks/add-tasks.ts';
import { lastSlot, spreadMs } from './moments.ts';
import { listSchedules, noteTrouble, type Schedule } from './schedules.ts';

/** Tasks that a schedule made. */
export interface FiredSlot {
  readonly schedule: string;
  readonly slot: Date;
  /** Numbers of the stores that got a task now. */
  readonly stores: readonly number[];
}

/**
 * Makes the tasks of every schedule whose slot has come. Of slots that passed while no worker ran, only the latest is made up
 * for. Every worker may call it at any time: a store gets one task for a slot, however often a schedule fires.
 *
 * Stores that are gone are left out. `onTrouble`: called for a schedule that cannot fire, which is also noted with the schedule.
 * The others fire nevertheless.
 */
export async function fireSchedules(
  sql: Sql,
  onTrouble: (schedule: string, error: unknown) => void,
): Promise<FiredSlot[]> {
  const [clock] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
  const now = (clock as { now: Date }).now;
  const fired: FiredSlot[] = [];
  for (const schedule of await listSchedules(sql)) {
    if (schedule.isPaused) continue;
    try {
      const slot = lastSlot(schedule, now, schedule.since);
      if (slot === undefined || (schedule.lastSlot && slot <= schedule.lastSlot)) continue;
      fired.push({ schedule: schedule.name, slot, stores: await fireSlot(sql, schedule, slot) });
    } catch (error) {
      onTrouble(schedule.name, error);
      await noteTrouble(sql, schedule, error instanceof Error ? error.message : String(error));
    }
  }
  return fired;
}

/** Makes the tasks of a slot that do not exist yet. Returns the numbers of their stores. */
export async function fireSlot(sql: Sql, schedule: Schedule, slot: Date): Promise<number[]> {
  const { number, name, stores, spreadS, command, resource, options } = schedule;
  const [present] = await selectPresent(sql, [stores]);
  const selected = present?.stores ?? [];
  const begins = selected.map((store) => new Date(slot.getTime() + spreadMs(name, store.name, spreadS)));
  return sql.transaction(async (inside) => {
    const made = await inside.query<{ store: number }>(
      `insert into task (id, store, schedule, slot, command, resource, options, not_before)
       select id, store, $4, $5::timestamptz, $6, $7, $8::jsonb, not_before
       from unnest($1::text[], $2::int[], $3::timestamptz[]) as each (id, store, not_before) ${STILL_THERE}
       on conflict (schedule, slot, store) do nothing returning store`,
      [
        selected.map(() => newTaskId()),
        selected.map((store) => store.number),
        begins,
        ...[number, slot, command, resource, JSON.stringify(options)],
      ],
    );
    await inside.query(
      `update schedule set last_slot = greatest(last_slot, $2::timestamptz), trouble = null, trouble_at = null
       where number = $1`,
      [number, slot],
    );
    return made.map(({ store }) => store);
  });
}
