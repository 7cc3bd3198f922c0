import { ConfigError, type JsonObject, printedCommand, shownWord } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import {
  namesStore,
  type PresentStores,
  refuseWrongSelection,
  selectPresent,
  selectStores,
} from '../stores/select.ts';
import { refuseWorkAt } from '../tasks/refuse-work.ts';
import type { TaskCommand, Work } from '../tasks/task.ts';
import { nextSlot, refuseWrongTimetable, type Timetable } from './moments.ts';

export interface NewSchedule extends Work {
  readonly name: string;
  readonly cron: string;
  /** Default UTC. */
  readonly zone?: string | undefined;
  /** A selection of stores, see `selectStores`. It is made again each time, so it finds stores that were added later. */
  readonly stores: string;
  /** Each store begins at a moment of its own within this many seconds. Default 0. */
  readonly spreadS?: number | undefined;
}

export interface Schedule extends Timetable {
  readonly number: number;
  readonly name: string;
  readonly spreadS: number;
  readonly stores: string;
  readonly command: TaskCommand;
  readonly resource: string;
  readonly options: JsonObject;
  readonly isPaused: boolean;
  readonly addedAt: Date;
  /** Earlier slots are left out: it was added then, or ended a pause. */
  readonly since: Date;
  /** The latest slot for which tasks were made; null before the first. */
  readonly lastSlot: Date | null;
  /** Null while it is paused, and if this machine cannot compute it: `trouble` says why. */
  readonly nextSlot: Date | null;
  /** How many stores it selects now. */
  readonly selected: number;
  /** Names and tags in `stores` that no store has any more, as they are written there. They are left out. */
  readonly gone: readonly string[];
  /** Why it could not fire when it last should; null since it fired. */
  readonly trouble: ScheduleTrouble | null;
}

export interface ScheduleTrouble {
  readonly message: string;
  readonly at: Date;
}

/** Adds a schedule. Its first slot is the next one. Throws ConfigError if something is wrong, or the name is taken. */
export async function addSchedule(sql: Sql, schedule: NewSchedule): Promise<Schedule> {
  const { name, cron, zone = 'UTC', stores, spreadS = 0, command, resource, options } = schedule;
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name))
    throw new ConfigError(`"${shownWord(name)}" cannot be the name of a schedule.`);
  refuseWrongTimetable({ cron, zone });
  refuseWrongSelection(stores);
  await refuseWorkAt(sql, { command, resource, options }, await selectStores(sql, stores));
  if (!Number.isSafeInteger(spreadS) || spreadS < 0)
    throw new ConfigError('The spread of a schedule must be whole seconds from 0 on.');
  const added = await sql.query(
    `insert into schedule (name, cron, zone, spread_s, stores, command, resource, options)
     values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb) on conflict (name) do nothing returning number`,
    [name, cron.trim(), zone, spreadS, stores, command, resource, JSON.stringify(options)],
  );
  if (added.length === 0) throw new ConfigError(`There is a schedule "${shownWord(name)}" already.`);
  return oneSchedule(sql, name);
}

interface ScheduleRow {
  number: number;
  name: string;
  cron: string;
  zone: string;
  spread_s: number;
  stores: string;
  command: TaskCommand;
  resource: string;
  options: JsonObject;
  is_paused: boolean;
  added_at: Date;
  since: Date;
  last_slot: Date | null;
  trouble: string | null;
  trouble_at: Date | null;
  now: Date;
}

/** Schedules by name. */
export async function listSchedules(sql: Sql, name?: string): Promise<Schedule[]> {
  const rows = await sql.query<ScheduleRow>(
    `select number, name, cron, zone, spread_s, stores, command, resource, options, is_paused, added_at, since, last_slot,
       trouble, trouble_at, clock_timestamp() as now
     from schedule where $1::text is null or name = $1 order by name`,
    [name ?? null],
  );
  const present = await selectPresent(
    sql,
    rows.map(({ stores }) => stores),
  );
  return rows.map((row, index) => scheduleFrom(row, present[index] as PresentStores));
}

function scheduleFrom(row: ScheduleRow, present: PresentStores): Schedule {
  const { number, name, cron, zone, stores, command, resource, options, since } = row;
  const { spread_s: spreadS, is_paused: isPaused, added_at: addedAt, last_slot: lastSlot } = row;
  return {
    ...{ number, name, cron, zone, spreadS, stores, command, resource, options, isPaused, addedAt },
    ...{ since, lastSlot },
    ...{ selected: present.stores.length, gone: present.absent },
    ...momentsOf(row),
  };
}

/** A time zone that this machine does not know must not hide the other schedules. */
function momentsOf(row: ScheduleRow): Pick<Schedule, 'nextSlot' | 'trouble'> {
  const { cron, zone, is_paused: isPaused, now, trouble, trouble_at: at } = row;
  const noted = trouble === null || at === null ? null : { message: trouble, at };
  try {
    return { nextSlot: isPaused ? null : nextSlot({ cron, zone }, now), trouble: noted };
  } catch (error) {
    return { nextSlot: null, trouble: noted ?? { message: (error as Error).message, at: now } };
  }
}

/** Notes why a schedule could not fire, until it fires. */
export async function noteTrouble(sql: Sql, { number }: Schedule, message: string): Promise<void> {
  await sql.query('update schedule set trouble = $2, trouble_at = clock_timestamp() where number = $1', [
    number,
    message,
  ]);
}

/** Names of the schedules that name a store. */
export async function schedulesNaming(sql: Sql, store: string): Promise<string[]> {
  const rows = await sql.query<{ name: string; stores: string }>(
    'select name, stores from schedule order by name',
  );
  return rows.flatMap(({ name, stores }) => (namesStore(stores, store) ? [name] : []));
}

async function oneSchedule(sql: Sql, name: string): Promise<Schedule> {
  const [schedule] = await listSchedules(sql, name);
  if (schedule === undefined)
    throw new ConfigError(`There is no schedule "${shownWord(name)}".`, [
      `To see them: ${printedCommand('fleet schedule list')}`,
    ]);
  return schedule;
}

/** Removes a schedule. Its tasks stay. */
export async function removeSchedule(sql: Sql, name: string): Promise<void> {
  const { number } = await oneSchedule(sql, name);
  await sql.query('delete from schedule where number = $1', [number]);
}

/** Pauses a schedule, or lets it continue with its next slot: those in between are left out. */
export async function pauseSchedule(sql: Sql, name: string, isPaused: boolean): Promise<Schedule> {
  const { number } = await oneSchedule(sql, name);
  await sql.query(
    `update schedule set is_paused = $2, since = case when $2 then since else clock_timestamp() end where number = $1`,
    [number, isPaused],
  );
  return oneSchedule(sql, name);
}
