import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readlinkSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ArtifactStorage,
  filesToPublish,
  listArtifacts,
  openArtifact,
  openArtifacts,
  publish,
  uploadFiles,
  writeArtifacts,
} from '../../../src/fleet/artifacts/index.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { fenced, type Sql } from '../../../src/postgres/index.ts';
import { s3Server } from '../../support/s3/server.ts';
import { fleetOfFile, localFiles, takeOver, temporaryFolder } from './support.ts';

const openFleet = fleetOfFile();

async function openBucket() {
  const server = await s3Server();
  const storage = await openArtifacts(`s3://${server.bucket}/fleet`, {
    env: server.env,
    wait: async () => {},
  });
  onTestFinished(() => storage.close());
  return { server, storage };
}

async function contentOf(
  sql: Sql,
  storage: ArtifactStorage,
  task: number,
  name: string,
): Promise<string | undefined> {
  const opened = await openArtifact(sql, storage, { task, name });
  return opened && text(opened.content);
}

describe.each([
  ['a folder', async () => openArtifacts(temporaryFolder(), { env: {} })],
  ['a bucket', async () => (await openBucket()).storage],
])('in %s', (_, open) => {
  test('files are published and read by the manifest', async () => {
    const [{ sql, store, task }, storage] = [await openFleet(), await open()];
    const lease = await takeOver(sql, store, 'worker');
    const files = localFiles({ 'products.csv': 'a,b\n', 'reports/été 1+1.csv': 'x', empty: '' });
    const lines = await publish(sql, { storage, lease, task, files });
    expect(lines).toContainEqual({
      name: 'products.csv',
      location: expect.stringMatching(new RegExp(`^${store}/export-1/1-[0-9a-f]{8}/products\\.csv$`)),
      epoch: 1,
      bytes: 4,
      sha256: createHash('sha256').update('a,b\n').digest('hex'),
    });
    expect(await listArtifacts(sql, task.number)).toEqual(
      [...lines].sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
    expect(await contentOf(sql, storage, task.number, 'reports/été 1+1.csv')).toBe('x');
    expect(await contentOf(sql, storage, task.number, 'empty')).toBe('');
    expect(await contentOf(sql, storage, task.number, 'none')).toBeUndefined();
    expect(await contentOf(sql, storage, task.number + 1, 'empty')).toBeUndefined();
  });

  test('a worker that lost its lease cannot replace a newer file', async () => {
    const [{ sql, store, task }, storage] = [await openFleet(), await open()];
    const zombie = await takeOver(sql, store, 'zombie');
    const old = { storage, lease: zombie, task, files: localFiles({ 'products.csv': 'old' }) };
    const uploaded = await uploadFiles(old);
    const lease = await takeOver(sql, store, 'worker');
    await publish(sql, { storage, lease, task, files: localFiles({ 'products.csv': 'new' }) });
    await expect(
      fenced(sql, zombie, (inside) => writeArtifacts(inside, old, uploaded)),
    ).rejects.toMatchObject({ reason: 'lease-lost' });
    // It may also upload everything after the newer file was published.
    await expect(publish(sql, old)).rejects.toMatchObject({ reason: 'lease-lost' });
    expect(await contentOf(sql, storage, task.number, 'products.csv')).toBe('new');
  });

  test('a worker that lost its lease publishes nothing, even if nobody else has', async () => {
    const [{ sql, store, task }, storage] = [await openFleet(), await open()];
    const zombie = await takeOver(sql, store, 'zombie');
    const files = localFiles({ 'products.csv': 'old' });
    const lease = await takeOver(sql, store, 'worker');
    for (const lost of [zombie, { ...zombie, epoch: lease.epoch }, { ...lease, epoch: zombie.epoch }])
      await expect(publish(sql, { storage, lease: lost, task, files })).rejects.toMatchObject({
        reason: 'lease-lost',
      });
    expect(await listArtifacts(sql, task.number)).toEqual([]);
  });

  test('a file that is published again is replaced', async () => {
    const [{ sql, store, task }, storage] = [await openFleet(), await open()];
    for (const content of ['first', 'second', 'third']) {
      const lease = await takeOver(sql, store, content);
      await publish(sql, { storage, lease, task, files: localFiles({ file: content }) });
      expect(await contentOf(sql, storage, task.number, 'file')).toBe(content);
    }
    const lease = await takeOver(sql, store, 'worker');
    for (const content of ['one', 'two under the same lease']) {
      await publish(sql, { storage, lease, task, files: localFiles({ file: content }) });
      expect(await contentOf(sql, storage, task.number, 'file')).toBe(content);
    }
  });

  test('a damaged object is not read to its end', async () => {
    const [{ sql, store, task }, storage] = [await openFleet(), await open()];
    const lease = await takeOver(sql, store, 'worker');
    const [line] = await publish(sql, { storage, lease, task, files: localFiles({ file: 'text' }) });
    for (const damaged of ['tex', 'texts', 'test']) {
      await storage.put(String(line?.location), [Buffer.from(damaged)] as never);
      await expect(contentOf(sql, storage, task.number, 'file')).rejects.toThrow('is damaged');
    }
    await storage.remove({ key: String(line?.location) });
    await expect(contentOf(sql, storage, task.number, 'file')).rejects.toThrow('does not have file');
  });
});

test('a line of a higher epoch is not replaced, and the lines beside it are not written', async () => {
  const { sql, store, task } = await openFleet();
  const storage = await openArtifacts(temporaryFolder(), { env: {} });
  const lease = await takeOver(sql, store, 'worker');
  await publish(sql, { storage, lease, task, files: localFiles({ file: 'old' }) });
  await sql.query('update artifact set epoch = 9');
  const files = localFiles({ other: 'x', file: 'new' });
  await expect(publish(sql, { storage, lease, task, files })).rejects.toMatchObject({ reason: 'lease-lost' });
  expect(await listArtifacts(sql, task.number)).toMatchObject([{ name: 'file', epoch: 9, bytes: 3 }]);
});

test('names that a publication does not have stay, or are removed if that is wanted', async () => {
  const { sql, store, task } = await openFleet();
  const storage = await openArtifacts(temporaryFolder(), { env: {} });
  const lease = await takeOver(sql, store, 'worker');
  const names = async () => (await listArtifacts(sql, task.number)).map(({ name }) => name);
  await publish(sql, { storage, lease, task, files: localFiles({ a: '1', b: '1' }) });
  await publish(sql, { storage, lease, task, files: localFiles({ b: '2', c: '2' }) });
  expect(await names()).toEqual(['a', 'b', 'c']);
  await publish(sql, { storage, lease, task, files: localFiles({ b: '3' }), removesOthers: true });
  expect(await names()).toEqual(['b']);
  await publish(sql, { storage, lease, task, files: [], removesOthers: true });
  expect(await names()).toEqual([]);
});

test('no line is written unless all files are whole', async () => {
  const { sql, store, task } = await openFleet();
  const { server, storage } = await openBucket();
  const lease = await takeOver(sql, store, 'worker');
  const fault = { kind: 'status', status: 500 } as const;
  server.inject('put-object', { kind: 'hold', until: Promise.resolve() }, ...Array(5).fill(fault));
  const files = localFiles({ a: '1', b: '2' });
  await expect(publish(sql, { storage, lease, task, files })).rejects.toMatchObject({
    name: 'RunStopped',
    reason: 'output-failed',
    message: expect.stringContaining('b could not be published: s3://test-bucket/fleet'),
  });
  expect(server.objects.size).toBe(1);
  expect(await listArtifacts(sql, task.number)).toEqual([]);
});

describe('a file that is to be published', () => {
  async function publishTo(storage: ArtifactStorage, files = localFiles({ a: '1' })) {
    const { sql, store, task } = await openFleet();
    const lease = await takeOver(sql, store, 'worker');
    return publish(sql, { storage, lease, task, files });
  }

  test.each([
    ['a folder', () => openArtifacts(temporaryFolder(), { env: {} })],
    ['a bucket', async () => (await openBucket()).storage],
  ])('may vanish before %s reads it: the task stops, and not the process', async (_, open) => {
    const storage = await open();
    const files = localFiles({ a: '1' });
    const slow: ArtifactStorage = {
      ...storage,
      async put(key, content, how) {
        for (const { path } of files) unlinkSync(path);
        // An error that nobody listens for ends the process meanwhile.
        for (let turn = 0; turn < 20; turn++) await setTimeout(1);
        return storage.put(key, content, how);
      },
    };
    await expect(publishTo(slow, files)).rejects.toMatchObject({
      reason: 'output-failed',
      message: expect.stringMatching(/^a could not be published: ENOENT/),
    });
  });

  test('is not left open by a storage that does not read it', async () => {
    const storage = await openArtifacts(temporaryFolder(), { env: {} });
    const files = localFiles({ a: '1' });
    const broken: ArtifactStorage = {
      ...storage,
      async put() {
        for (let turn = 0; turn < 20; turn++) await setTimeout(1);
        throw new ConfigError('The folder cannot be used.');
      },
    };
    await expect(publishTo(broken, files)).rejects.toMatchObject({
      reason: 'output-failed',
      message: 'a could not be published: The folder cannot be used.',
    });
    expect(openFilesOf(process.pid)).not.toContain(files[0]?.path);
  });

  test('stops the task if the folder is gone', async () => {
    const root = temporaryFolder();
    const storage = await openArtifacts(join(root, 'artifacts'), { env: {} });
    rmSync(join(root, 'artifacts'), { recursive: true });
    writeFileSync(join(root, 'artifacts'), '');
    await expect(publishTo(storage)).rejects.toMatchObject({
      reason: 'output-failed',
      message: expect.stringContaining('a could not be published: The folder'),
    });
  });
});

/** Paths of the files that a process has open. */
function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((descriptor) => {
    try {
      return [readlinkSync(join(folder, descriptor))];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

test('an upload ends with the lease', async () => {
  const { sql, store, task } = await openFleet();
  const { server, storage } = await openBucket();
  const lease = await takeOver(sql, store, 'worker');
  const controller = new AbortController();
  server.inject('put-object', { kind: 'hold', until: new Promise(() => {}) });
  const publishing = publish(sql, {
    storage,
    lease,
    task,
    files: localFiles({ a: '1' }),
    signal: controller.signal,
  });
  const refused = expect(publishing).rejects.toThrow('the lease is lost');
  await expect.poll(() => server.operations).toEqual(['put-object']);
  controller.abort(new Error('the lease is lost'));
  await refused;
});

test('a file that is replaced and swept while it is opened is read anew', async () => {
  const { sql, store, task } = await openFleet();
  const storage = await openArtifacts(temporaryFolder(), { env: {} });
  const lease = await takeOver(sql, store, 'worker');
  const [old] = await publish(sql, { storage, lease, task, files: localFiles({ file: 'old' }) });
  const replacing: ArtifactStorage = {
    ...storage,
    async get(key) {
      if (key === old?.location) {
        await publish(sql, { storage, lease, task, files: localFiles({ file: 'new' }) });
        await storage.remove({ key });
      }
      return storage.get(key);
    },
  };
  expect(await contentOf(sql, replacing, task.number, 'file')).toBe('new');
});

test.each(['', '..', 'a/../b', '/a', 'a/', 'a\\b', 'a\nb', 'x'.repeat(601)])(
  'nothing is uploaded for a name that could lead elsewhere: %j',
  async (name) => {
    const { sql, store, task } = await openFleet();
    const { server, storage } = await openBucket();
    const lease = await takeOver(sql, store, 'worker');
    const files = [...localFiles({ good: '1' }), ...localFiles({ [name]: '2' })];
    await expect(publish(sql, { storage, lease, task, files })).rejects.toThrow('cannot have the name');
    expect(server.operations).toEqual([]);
  },
);

test('the files of a folder are named by their paths in it', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'reports/deep'), { recursive: true });
  for (const name of ['b.csv', 'reports/a.csv', 'reports/deep/c.json', '.b.csv.1.0123456789ab.part'])
    writeFileSync(join(folder, name), name);
  const names = ['b.csv', 'reports/a.csv', 'reports/deep/c.json'];
  expect(await filesToPublish(folder)).toEqual(names.map((name) => ({ name, path: join(folder, name) })));
});
