import { expect, test, vi } from 'vitest';
import { startWakeUps, wakeUpSchema } from '../../src/fleet/wake-ups.ts';
import { testDatabase } from '../support/postgres.ts';

test('a process that creates the tables of the engine while another one does starts nevertheless', async () => {
  const database = await testDatabase();
  const schema = await wakeUpSchema(database.sql);
  try {
    const { started } = await database.another().transaction(async (inside) => {
      await inside.script(`create schema ${schema}`);
      // In an object, since the transaction must not wait for it.
      const started = startWakeUps(database.another());
      await vi.waitFor(
        async () => {
          const waiting = await database.sql.query(
            `select 1 as one from pg_stat_activity where wait_event_type = 'Lock' and query like '%${schema}%' and pid <> pg_backend_pid()`,
          );
          expect(waiting).not.toEqual([]);
        },
        { timeout: 20_000, interval: 20 },
      );
      return { started };
    });
    await (await started).stop();
    expect(await database.sql.query(`select name from ${schema}.queue`)).toContainEqual({ name: 'store' });
  } finally {
    await database.close();
  }
});
