import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { hasPostgresPrograms, startCluster } from '../../faults/fleet/machines/cluster.ts';
import { isAlive } from '../../faults/fleet/machines/processes.ts';

test.runIf(hasPostgresPrograms)(
  'a server of its own is killed, started again, frozen and thawed',
  async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const query = async (text: string) => {
      const client = new pg.Client({ connectionString: cluster.url() });
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query(text);
      await client.end();
      return rows;
    };
    await query('create table noted (n integer); insert into noted values (1)');

    const before = cluster.processes();
    await cluster.kill();
    expect(before.length).toBeGreaterThan(1);
    expect(before.filter(isAlive)).toEqual([]);
    await expect(query('select 1')).rejects.toThrow();
    await cluster.start();
    expect(await query('select n from noted')).toEqual([{ n: 1 }]);

    cluster.freeze('all');
    let isAnswered = false;
    const late = query('select 2 as n').finally(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isAnswered).toBe(false);
    cluster.thaw();
    expect(await late).toEqual([{ n: 2 }]);
  },
);
