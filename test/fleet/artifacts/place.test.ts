import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ArtifactStorage, openArtifacts, uploadFiles } from '../../../src/fleet/artifacts/index.ts';
import {
  disownPlace,
  MARKER,
  openPlace,
  readPlaceRecord,
  takePlace,
} from '../../../src/fleet/artifacts/place/index.ts';
import type { ArtifactEnvironment } from '../../../src/fleet/artifacts/types.ts';
import { tidy } from '../../../src/fleet/worker/tidy.ts';
import type { Sql } from '../../../src/postgres/index.ts';
import { testSql } from '../../support/postgres.ts';
import { s3Server } from '../../support/s3/server.ts';
import { fleetOfFile, localFiles, takeOver, temporaryFolder } from './support.ts';

const openFleet = fleetOfFile();

/** Two places of one kind, which are empty. */
interface Places {
  readonly first: string;
  readonly second: string;
  readonly env: ArtifactEnvironment;
}

async function inBucket(): Promise<Places> {
  const { bucket, env } = await s3Server();
  return { first: `s3://${bucket}/one`, second: `s3://${bucket}/two`, env };
}

async function inFolders(): Promise<Places> {
  const root = temporaryFolder();
  for (const name of ['one', 'two']) mkdirSync(join(root, name));
  return { first: join(root, 'one'), second: join(root, 'two'), env: {} };
}

interface Use {
  readonly given?: string;
  readonly usual?: string;
  readonly purpose?: 'read' | 'write';
  readonly env?: ArtifactEnvironment;
}

/** Opens a place, and returns its name. */
async function open(sql: Sql, { purpose = 'write', env = {}, ...use }: Use): Promise<string> {
  const storage = await openPlace(sql, { purpose, env, wait: async () => {}, ...use });
  onTestFinished(() => storage.close());
  return storage.name;
}

async function storageAt(location: string, env: ArtifactEnvironment): Promise<ArtifactStorage> {
  const storage = await openArtifacts(location, { env, wait: async () => {} });
  onTestFinished(() => storage.close());
  return storage;
}

const refused = (part: string) => ({ name: 'ConfigError', message: expect.stringContaining(part) });

describe.each([
  ['a folder', inFolders],
  ['a bucket', inBucket],
])('the place of files in %s', (_, places) => {
  test('is named by the first worker, and used by processes that are given none', async () => {
    const [{ sql }, { first, env }] = [await openFleet(), await places()];
    expect(await open(sql, { given: first, env })).toBe(first);
    expect(await open(sql, { env })).toBe(first);
    expect(await open(sql, { env, purpose: 'read' })).toBe(first);
    // Not the one that a first worker would use.
    expect(await open(sql, { env, usual: '/nowhere' })).toBe(first);
    expect(await readPlaceRecord(sql)).toMatchObject({ location: first, isMarked: true });
  });

  test('is refused to a process that is given another one', async () => {
    const [{ sql }, { first, second, env }] = [await openFleet(), await places()];
    await open(sql, { given: first, env });
    for (const purpose of ['read', 'write'] as const)
      await expect(open(sql, { given: second, env, purpose })).rejects.toMatchObject(
        refused(`The files of this fleet are in ${first}, not in ${second}`),
      );
    expect(await open(sql, { env })).toBe(first);
  });

  test('is not shared by two fleets', async () => {
    const [{ sql }, other, { first, env }] = [await openFleet(), await testSql(), await places()];
    onTestFinished(other.close);
    await open(sql, { given: first, env });
    await expect(open(other, { given: first, env })).rejects.toMatchObject(
      refused('belong to another fleet'),
    );
    expect(await readPlaceRecord(other)).toBeUndefined();
    expect(await open(sql, { env })).toBe(first);
  });

  test('is marked by the next process if the one that named it ended before', async () => {
    const [{ sql }, { first, env }] = [await openFleet(), await places()];
    await open(sql, { given: first, env });
    const storage = await storageAt(first, env);
    await storage.put('other', Readable.from([Buffer.from('x')]));
    await storage.remove({ key: MARKER });
    // Once it was marked, a place without a marker is another one.
    await expect(open(sql, { env })).rejects.toMatchObject(refused(`${MARKER} is missing`));
    await sql.query('update cluster set artifacts_marked = false');
    expect(await open(sql, { env })).toBe(first);
  });

  test('may be read by a copy of the database, and written only once it is taken over', async () => {
    const [{ sql }, { first, env }] = [await openFleet(), await places()];
    await open(sql, { given: first, env });
    const [original] = await sql.query<{ id: string }>('select artifacts_id as id from cluster');
    // As in a dump that was restored: the tables are other ones.
    await sql.query(`update cluster set artifacts_owner = '1/1/1'`);
    expect(await open(sql, { env, purpose: 'read' })).toBe(first);
    await expect(open(sql, { env })).rejects.toMatchObject({
      ...refused('was restored or copied'),
      hints: expect.arrayContaining([expect.stringContaining(`fleet init --take-artifacts ${first}`)]),
    });
    expect(await takePlace(sql, first, { env })).toEqual({ location: first, before: undefined });
    expect(await open(sql, { env })).toBe(first);
    // The original is refused from then on.
    await sql.query('update cluster set artifacts_id = $1', [original?.id]);
    await expect(open(sql, { env })).rejects.toMatchObject(refused('taken them over'));
  });

  test('is refused after a user said that the database was restored', async () => {
    const [{ sql }, { first, second, env }] = [await openFleet(), await places()];
    await open(sql, { given: first, env });
    await disownPlace(sql);
    await expect(open(sql, { env })).rejects.toMatchObject(refused('was restored or copied'));
    expect(await takePlace(sql, second, { env })).toEqual({ location: second, before: first });
    expect(await open(sql, { env })).toBe(second);
    await expect(open(sql, { given: first, env })).rejects.toMatchObject(refused('belong to another fleet'));
  });

  test('moves only when no worker is at work', async () => {
    const [{ sql }, { first, second, env }] = [await openFleet(), await places()];
    await open(sql, { given: first, env });
    await sql.query(
      `insert into worker (id, host, version, schema_version, slots) values ('w-1', 'h', '0', 3, 1)`,
    );
    await expect(takePlace(sql, second, { env })).rejects.toMatchObject(refused('w-1'));
    expect(await open(sql, { env })).toBe(first);
    await sql.query(`update worker set seen_at = clock_timestamp() - interval '2 minutes'`);
    await takePlace(sql, second, { env });
    expect(await open(sql, { env })).toBe(second);
  });

  test('is not swept by a fleet that lost it', async () => {
    const [{ sql, store, task }, { first, env }] = [await openFleet(), await places()];
    await open(sql, { given: first, env });
    const storage = await storageAt(first, env);
    const zombie = await takeOver(sql, store, 'zombie');
    await uploadFiles({ storage, lease: zombie, task, files: localFiles({ a: '1' }) });
    await takeOver(sql, store, 'worker');
    await disownPlace(sql);
    await expect(tidy(sql, storage, { info() {}, warn() {}, error() {} })).rejects.toMatchObject(
      refused('was restored or copied'),
    );
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    expect(keys).toHaveLength(2);
  });
});

