import { expect, onTestFinished, test } from 'vitest';
import {
  openArtifacts,
  sweepOrphans,
  uploadFiles,
  writeArtifacts,
} from '../../../src/fleet/artifacts/index.ts';
import { fenced, takeLease } from '../../../src/postgres/index.ts';
import { addTestStore, testDatabase } from '../../support/postgres.ts';
import { addTask, localFiles, temporaryFolder } from './support.ts';

const ANY_AGE = -3_600_000;

test('a takeover waits for a publication in flight, and no sweep in between removes its files', async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const [sql, other, third] = [database.sql, database.another(), database.another()];
  const store = await addTestStore(sql);
  const task = await addTask(sql, store, 'export-1');
  const storage = await openArtifacts(temporaryFolder(), { env: {} });
  const lease = await takeLease(sql, { store, holder: 'slow' });
  if (lease === undefined) throw new Error('the lease is held by another');
  lease.abandon();
  await sql.query("update lease set expires = '-infinity'");
  const files = await uploadFiles({ storage, lease, task, files: localFiles({ file: 'text' }) });

  let taking: ReturnType<typeof takeLease> | undefined;
  await fenced(sql, lease, async (inside) => {
    await writeArtifacts(inside, { lease, task }, files);
    taking = takeLease(other, { store, holder: 'next' });
    await expect.poll(waitingTakeovers).toBe(1);
    expect(await sweepOrphans(third, { storage, olderThanMs: ANY_AGE })).toEqual({
      removed: 0,
      kept: 1,
    });
  });
  const next = await taking;
  next?.abandon();
  expect(next?.epoch).toBe(lease.epoch + 1);
  expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 0, kept: 1 });

  /** Counts statements of this schema that wait for the line of the lease. */
  async function waitingTakeovers(): Promise<number> {
    const rows = await third.query(
      `select 1 from pg_locks waiting join pg_locks held using (pid)
        where not waiting.granted and held.relation = 'lease'::regclass and held.mode = 'RowShareLock'`,
    );
    return Math.min(rows.length, 1);
  }
});
