import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ArtifactStorage, openArtifacts } from '../../../src/fleet/artifacts/index.ts';
import { s3Server } from '../../support/s3/server.ts';
import { temporaryFolder } from './support.ts';

const PART = 64 * 1024;

async function onFolder(): Promise<ArtifactStorage> {
  return openArtifacts(join(temporaryFolder(), 'files'), { env: {} });
}

async function onBucket(): Promise<ArtifactStorage> {
  const { env, bucket } = await s3Server({ pageSize: 2 });
  const options = { env, partBytes: PART, wait: async () => {} };
  const storage = await openArtifacts(`s3://${bucket}/some/prefix`, options);
  onTestFinished(() => storage.close());
  return storage;
}

async function* chunksOf(content: Buffer, size = 10_000) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function keysIn(storage: ArtifactStorage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys.sort();
}

describe.each([
  ['a folder', onFolder],
  ['a bucket', onBucket],
])('%s', (_, open) => {
  test.each([0, 1, PART - 1, PART, PART + 1, 3 * PART, 5 * PART + 7])(
    'returns an object of %i bytes as it was written',
    async (size) => {
      const storage = await open();
      const content = randomBytes(size);
      const written = await storage.put('1/task/2-00000000/file.csv', chunksOf(content));
      expect(written).toEqual({
        key: '1/task/2-00000000/file.csv',
        bytes: size,
        sha256: createHash('sha256').update(content).digest('hex'),
      });
      const stream = await storage.get(written.key);
      expect((await buffer(stream as NonNullable<typeof stream>)).equals(content)).toBe(true);
    },
  );

  test('has no object that was not written or was removed', async () => {
    const storage = await open();
    expect(await storage.get('1/task/2-00000000/none')).toBeUndefined();
    await storage.remove({ key: '1/task/2-00000000/none' });
    await storage.put('1/task/2-00000000/file', chunksOf(Buffer.from('text')));
    await storage.remove({ key: '1/task/2-00000000/file' });
    expect(await storage.get('1/task/2-00000000/file')).toBeUndefined();
    expect(await keysIn(storage)).toEqual([]);
  });

  test('lists all keys, whatever characters they have', async () => {
    const storage = await open();
    const names = ['a b', 'a+b', "it's (1)!*", 'käse/日本', 'x&y=1?z', '100%', 'e', 'f'];
    for (const name of names) await storage.put(`1/t/${name}`, chunksOf(Buffer.from(name)));
    expect(await keysIn(storage)).toEqual(names.map((name) => `1/t/${name}`).sort());
    for (const name of names) {
      const stream = await storage.get(`1/t/${name}`);
      expect(String(await buffer(stream as NonNullable<typeof stream>))).toBe(name);
    }
  });

  test.each([10, 2 * PART + 10])(
    'keeps nothing of an object whose content fails after %i bytes',
    async (size) => {
      const storage = await open();
      async function* failing() {
        yield randomBytes(size);
        throw new Error('the source failed');
      }
      await expect(storage.put('1/t/file', failing())).rejects.toThrow('the source failed');
      expect(await storage.get('1/t/file')).toBeUndefined();
      expect(await keysIn(storage)).toEqual([]);
    },
  );

  test('gives up when it is aborted, and keeps nothing', async () => {
    const storage = await open();
    const controller = new AbortController();
    async function* endless() {
      for (let count = 0; ; count++) {
        if (count === 40) controller.abort(new Error('the lease is lost'));
        yield randomBytes(PART / 8);
      }
    }
    await expect(storage.put('1/t/file', endless(), { signal: controller.signal })).rejects.toThrow(
      'the lease is lost',
    );
    expect(await keysIn(storage)).toEqual([]);
  });
});

test('files in a folder can be read by their owner only', async () => {
  const root = join(temporaryFolder(), 'files');
  const storage = await openArtifacts(root, { env: {} });
  await storage.put('1/t/file', chunksOf(Buffer.from('text')));
  expect(statSync(join(root, '1/t/file')).mode & 0o777).toBe(0o600);
  expect(statSync(root).mode & 0o777).toBe(0o700);
});

test.each(['../file', 'a/../../file', '/etc/passwd', 'a\\b', 'a//b', ''])(
  'a folder does not write the key %j',
  async (key) => {
    const root = temporaryFolder();
    const storage = await openArtifacts(join(root, 'files'), { env: {} });
    await expect(storage.put(key, chunksOf(Buffer.from('text')))).rejects.toThrow('cannot have the name');
    expect(readdirSync(root)).toEqual(['files']);
  },
);
