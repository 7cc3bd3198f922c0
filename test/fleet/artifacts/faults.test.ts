import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ArtifactStorage,
  type ListedObject,
  openArtifacts,
} from '../../../src/fleet/artifacts/index.ts';
import type { S3Operation } from '../../support/s3/objects.ts';
import { type S3Fault, type S3Server, s3Server, TEST_KEYS } from '../../support/s3/server.ts';

const PART = 64 * 1024;
const KEY = '1/task/2-00000000/file.csv';
const SERVER_ERROR: S3Fault = { kind: 'status', status: 503, code: 'SlowDown' };

interface Opened {
  readonly server: S3Server;
  readonly storage: ArtifactStorage;
  /** Waits before further attempts, in milliseconds. */
  readonly waits: readonly number[];
}

async function openOn(env: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const server = await s3Server();
  const waits: number[] = [];
  const storage = await openArtifacts(`s3://${server.bucket}`, {
    env: { ...server.env, ...env },
    partBytes: PART,
    wait: async (ms) => {
      waits.push(ms);
    },
  });
  onTestFinished(() => storage.close());
  return { server, storage, waits };
}

async function* inChunks(content: Buffer, size = PART / 4) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function read(storage: ArtifactStorage): Promise<Buffer> {
  const stream = await storage.get(KEY);
  return buffer(stream as NonNullable<typeof stream>);
}

const SMALL = randomBytes(1000);
const LARGE = randomBytes(3 * PART + 100);

describe('trouble that passes', () => {
  test.each<[S3Operation, Buffer, ...S3Fault[]]>([
    ['put-object', SMALL, SERVER_ERROR, { kind: 'reset' }, { kind: 'lost-answer' }],
    ['put-object', SMALL, { kind: 'status', status: 400, code: 'RequestTimeout' }],
    ['begin-upload', LARGE, SERVER_ERROR, { kind: 'lost-answer' }],
    ['put-part', LARGE, SERVER_ERROR, { kind: 'reset' }, { kind: 'lost-answer' }],
    ['put-part', LARGE, { kind: 'status', status: 429 }, SERVER_ERROR, SERVER_ERROR, SERVER_ERROR],
    ['complete-upload', LARGE, SERVER_ERROR, { kind: 'error-in-200' }],
    ['complete-upload', LARGE, { kind: 'lost-answer' }],
    ['head-object', LARGE, SERVER_ERROR, { kind: 'lost-answer' }],
  ])('an object is written whole in spite of it: %s', async (operation, content, ...faults) => {
    const { server, storage, waits } = await openOn();
    server.inject(operation, ...faults);
    await storage.put(KEY, inChunks(content));
    expect(server.objects.get(KEY)?.body.equals(content)).toBe(true);
    expect(waits).toHaveLength(faults.length);
  });

  test('a read continues where the connection broke', async () => {
    const { server, storage } = await openOn();
    await storage.put(KEY, inChunks(LARGE));
    server.inject('get-object', SERVER_ERROR, { kind: 'reset' }, SERVER_ERROR, { kind: 'reset' });
    expect((await read(storage)).equals(LARGE)).toBe(true);
  });

  test('a list and a removal are tried again', async () => {
    const { server, storage } = await openOn();
    await storage.put(KEY, inChunks(SMALL));
    server.inject('list-objects', SERVER_ERROR, { kind: 'reset' });
    server.inject('delete-object', SERVER_ERROR, { kind: 'lost-answer' });
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    expect(keys).toEqual([KEY]);
    await storage.remove({ key: KEY });
    expect(server.objects.size).toBe(0);
  });
});

describe('trouble that does not pass', () => {
  test.each<[S3Operation, string, Buffer, S3Fault, number]>([
    ['put-object', 'SlowDown', SMALL, SERVER_ERROR, 5],
    ['put-part', 'SlowDown', LARGE, SERVER_ERROR, 5],
    ['put-part', 'cannot be reached, or broke the connection', LARGE, { kind: 'reset' }, 5],
    ['complete-upload', 'InternalError', LARGE, { kind: 'error-in-200' }, 5],
    ['put-part', 'AccessDenied', LARGE, { kind: 'status', status: 403, code: 'AccessDenied' }, 1],
    ['put-part', 'InvalidPart', LARGE, { kind: 'wrong-etag' }, 1],
  ])('no object and no part of one is left: %s, %s', async (operation, message, content, fault, times) => {
    const { server, storage } = await openOn();
    server.inject(operation, ...Array.from({ length: times }, () => fault));
    await expect(storage.put(KEY, inChunks(content))).rejects.toThrow(message);
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });

  test('an upload that cannot be ended is listed as unfinished, and can be removed', async () => {
    const { server, storage } = await openOn();
    server.inject('put-part', { kind: 'status', status: 403, code: 'AccessDenied' });
    server.inject('abort-upload', { kind: 'status', status: 403, code: 'AccessDenied' });
    await expect(storage.put(KEY, inChunks(LARGE))).rejects.toThrow('AccessDenied');
    const listed: ListedObject[] = [];
    for await (const object of storage.list()) listed.push(object);
    expect(listed).toMatchObject([{ key: KEY, upload: [...server.uploads.keys()][0] }]);
    for (const object of listed) await storage.remove(object);
    expect(server.uploads.size).toBe(0);
  });

  test('a read ends with an error if the object is replaced meanwhile', async () => {
    const { server, storage } = await openOn();
    await storage.put(KEY, inChunks(LARGE));
    server.inject('get-object', { kind: 'reset' });
    const stream = (await storage.get(KEY)) as NonNullable<Awaited<ReturnType<typeof storage.get>>>;
    await storage.put(KEY, inChunks(SMALL));
    await expect(buffer(stream)).rejects.toThrow('PreconditionFailed');
  });
});

