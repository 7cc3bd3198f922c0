import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openArtifacts } from '../../../src/fleet/artifacts/index.ts';
import { disownPlace, openPlace, takePlace } from '../../../src/fleet/artifacts/place/index.ts';
import type { FleetServerOptions } from '../../../src/fleet/serve/index.ts';
import type { Sql } from '../../../src/postgres/index.ts';
import {
  FILE_TEXT,
  OPERATOR_TOKEN,
  type SeededFleet,
  seedFleet,
  serveFleet,
} from '../../support/fleet-serve.ts';
import { databaseOfFile } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/run.ts';
import { s3Server } from '../../support/s3/server.ts';

const database = databaseOfFile();
let sql: Sql;
let folder: string;
let ids: SeededFleet;

beforeEach(async () => {
  sql = database.sql;
  folder = temporaryFolder();
  ids = await seedFleet(sql, folder);
});

/** Serves the fleet with these files. Returns what asks for the one file, and what was said of it. */
async function served(files: FleetServerOptions['files']) {
  const troubles: string[] = [];
  const fleet = await serveFleet({ sql, files, onTrouble: (text) => void troubles.push(text) });
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, origin: fleet.origin };
  const path = `${fleet.origin}/api/v1/tasks/${ids.done}/files/${encodeURIComponent('reports/results.csv')}`;
  return { ...fleet, troubles, headers, ask: () => fetch(path, { headers }) };
}

test('a bucket that refuses the server is an answer to try again later, and no bug', async () => {
  const { bucket, env } = await s3Server();
  const wrong = { ...env, AWS_SECRET_ACCESS_KEY: 'wrong' };
  const storage = await openArtifacts(`s3://${bucket}/fleet`, { env: wrong, wait: async () => {} });
  const { ask, bugs, troubles } = await served(async () => storage);
  const answer = await ask();
  expect([answer.status, JSON.parse(await answer.text()).error.message]).toEqual([
    503,
    expect.stringContaining(`s3://${bucket}/fleet refused a request`),
  ]);
  expect(troubles).toEqual([expect.stringContaining(`reports/results.csv of the task ${ids.done}`)]);
  expect(bugs).toEqual([]);
  await storage.close();
});

test('a damaged file breaks off, and is said on the terminal without a stack', async () => {
  const { ask, bugs, troubles } = await served(() => openArtifacts(folder, { env: {} }));
  writeFileSync(join(folder, 'kept', 'results.csv'), FILE_TEXT.replace('A-1', 'A-2'));
  await expect(ask().then((answer) => answer.text())).rejects.toThrow();
  expect(troubles).toEqual([expect.stringContaining('is damaged')]);
  expect(bugs).toEqual([]);
});

test('doubts are settled only if their reports get into the place of the fleet', async () => {
  await openPlace(sql, { given: folder, purpose: 'write', env: {} });
  await disownPlace(sql);
  const { headers, origin } = await served((purpose) => openPlace(sql, { purpose, env: {} }));
  const settle = async () => {
    const answer = await fetch(`${origin}/api/v1/tasks/${ids.stopped}/doubts`, {
      ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
      body: JSON.stringify({ answers: [{ row: 3, key: 'A-1', id: 'id-1' }] }),
    });
    return [answer.status, await answer.text()];
  };
  await sql.query("update lease set holder = null, expires = '-infinity'");
  expect(await settle()).toEqual([400, expect.stringContaining('was restored or copied')]);
  await takePlace(sql, folder, { env: {} });
  expect((await settle())[0]).toBe(200);
});
