import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ArtifactStorage,
  openArtifact,
  openArtifacts,
  publish,
  sweepOrphans,
  uploadFiles,
} from '../../../src/fleet/artifacts/index.ts';
import { s3Server } from '../../support/s3/server.ts';
import { addTask, fleetOfFile, localFiles, takeOver, temporaryFolder } from './support.ts';

const openFleet = fleetOfFile();

const HOUR_MS = 3_600_000;
/** Includes objects whose date is now. */
const ANY_AGE = -HOUR_MS;

async function bucketStorage() {
  const server = await s3Server({ pageSize: 2 });
  const storage = await openArtifacts(`s3://${server.bucket}/fleet`, {
    env: server.env,
    partBytes: 4,
    wait: async () => {},
  });
  onTestFinished(() => storage.close());
  return { server, storage };
}

async function keysIn(storage: ArtifactStorage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys.sort();
}

describe.each([
  ['a folder', async () => openArtifacts(temporaryFolder(), { env: {} })],
  ['a bucket', async () => (await bucketStorage()).storage],
])('in %s', (_, open) => {
  test('files of lost epochs are removed, and files that a manifest names are not', async () => {
    const [{ sql, store, task }, storage] = [await openFleet(), await open()];
    const zombie = await takeOver(sql, store, 'zombie');
    await publish(sql, { storage, lease: zombie, task, files: localFiles({ kept: '1', replaced: '2' }) });
    await uploadFiles({ storage, lease: zombie, task, files: localFiles({ a: '3', b: '4', c: '5' }) });
    const lease = await takeOver(sql, store, 'worker');
    await publish(sql, { storage, lease, task, files: localFiles({ replaced: '6' }) });
    expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 4, kept: 2 });
    for (const [name, content] of [
      ['kept', '1'],
      ['replaced', '6'],
    ] as const) {
      const opened = await openArtifact(sql, storage, { task: task.number, name });
      expect(opened && (await text(opened.content))).toBe(content);
    }
    expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 0, kept: 2 });
  });

  test('files under a lease that is held are kept until it is released', async () => {
    const [{ sql, store, task }, storage] = [await openFleet(), await open()];
    const lease = await takeOver(sql, store, 'worker');
    await uploadFiles({ storage, lease, task, files: localFiles({ a: '1', b: '2' }) });
    // A lease that expired may still publish until somebody takes it.
    await sql.query("update lease set expires = '-infinity'");
    expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 0, kept: 2 });
    await lease.release();
    expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 2, kept: 0 });
  });

  test('young files, files of unknown tasks and files of others are kept', async () => {
    const [{ sql, store, task }, storage] = [await openFleet(), await open()];
    const zombie = await takeOver(sql, store, 'zombie');
    await uploadFiles({ storage, lease: zombie, task, files: localFiles({ young: '1' }) });
    await (await takeOver(sql, store, 'worker')).release();
    expect(await sweepOrphans(sql, { storage, olderThanMs: HOUR_MS })).toEqual({ removed: 0, kept: 1 });
    const unknown = { number: 77, id: 'of-another-database' };
    await uploadFiles({ storage, lease: zombie, task: unknown, files: localFiles({ a: '1' }) });
    const others = ['read.me', `${store}/export-1/notes.txt`, `${store}/export-1/1-0123/x`];
    for (const key of others) await storage.put(key, Readable.from([Buffer.from('text')]));
    expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 1, kept: 4 });
    expect(await keysIn(storage)).toEqual(expect.arrayContaining(others));
  });

  test('a task with any characters in its id is swept', async () => {
    const [{ sql, store }, storage] = [await openFleet(), await open()];
    const task = await addTask(sql, store, 'nightly/2026 100%+é');
    const zombie = await takeOver(sql, store, 'zombie');
    await uploadFiles({ storage, lease: zombie, task, files: localFiles({ 'x/y z.csv': '1' }) });
    await takeOver(sql, store, 'worker');
    expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 1, kept: 0 });
  });
});

test('an age is that of the object in a bucket', async () => {
  const { sql, store, task } = await openFleet();
  const { server, storage } = await bucketStorage();
  const zombie = await takeOver(sql, store, 'zombie');
  await uploadFiles({ storage, lease: zombie, task, files: localFiles({ old: '1', young: '2' }) });
  await takeOver(sql, store, 'worker');
  for (const [key, object] of server.objects)
    if (key.endsWith('old')) server.objects.set(key, { ...object, at: new Date(Date.now() - 2 * HOUR_MS) });
  expect(await sweepOrphans(sql, { storage, olderThanMs: HOUR_MS })).toEqual({ removed: 1, kept: 1 });
  expect([...server.objects.keys()].map((key) => key.split('/').at(-1))).toEqual(['young']);
});

test('uploads of lost epochs that were never finished are removed', async () => {
  const { sql, store, task } = await openFleet();
  const { server, storage } = await bucketStorage();
  const zombie = await takeOver(sql, store, 'zombie');
  const refused = { kind: 'status', status: 403 } as const;
  for (const name of ['a', 'b', 'c']) {
    server.inject('put-part', refused);
    server.inject('abort-upload', refused);
    const files = localFiles({ [name]: 'more than a part' });
    await expect(uploadFiles({ storage, lease: zombie, task, files })).rejects.toThrow(
      '(InternalError, 403)',
    );
  }
  expect(server.uploads.size).toBe(3);
  expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 0, kept: 3 });
  await takeOver(sql, store, 'worker');
  expect(await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE })).toEqual({ removed: 3, kept: 0 });
  expect(server.uploads.size).toBe(0);
});

test('a temporary file of a killed process is removed from a folder, with the folder of its publication', async () => {
  const { sql, store, task } = await openFleet();
  const root = temporaryFolder();
  const storage = await openArtifacts(root, { env: {} });
  const zombie = await takeOver(sql, store, 'zombie');
  const [uploaded] = await uploadFiles({ storage, lease: zombie, task, files: localFiles({ file: '1' }) });
  const folder = dirname(join(root, String(uploaded?.key)));
  writeFileSync(join(folder, '.file.123.0123456789ab.part'), 'half');
  utimesSync(join(folder, '.file.123.0123456789ab.part'), 1, 1);
  await takeOver(sql, store, 'worker');
  expect(await sweepOrphans(sql, { storage, olderThanMs: HOUR_MS })).toEqual({ removed: 1, kept: 1 });
  expect(readdirSync(folder)).toEqual(['file']);
  await sweepOrphans(sql, { storage, olderThanMs: ANY_AGE });
  expect(existsSync(folder)).toBe(false);
});