function hold() {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release: () => release() };
}

test('a wait for another attempt ends with the reason of the signal', async () => {
  const server = await s3Server();
  const storage = await openArtifacts(`s3://${server.bucket}`, { env: server.env });
  onTestFinished(() => storage.close());
  const controller = new AbortController();
  const overloaded: S3Fault = { kind: 'status', status: 503 };
  server.inject('put-object', overloaded, { kind: 'hold', until: new Promise(() => {}) });
  const writing = storage.put(KEY, inChunks(SMALL), { signal: controller.signal });
  const refused = expect(writing).rejects.toThrow('the lease is lost');
  await expect.poll(() => server.operations.length, { interval: 1 }).toBeGreaterThan(0);
  controller.abort(new Error('the lease is lost'));
  await refused;
  expect(server.objects.size).toBe(0);
});

test('at most two parts are in memory, however slow the store is', async () => {
  const { server, storage } = await openOn();
  const holds = Array.from({ length: 6 }, hold);
  server.inject('put-part', ...holds.map(({ until }): S3Fault => ({ kind: 'hold', until })));
  const content = randomBytes(6 * PART);
  let taken = 0;
  let most = 0;
  let answered = 0;
  async function* counted() {
    for await (const chunk of inChunks(content)) {
      taken += chunk.length;
      most = Math.max(most, taken - answered * PART);
      yield chunk;
    }
  }
  const writing = storage.put(KEY, counted());
  for (const { release } of holds) {
    // The part that is held has arrived, and the source gives no more.
    await expect.poll(() => server.receivedBytes()).toBe((answered + 1) * PART);
    await expect.poll(() => taken).toBe(Math.min(answered + 2, 6) * PART);
    answered++;
    release();
  }
  await writing;
  expect(most).toBeLessThanOrEqual(2 * PART + PART / 4);
  expect(server.objects.get(KEY)?.body.equals(content)).toBe(true);
});

test('a read does not fetch more of an object than is consumed', async () => {
  const { server, storage } = await openOn();
  const content = Buffer.alloc(64 * 1024 * 1024, 'x');
  server.objects.set(KEY, { body: content, etag: '"1"', at: new Date() });
  const stream = (await storage.get(KEY)) as NonNullable<Awaited<ReturnType<typeof storage.get>>>;
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let read = (await chunks.next()).value.length;
  // The buffers of the sockets fill up, and no more is asked for.
  for (let count = 0; count < 20; count++) await setTimeout(10);
  expect(server.sentBytes()).toBeLessThan(32 * 1024 * 1024);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) read += next.value.length;
  expect(read).toBe(content.length);
});

describe('secrets', () => {
  const secrets = [
    TEST_KEYS.accessKeyId,
    TEST_KEYS.secretAccessKey,
    String(TEST_KEYS.sessionToken),
    'Signature=',
  ];

  async function errorOf(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => undefined,
      (error: Error) => error,
    );
    expect(error).toBeInstanceOf(Error);
    return JSON.stringify([error?.message, error?.stack, { ...error }, String(error?.cause)]);
  }

  test.each([
    ['AWS_ACCESS_KEY_ID', 'AKIAOTHER', 'InvalidAccessKeyId'],
    ['AWS_SECRET_ACCESS_KEY', 'other-secret', 'SignatureDoesNotMatch'],
    ['AWS_SESSION_TOKEN', 'other-token', 'InvalidToken'],
    ['AWS_REGION', 'us-other-1', 'AuthorizationHeaderMalformed'],
  ])('a wrong %s is refused, and the error shows no key', async (name, value, code) => {
    const { storage } = await openOn({ [name]: value });
    const text = await errorOf(storage.put(KEY, inChunks(SMALL)));
    expect(text).toContain(code);
    for (const secret of [...secrets, 'AKIAOTHER', 'other-secret', 'other-token'])
      expect(text).not.toContain(secret);
  });

  test('errors of servers and connections show no key', async () => {
    const { server, storage } = await openOn();
    server.inject('put-object', { kind: 'status', status: 403, code: 'AccessDenied' });
    const closed = await unusedAddress();
    const nowhere = await openArtifacts('s3://test-bucket/x', {
      env: { ...server.env, AWS_ENDPOINT_URL: closed },
      wait: async () => {},
    });
    onTestFinished(() => nowhere.close());
    const texts = [
      await errorOf(storage.put(KEY, inChunks(SMALL))),
      await errorOf(nowhere.put(KEY, inChunks(SMALL))),
    ];
    expect(texts[1]).toContain('ECONNREFUSED');
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test.each([
    ['s3://KEY:HUSH@bucket/x', {}],
    ['https://KEY:HUSH@example.com/x', {}],
    ['s3://bucket/x', { AWS_ENDPOINT_URL: 'https://KEY:HUSH@example.com' }],
    ['s3://bucket/x', { AWS_ENDPOINT_URL: 'HUSH' }],
    ['s3://bucket/x', { AWS_REGION: 'HUSH' }],
    ['s3://bucket/x', { AWS_ACCESS_KEY_ID: 'HUSH' }],
    ['HUSH', {}],
  ])('a setting that cannot be used is not repeated: %s', async (location, env) => {
    const text = await errorOf(openArtifacts(location, { env }));
    expect(text).toContain('ConfigError');
    expect(text).not.toContain('HUSH');
  });
});

async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
