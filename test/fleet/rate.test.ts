import { expect, test } from 'vitest';
import { setSharedRate } from '../../src/fleet/index.ts';
import { createSharedRate, leasePortion } from '../../src/fleet/rate.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { databaseOfFile } from '../support/postgres.ts';

const database = databaseOfFile();

/** When the permits of portions may be used, by the clock of Postgres, in seconds. */
async function leased(leasers: number, portions: number): Promise<number[]> {
  const moments: number[] = [];
  await Promise.all(
    Array.from({ length: leasers }, async () => {
      const sql = database.another();
      for (let each = 0; each < portions; each += 1)
        await sql.transaction(async (inside) => {
          const portion = await leasePortion(inside, 'host');
          // The line is locked until the end of the transaction, so this is the end of this portion.
          const [line] = await inside.query<{ end: number }>(
            `select extract(epoch from next_at)::float8 as "end" from rate where key = 'host'`,
          );
          const { count = 0, spacingMs = 0 } = portion ?? {};
          for (let permit = 1; permit <= count; permit += 1)
            moments.push((line?.end ?? 0) - (permit * spacingMs) / 1000);
        });
    }),
  );
  return moments.sort((a, b) => a - b);
}

/** Rounding of dates: Postgres has microseconds. */
const ROUNDING_S = 0.00002;

test.each([
  [100, 12],
  [7, 6],
  [1, 3],
])('four workers together stay at %i requests in each second', async (limit, portions) => {
  await setSharedRate(database.sql, 'host', limit);
  const moments = await leased(4, portions);
  expect(moments.length).toBe(4 * portions * Math.max(1, Math.floor(limit * 0.2)));
  let most = 0;
  for (const [index, moment] of moments.entries()) {
    // A permit may be used 50 ms late.
    const end = moments.findIndex((other) => other > moment + 1.05 - ROUNDING_S);
    most = Math.max(most, (end === -1 ? moments.length : end) - index);
  }
  expect(most).toBe(Math.min(limit, moments.length));
});

test('permits of time that has passed are not saved up', async () => {
  await setSharedRate(database.sql, 'host', 10);
  await database.sql.query(`update rate set next_at = clock_timestamp() - interval '1 hour'`);
  const first = await leasePortion(database.sql, 'host');
  const second = await leasePortion(database.sql, 'host');
  expect(first?.waitMs).toBeLessThanOrEqual(0);
  expect(second?.waitMs).toBeGreaterThan(0);
});

test('requests wait for their permits, and a key without a limit lets all through', async () => {
  await setSharedRate(database.sql, 'host', 50);
  const limited = createSharedRate(database.sql, 'host');
  const begin = performance.now();
  await Promise.all(Array.from({ length: 21 }, () => limited.permit()));
  // 20 spaces of 21 ms. Timers may be late, but not early by more than a millisecond.
  expect(performance.now() - begin).toBeGreaterThan(20 * 21 - 2);
  const free = createSharedRate(database.sql, 'nobody');
  await Promise.all(Array.from({ length: 1000 }, () => free.permit()));
  expect(free.permit()).toBeUndefined();
});

test('requests wait while the database is away, and are not lost', async () => {
  await setSharedRate(database.sql, 'host', 50);
  let failures = 2;
  const trouble: unknown[] = [];
  const flaky = {
    ...database.sql,
    query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('away');
      }
      return database.sql.query<Row>(text, values);
    },
  };
  await createSharedRate(flaky, 'host', { onTrouble: (error) => trouble.push(error) }).permit();
  expect(trouble).toHaveLength(2);
});

test('a request that comes at whatever moment after the last permit gets one', async () => {
  const portion = { waitMs: 0, count: 1, spacingMs: 0 };
  const sql = { query: async () => [portion] } as unknown as Sql;
  for (let turns = 0; turns < 12; turns += 1) {
    const rate = createSharedRate(sql, 'host');
    await rate.permit();
    for (let turn = 0; turn < turns; turn += 1) await undefined;
    await rate.permit();
  }
});
