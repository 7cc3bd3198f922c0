import { afterEach, expect, test, vi } from 'vitest';
import { startWakeUps, type WakeUps, wakeStores, wakeUpSchema } from '../../src/fleet/wake-ups.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { databaseOfFile } from '../support/postgres.ts';

const database = databaseOfFile();
const open: WakeUps[] = [];
const trouble: unknown[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
  await database.sql.script(`delete from ${await wakeUpSchema(database.sql)}.job`);
  expect(trouble.splice(0)).toEqual([]);
});

async function start(): Promise<WakeUps> {
  const wakeUps = await startWakeUps(database.another(), {
    onTrouble: (error) => trouble.push(error),
    maintains: true,
    pollMs: 10,
  });
  open.push(wakeUps);
  return wakeUps;
}

test('a store that is woken twice before a worker looks is handled once', async () => {
  await wakeStores(database.sql, [7, 8, 7]);
  await wakeStores(database.sql, [7]);
  const woken: number[] = [];
  (await start()).onWake(
    (store) => woken.push(store),
    () => true,
  );
  // The stores of one call have no order.
  await vi.waitFor(() => expect(woken.toSorted()).toEqual([7, 8]), { timeout: 20_000 });
  await wakeStores(database.sql, [7]);
  await vi.waitFor(() => expect(woken.toSorted()).toEqual([7, 7, 8]), { timeout: 20_000 });
});

test('a wake-up waits while a worker has no room, and another worker gets it', async () => {
  const woken: string[] = [];
  let hasRoom = true;
  const full = await start();
  full.onWake(
    (store) => {
      woken.push(`first ${store}`);
      hasRoom = false;
    },
    () => hasRoom,
  );
  await full.wake([1]);
  await vi.waitFor(() => expect(woken).toEqual(['first 1']), { timeout: 20_000 });
  await full.wake([2]);
  (await start()).onWake(
    (store) => woken.push(`second ${store}`),
    () => true,
  );
  await vi.waitFor(() => expect(woken).toEqual(['first 1', 'second 2']), { timeout: 20_000 });
});

test('an error while a worker looks for wake-ups is reported, and the worker looks again', async () => {
  let fails = 1;
  const failing: Sql = {
    ...database.sql,
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      if (/for update skip locked/i.test(text) && fails > 0) {
        fails -= 1;
        throw new Error('the database is away');
      }
      return database.sql.query<Row>(text, values);
    },
  };
  const reported: unknown[] = [];
  const wakeUps = await startWakeUps(failing, { onTrouble: (error) => reported.push(error), pollMs: 10 });
  open.push(wakeUps);
  const woken: number[] = [];
  await wakeUps.wake([7]);
  wakeUps.onWake(
    (store) => woken.push(store),
    () => true,
  );
  await vi.waitFor(() => expect(woken).toEqual([7]), { timeout: 20_000 });
  expect(reported).toEqual([new Error('the database is away')]);
});

test('an engine that cannot start leaves no timer behind', async () => {
  await wakeStores(database.sql, [7]);
  let asked = 0;
  const failing: Sql = {
    ...database.sql,
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      asked += 1;
      // Only once the engine runs.
      if (text.includes('.queue')) throw new Error('the database is away');
      return database.sql.query<Row>(text, values);
    },
  };
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (let time = 0; time < 5; time += 1)
    await expect(startWakeUps(failing, { maintains: true })).rejects.toThrow('away');
  expect(asked).toBeGreaterThan(0);
  expect(timers()).toBeLessThan(before + 5);
});