test('a place that nobody has named is unknown to a process that may not name it', async () => {
  const { sql } = await openFleet();
  await expect(open(sql, {})).rejects.toMatchObject(refused('It is not known yet'));
  await expect(open(sql, { purpose: 'read' })).rejects.toMatchObject(refused('It is not known yet'));
});

test('of several first workers with places of their own, one names that of the fleet', async () => {
  const [{ sql }, { first, second }] = [await openFleet(), await inFolders()];
  const ends = await Promise.allSettled([open(sql, { given: first }), open(sql, { given: second })]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('several first workers with one place begin', async () => {
  const [{ sql }, { first }] = [await openFleet(), await inFolders()];
  await Promise.all([1, 2, 3].map(() => open(sql, { given: first })));
  expect(await open(sql, {})).toBe(first);
});

test('a folder that is at another path on this machine is the same place', async () => {
  const [{ sql }, { first, second }] = [await openFleet(), await inFolders()];
  await open(sql, { given: first });
  rmSync(second, { recursive: true });
  renameSync(first, second);
  await expect(open(sql, {})).rejects.toMatchObject(
    refused(`are in the folder ${first}, which does not exist on this machine`),
  );
  expect(existsSync(first)).toBe(false);
  expect(await open(sql, { given: second })).toBe(second);
});

test('a marker that storeport did not write is not replaced', async () => {
  const [{ sql }, { first }] = [await openFleet(), await inFolders()];
  writeFileSync(join(first, MARKER), 'hello');
  await expect(open(sql, { given: first })).rejects.toMatchObject(refused('is damaged'));
  expect(await readPlaceRecord(sql)).toBeUndefined();
});

test('a bucket that refuses its keys is a wrong setting, without the answer of the server', async () => {
  const [{ sql }, { first, env }] = [await openFleet(), await inBucket()];
  const error = await open(sql, { given: first, env: { ...env, AWS_SECRET_ACCESS_KEY: 'wrong' } }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error).toMatchObject(refused(`The files of the fleet in ${first} cannot be used`));
  expect(error?.message).not.toContain('AKIA');
});

test('the marker is written again each day, since a rule of the bucket may remove old objects', async () => {
  const { sql } = await openFleet();
  const { bucket, env, objects } = await s3Server();
  const given = `s3://${bucket}/one`;
  await open(sql, { given, env });
  const key = `one/${MARKER}`;
  const before = objects.get(key);
  await tidy(sql, await storageAt(given, env), { info() {}, warn() {}, error() {} });
  expect(objects.get(key)).not.toBe(before);
  expect(objects.get(key)?.body).toEqual(before?.body);
});
