import { beforeEach, describe, expect, test } from 'vitest';
import {
  addSchedule,
  listSchedules,
  listTasks,
  type NewSchedule,
  pauseSchedule,
  removeSchedule,
  removeStore,
  schedulesNaming,
} from '../../src/fleet/index.ts';
import { fireSchedules, fireSlot } from '../../src/fleet/schedules/fire.ts';
import { lastSlot, nextSlot, spreadMs } from '../../src/fleet/schedules/moments.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { databaseOfFile } from '../support/postgres.ts';
import { addPlainStore } from './fleet-parts.ts';

const at = (text: string) => new Date(text);
const LONG_AGO = at('2000-01-01T00:00:00Z');

describe('slots of a timetable', () => {
  test.each([
    ['0 2 * * *', 'UTC', '2026-03-10T02:00:00Z', '2026-03-10T02:00:00Z'],
    ['0 2 * * *', 'UTC', '2026-03-10T01:59:59.999Z', '2026-03-09T02:00:00Z'],
    ['0 2 * * *', 'UTC', '2026-03-10T09:00:00Z', '2026-03-10T02:00:00Z'],
    ['0 2 * * *', 'Europe/Berlin', '2026-01-10T09:00:00Z', '2026-01-10T01:00:00Z'],
    ['0 2 * * *', 'Europe/Berlin', '2026-07-10T09:00:00Z', '2026-07-10T00:00:00Z'],
    // Clocks are set forward at 2:00 on March 29, and back at 3:00 on October 25.
    ['30 4 * * *', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-29T02:30:00Z'],
    ['30 4 * * *', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-25T03:30:00Z'],
  ])('the last one of %s in %s at %s is %s', (cron, zone, now, expected) => {
    expect(lastSlot({ cron, zone }, at(now), LONG_AGO)).toEqual(at(expected));
  });

  test.each([
    ['30 2 * * *', '2026-03-29', '2026-03-29T01:30:00.000Z'],
    ['30 2 * * *', '2026-10-25', '2026-10-25T00:30:00.000Z'],
    ['30 2 * * 0', '2026-03-29', '2026-03-29T01:30:00.000Z'],
    ['30 2 * * 0', '2026-10-25', '2026-10-25T00:30:00.000Z'],
  ])('%s has one slot on %s, on which clocks are changed, whenever one asks', (cron, day, expected) => {
    const timetable = { cron, zone: 'Europe/Berlin' };
    const begin = at(`${day}T00:00:00Z`).getTime();
    const slots = new Set<string>();
    for (let minutes = 0; minutes < 24 * 60; minutes += 15) {
      const now = new Date(begin + minutes * 60_000);
      const slot = lastSlot(timetable, now, LONG_AGO);
      if (slot && slot.getTime() >= begin) slots.add(slot.toISOString());
      expect(nextSlot(timetable, now) > now).toBe(true);
    }
    expect([...slots]).toEqual([expected]);
  });

  test('a monthly slot is found weeks later', () => {
    const monthly = { cron: '0 3 1 * *', zone: 'America/New_York' };
    expect(lastSlot(monthly, at('2026-03-31T12:00:00Z'), LONG_AGO)).toEqual(at('2026-03-01T08:00:00Z'));
    expect(nextSlot(monthly, at('2026-03-31T12:00:00Z'))).toEqual(at('2026-04-01T07:00:00Z'));
  });

  test('a slot at or before the beginning of the schedule is none', () => {
    const hourly = { cron: '0 * * * *', zone: 'UTC' };
    const slot = at('2026-03-10T02:00:00Z');
    expect(lastSlot(hourly, at('2026-03-10T02:30:00Z'), slot)).toBeUndefined();
    expect(lastSlot(hourly, at('2026-03-10T03:00:00Z'), slot)).toEqual(at('2026-03-10T03:00:00Z'));
    // Near a change of clocks slots are looked for from earlier on.
    const inBerlin = { ...hourly, zone: 'Europe/Berlin' };
    const changed = at('2026-10-25T02:00:00Z');
    expect(lastSlot(inBerlin, at('2026-10-25T02:30:00Z'), changed)).toBeUndefined();
  });

  test('stores of a schedule begin at moments of their own, always the same and spread over the whole time', () => {
    const moments = Array.from({ length: 1000 }, (_, each) => spreadMs('nightly', `store-${each}`, 7200));
    expect(moments).toEqual(
      Array.from({ length: 1000 }, (_, each) => spreadMs('nightly', `store-${each}`, 7200)),
    );
    for (const part of [0, 1, 2, 3]) {
      const inPart = moments.filter((ms) => Math.floor(ms / 1_800_000) === part).length;
      expect(inPart).toBeGreaterThan(200);
    }
    expect(spreadMs('weekly', 'store-1', 7200)).not.toBe(spreadMs('nightly', 'store-1', 7200));
    expect(spreadMs('nightly', 'store-1', 0)).toBe(0);
  });
});

describe('schedules', () => {
  const database = databaseOfFile();
  let sql: Sql;
  beforeEach(async () => {
    sql = database.sql;
    for (const name of ['blue', 'red']) await addPlainStore(sql, name);
  });

  const nightly: NewSchedule = {
    ...{ name: 'nightly', cron: '0 2 * * *', zone: 'Europe/Berlin', stores: 'all' },
    ...{ command: 'export', resource: 'reviews', options: {}, spreadS: 600 },
  };
  const throwIt = (_: string, error: unknown) => {
    throw error;
  };

  /** Lets a schedule exist for so long already. */
  const backdate = (days: number) =>
    sql.query(`update schedule set since = clock_timestamp() - make_interval(days => $1)`, [days]);

  test('a schedule that fires in two processes makes one task for each store', async () => {
    await addSchedule(sql, nightly);
    await backdate(30);
    const fired = await Promise.all(
      [database.another(), database.another()].map((each) => fireSchedules(each, throwIt)),
    );
    expect(fired.flat().flatMap(({ stores }) => stores)).toHaveLength(2);
    expect(await fireSchedules(sql, throwIt)).toEqual([]);
    const tasks = await listTasks(sql, { schedule: 'nightly' });
    expect(tasks.map(({ store }) => store).sort()).toEqual(['blue', 'red']);
    // Of thirty slots without a worker, only the latest is made up for.
    expect(new Set(tasks.map(({ slot }) => slot?.getTime())).size).toBe(1);
    for (const { slot, notBefore, store } of tasks)
      expect(notBefore.getTime() - (slot?.getTime() ?? 0)).toBe(spreadMs('nightly', store, 600));
  });

  test('a slot that fires again finds its tasks', async () => {
    const schedule = await addSchedule(sql, nightly);
    const slot = at('2026-03-10T01:00:00Z');
    expect(await fireSlot(sql, schedule, slot)).toHaveLength(2);
    await addPlainStore(sql, 'green');
    expect(await fireSlot(sql, schedule, slot)).toHaveLength(1);
    expect(await fireSlot(sql, schedule, slot)).toEqual([]);
    expect(await fireSlot(sql, schedule, at('2026-03-11T01:00:00Z'))).toHaveLength(3);
  });

  test('a new schedule does not fire for the slot before it', async () => {
    await addSchedule(sql, nightly);
    expect(await fireSchedules(sql, throwIt)).toEqual([]);
  });

  test('a paused schedule does not fire, and leaves out what it missed', async () => {
    await addSchedule(sql, nightly);
    await backdate(30);
    expect(await pauseSchedule(sql, 'nightly', true)).toMatchObject({ isPaused: true, nextSlot: null });
    expect(await fireSchedules(sql, throwIt)).toEqual([]);
    expect((await pauseSchedule(sql, 'nightly', false)).nextSlot).toBeInstanceOf(Date);
    expect(await fireSchedules(sql, throwIt)).toEqual([]);
  });

  test('a schedule whose store was removed serves its other stores, and names the one that is gone', async () => {
    await addPlainStore(sql, 'green', { tags: ['warm'] });
    await addSchedule(sql, { ...nightly, stores: 'red,tag:warm,blue' });
    await backdate(30);
    for (const name of ['red', 'green']) await removeStore(sql, name);
    expect(await listSchedules(sql)).toMatchObject([
      { gone: ['red', 'tag:warm'], selected: 1, trouble: null, nextSlot: expect.any(Date) },
    ]);
    expect(await schedulesNaming(sql, 'red')).toEqual(['nightly']);
    expect(await schedulesNaming(sql, 'green')).toEqual([]);
    await fireSchedules(sql, throwIt);
    expect((await listTasks(sql)).map(({ store }) => store)).toEqual(['blue']);
  });

  test('a schedule that selects no store any more makes no tasks, and is listed so', async () => {
    await addSchedule(sql, { ...nightly, stores: 'red' });
    await backdate(30);
    await removeStore(sql, 'red');
    expect(await fireSchedules(sql, throwIt)).toMatchObject([{ stores: [] }]);
    expect(await listSchedules(sql)).toMatchObject([{ gone: ['red'], selected: 0 }]);
  });

  test('a schedule that cannot fire says why until it fires, and does not keep others from it', async () => {
    for (const name of ['a', 'b']) await addSchedule(sql, { ...nightly, name });
    await backdate(30);
    // A zone that this machine does not know, though the one of the user does.
    const setZone = (zone: string) => sql.query(`update schedule set zone = $1 where name = 'a'`, [zone]);
    await setZone('Mars/Olympus');
    const trouble: string[] = [];
    const fired = await fireSchedules(sql, (name) => trouble.push(name));
    expect(trouble).toEqual(['a']);
    expect(fired.map(({ schedule }) => schedule)).toEqual(['b']);
    expect(await listSchedules(sql)).toMatchObject([
      { name: 'a', nextSlot: null, trouble: { message: expect.any(String), at: expect.any(Date) } },
      { name: 'b', trouble: null },
    ]);
    await setZone('UTC');
    expect(await listSchedules(sql, 'a')).toMatchObject([{ trouble: { message: expect.any(String) } }]);
    await fireSchedules(sql, throwIt);
    expect(await listSchedules(sql, 'a')).toMatchObject([{ trouble: null }]);
  });

  test('its tasks stay when it is removed', async () => {
    const schedule = await addSchedule(sql, nightly);
    await fireSlot(sql, schedule, at('2026-03-10T01:00:00Z'));
    await removeSchedule(sql, 'nightly');
    expect(await listSchedules(sql)).toEqual([]);
    expect((await listTasks(sql)).map((task) => task.schedule)).toEqual([null, null]);
  });

  test.each([
    [{ cron: '0 2 * *' }, 'five fields'],
    [{ cron: '0 0 2 * * *' }, 'five fields'],
    [{ cron: '61 2 * * *' }, 'is wrong'],
    [{ cron: '0 0 31 2 *' }, 'is wrong'],
    [{ zone: 'Mars/Olympus' }, 'is no time zone'],
    [{ stores: 'tag:nothing' }, 'No store has the tag'],
    [{ spreadS: -1 }, 'spread'],
    [{ resource: 'customers' }, 'no resource'],
    [{ name: 'a b' }, 'cannot be the name'],
  ])('%o is refused', async (wrong, message) => {
    await expect(addSchedule(sql, { ...nightly, ...wrong })).rejects.toThrow(message);
    expect(await listSchedules(sql)).toEqual([]);
  });

  test('a name is taken once', async () => {
    await addSchedule(sql, nightly);
    await expect(addSchedule(sql, nightly)).rejects.toThrow('already');
  });
});
