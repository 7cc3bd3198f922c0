import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { addStore, type FleetStore, type NewStore } from '../../src/fleet/index.ts';
import { startWakeUps, type WakeUps, wakeUpSchema } from '../../src/fleet/wake-ups.ts';
import { type Sql, takeLease } from '../../src/postgres/index.ts';
import { emptyTables, type TestDatabase, testDatabase } from '../support/postgres.ts';

/** Adds a store whose address nobody asks. */
export function addPlainStore(sql: Sql, name: string, rest: Partial<NewStore> = {}): Promise<FleetStore> {
  return addStore(sql, {
    name,
    baseUrl: `https://${name}.example`,
    settings: { clientId: 'client', secret: 'env:SECRET' },
    ...rest,
  });
}

export interface FleetDatabase {
  readonly sql: Sql;
  /** As another process would have it. */
  another(): Sql;
  /** Only with `wakes`. */
  readonly wakeUps: WakeUps;
}

/** One database for a file, emptied after each test. `wakes`: with the job engine. */
export function databaseOfFile({ wakes = false } = {}): FleetDatabase {
  let database: TestDatabase;
  let wakeUps: WakeUps | undefined;
  beforeAll(async () => {
    database = await testDatabase();
    if (wakes) wakeUps = await startWakeUps(database.sql, { pollMs: 20 });
  });
  afterEach(() => emptyTables(database.sql));
  afterAll(async () => {
    await wakeUps?.stop();
    await database.sql.script(`drop schema if exists ${await wakeUpSchema(database.sql)} cascade`);
    await database.close();
  });
  return {
    get sql() {
      return database.sql;
    },
    another: () => database.another(),
    get wakeUps() {
      if (wakeUps === undefined) throw new Error('this file has no job engine');
      return wakeUps;
    },
  };
}

/** Does what a worker does that dies in the middle of a task: its lease has expired when this resolves. */
export async function dieInTask(sql: Sql, id: string): Promise<void> {
  const [line] = await sql.query<{ store: number }>('select store from task where id = $1', [id]);
  const timing = { ttlMs: 1, renewMs: 60_000 };
  await vi.waitFor(
    async () => {
      const lease = await takeLease(sql, { store: line?.store ?? 0, holder: 'gone', timing });
      expect(lease).toBeDefined();
      lease?.abandon();
      await sql.query(`update task set state = 'running', epoch = $2 where id = $1`, [id, lease?.epoch]);
    },
    { timeout: 30_000, interval: 20 },
  );
}
