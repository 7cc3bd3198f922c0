import { afterAll, beforeAll, expect, vi } from 'vitest';
import { addStore, type FleetStore, type NewStore } from '../../src/fleet/index.ts';
import { startWakeUps, type WakeUps } from '../../src/fleet/wake-ups.ts';
import { type Sql, takeLease } from '../../src/postgres/index.ts';
import { databaseOfFile, type TestDatabase } from '../support/postgres.ts';

/** Adds a store whose address nobody asks. */
export function addPlainStore(sql: Sql, name: string, rest: Partial<NewStore> = {}): Promise<FleetStore> {
  return addStore(sql, {
    name,
    baseUrl: `https://${name}.example`,
    settings: { clientId: 'client', secret: 'env:SECRET' },
    ...rest,
  });
}

export interface FleetDatabase extends TestDatabase {
  readonly wakeUps: WakeUps;
}

/** One database for a file, emptied after each test, with the job engine. */
export function fleetDatabaseOfFile(): FleetDatabase {
  const database = databaseOfFile();
  let wakeUps: WakeUps;
  beforeAll(async () => {
    wakeUps = await startWakeUps(database.sql, { pollMs: 20 });
  });
  afterAll(() => wakeUps.stop());
  return {
    get sql() {
      return database.sql;
    },
    get wakeUps() {
      return wakeUps;
    },
    another: database.another,
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
      await sql.query(`update task set state = 'running', epoch = $2, begun_by = 'gone' where id = $1`, [
        id,
        lease?.epoch,
      ]);
    },
    { timeout: 30_000, interval: 20 },
  );
}
