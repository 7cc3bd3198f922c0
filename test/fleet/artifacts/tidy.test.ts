import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uploadFiles } from '../../../src/fleet/artifacts/index.ts';
import { openPlace } from '../../../src/fleet/artifacts/place/index.ts';
import { tidy } from '../../../src/fleet/worker/tidy.ts';
import { fleetOfFile, localFiles, takeOver, temporaryFolder } from './support.ts';

const openFleet = fleetOfFile();

/** Gives all files below a folder an age of two days. */
function age(folder: string): void {
  const then = Date.now() / 1000 - 2 * 86_400;
  for (const entry of readdirSync(folder, { recursive: true }))
    utimesSync(join(folder, `${entry}`), then, then);
}

test('one of the workers sweeps files of lost leases, once a day, and says what it removed, if anything', async () => {
  const { sql, store, task } = await openFleet();
  const folder = temporaryFolder();
  const storage = await openPlace(sql, { given: folder, purpose: 'write', env: {} });
  const lines: object[] = [];
  const log = { info: (facts: object) => lines.push(facts), warn() {}, error() {} };
  async function leave(holder: string): Promise<void> {
    const lease = await takeOver(sql, store, holder);
    await uploadFiles({ storage, lease, task, files: localFiles({ a: '1', b: '2' }) });
    age(folder);
  }

  await leave('first');
  await leave('second');
  await Promise.all([tidy(sql, storage, log), tidy(sql, storage, log), tidy(sql, storage, log)]);
  expect(lines).toEqual([{ files: folder, removed: 2, kept: 3 }]);

  await leave('third');
  await tidy(sql, storage, log);
  expect(lines).toHaveLength(1);

  await sql.query(`update cluster set swept_at = swept_at - interval '25 hours'`);
  await tidy(sql, storage, log);
  expect(lines.slice(1)).toEqual([{ files: folder, removed: 2, kept: 3 }]);

  await sql.query(`update cluster set swept_at = swept_at - interval '25 hours'`);
  await tidy(sql, storage, log);
  expect(lines).toHaveLength(2);
});
