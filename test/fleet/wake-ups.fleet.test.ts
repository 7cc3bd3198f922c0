import { expect, test } from 'vitest';
import { startWakeUps, wakeUpSchema } from '../../src/fleet/wake-ups.ts';
import { testDatabase } from '../support/postgres.ts';

test('processes that start for the first time at the same moment do not disturb each other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const database = await testDatabase();
    try {
      const starts = Array.from({ length: 6 }, () => startWakeUps(database.another()));
      const started = await Promise.allSettled(starts);
      for (const each of started) if (each.status === 'fulfilled') await each.value.stop();
      expect(started.map(({ status }) => status)).toEqual(starts.map(() => 'fulfilled'));
    } finally {
      await database.sql.script(`drop schema if exists ${await wakeUpSchema(database.sql)} cascade`);
      await database.close();
    }
  }
});
