import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWebFile } from '../../../src/fleet/artifacts/fetch/web-file.ts';
import { createFileClient } from '../../../src/fleet/artifacts/http/file-client.ts';
import { type FetchOptions, fetchSource } from '../../../src/fleet/artifacts/index.ts';
import { shownLocation } from '../../../src/model/index.ts';
import { publicAddresses } from '../../../src/store/index.ts';
import { s3Server } from '../../support/s3/server.ts';
import { temporaryFolder } from './support.ts';

const CONTENT = randomBytes(300_000);
const DIGEST = createHash('sha256').update(CONTENT).digest('hex');
const SIGNED = '?X-Amz-Credential=KEY&X-Amz-Signature=HUSH';

describe('a worker with folders for sources', () => {
  function folders() {
    const root = temporaryFolder();
    for (const name of ['feeds', 'feeds/spring', 'feeds-secret']) mkdirSync(join(root, name));
    for (const name of ['feeds/a.csv', 'feeds/spring/b.csv', 'feeds-secret/c.csv'])
      writeFileSync(join(root, name), 'name\n');
    symlinkSync(join(root, 'feeds-secret/c.csv'), join(root, 'feeds/link.csv'));
    symlinkSync(join(root, 'feeds'), join(root, 'alias'));
    const fetch = (name: string) =>
      fetchSource(join(root, name), optionsIn(root, { within: [join(root, 'feeds')] }));
    return { root, fetch };
  }

  test('reads files in them, and through links into them', async () => {
    const { root, fetch } = folders();
    expect(await fetch('feeds/a.csv')).toMatchObject({ path: join(root, 'feeds/a.csv') });
    expect(await fetch('feeds/spring/b.csv')).toMatchObject({ bytes: 5 });
    expect(await fetch('alias/a.csv')).toMatchObject({
      path: join(root, 'feeds/a.csv'),
      name: join(root, 'alias/a.csv'),
    });
  });

  test.each([
    'feeds-secret/c.csv',
    'feeds/../feeds-secret/c.csv',
    'feeds/link.csv',
    'feeds-secret/not-there.csv',
  ])('refuses %s in the same words', async (name) => {
    await expect(folders().fetch(name)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/is not in a folder that this worker reads\.$/),
    });
  });

  test('names a file that is missing in them', async () => {
    await expect(folders().fetch('feeds/none.csv')).rejects.not.toMatchObject({
      message: expect.stringContaining('is not in a folder'),
    });
  });
});

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server that handles each request by the next of some functions, and further ones by the last. */
async function webServer(...responds: readonly Respond[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const respond = responds[Math.min(requests.length, responds.length - 1)];
    requests.push(request);
    respond?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function optionsIn(folder: string, more: Partial<FetchOptions> = {}): FetchOptions {
  return { folder, env: {}, wait: async () => {}, allowsPrivate: true, ...more };
}

/** Sends the whole file, or the rest that is asked for. */
function whole(headers: Readonly<Record<string, string>> = { etag: '"1"' }): Respond {
  return (request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range = { 'content-range': `bytes ${start}-${CONTENT.length - 1}/${CONTENT.length}` };
    const isPart = start > 0 && request.headers['if-range'] === headers.etag;
    const body = isPart ? CONTENT.subarray(start) : CONTENT;
    response
      .writeHead(isPart ? 206 : 200, { ...headers, ...(isPart && range), 'content-length': body.length })
      .end(body);
  };
}

/** Sends the beginning and cuts the connection. */
function broken(headers: Readonly<Record<string, string>> = { etag: '"1"' }): Respond {
  return (request, response) => {
    response.writeHead(200, { ...headers, 'content-length': CONTENT.length });
    response.write(CONTENT.subarray(0, 100_000), () => request.socket.destroy());
  };
}

function status(code: number, headers: Readonly<Record<string, string>> = {}): Respond {
  return (_, response) => response.writeHead(code, headers).end('HUSH');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(folder, entry.parentPath), entry.name));
}

describe('a web address', () => {
  test('is downloaded into the folder under its own name', async () => {
    const folder = temporaryFolder();
    const { url } = await webServer(whole());
    const fetched = await fetchSource(`${url}/a/m%C3%A4rz%202026.csv.gz${SIGNED}#part`, optionsIn(folder));
    expect(fetched).toEqual({
      path: expect.stringMatching(/\/[0-9a-f]{16}\/märz_2026\.csv\.gz$/),
      name: `${url}/a/m%C3%A4rz%202026.csv.gz?…`,
      bytes: CONTENT.length,
      sha256: DIGEST,
      etag: '"1"',
    });
    expect(fetched.path.startsWith(folder)).toBe(true);
    expect(readFileSync(fetched.path).equals(CONTENT)).toBe(true);
  });

  test.each<[string, ...Respond[]]>([
    ['the server fails', status(503), status(500), whole()],
    ['the server limits requests', status(429, { 'retry-after': '1' }), whole()],
    ['the connection breaks and the file has a tag', broken(), broken(), whole()],
    ['the connection breaks and the file has no tag', broken({}), broken({}), whole({})],
    ['the connection breaks and the tag is weak', broken({ etag: 'W/"1"' }), whole({ etag: 'W/"1"' })],
    ['the file is replaced meanwhile', broken({ etag: '"0"' }), whole()],
    [
      'the server sends all instead of the rest',
      broken(),
      (request, response) => {
        delete request.headers.range;
        whole()(request, response);
      },
    ],
  ])('is downloaded whole although %s', async (_, ...responds) => {
    const folder = temporaryFolder();
    const { url } = await webServer(...responds);
    const fetched = await fetchSource(`${url}/file.csv`, optionsIn(folder));
    expect(fetched.sha256).toBe(DIGEST);
    expect(readFileSync(fetched.path).equals(CONTENT)).toBe(true);
    expect(filesBelow(folder)).toHaveLength(1);
  });

  /** Reads a file whose connection is cut once its first bytes were read. */
  async function readAfterCut(...responds: readonly Respond[]) {
    let cut = () => {};
    const { url, requests } = await webServer(
      (request, response) => {
        response.writeHead(200, { etag: '"1"', 'content-length': CONTENT.length });
        response.write(CONTENT.subarray(0, 1000));
        cut = () => request.socket.destroy();
      },
      ...responds,
    );
    const client = createFileClient({ env: {}, wait: async () => {} });
    onTestFinished(() => client.close());
    const { content } = await openWebFile(client, new URL(`${url}/file.csv`), 'file.csv', undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of content as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      cut();
    }
    return { content: Buffer.concat(chunks), requests };
  }

  test('is asked for the rest only, if it has a tag', async () => {
    const { content, requests } = await readAfterCut(status(503), whole());
    expect(content.equals(CONTENT)).toBe(true);
    const rest = ['bytes=1000-', '"1"'];
    expect(requests.map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
      [undefined, undefined],
      rest,
      rest,
    ]);
  });

  test('is continued where it broke off, if the server sends all instead of the rest', async () => {
    const { content } = await readAfterCut((request, response) => {
      delete request.headers.range;
      whole()(request, response);
    });
    expect(content.equals(CONTENT)).toBe(true);
  });

  test.each([
    ['another file', whole({ etag: '"2"' })],
    ['a file without a tag', whole({})],
    [
      'another part',
      ((_, response) =>
        response
          .writeHead(206, { etag: '"1"', 'content-range': 'bytes 999-299999/300000' })
          .end(CONTENT.subarray(999))) satisfies Respond,
    ],
  ])('is not continued with %s', async (_, respond) => {
    await expect(readAfterCut(respond)).rejects.toThrow('was changed while it was read');
  });

  test('that breaks off before it is read does not end the process', async () => {
    const { url } = await webServer(broken());
    const client = createFileClient({ env: {}, wait: async () => {} });
    onTestFinished(() => client.close());
    const { body } = await client.request({ method: 'GET', url: new URL(url), headers: {} });
    await expect.poll(() => body.destroyed).toBe(true);
  });

  test('is not decompressed', async () => {
    const { url } = await webServer(whole({ 'content-encoding': 'gzip' }));
    const fetched = await fetchSource(`${url}/file.csv.gz`, optionsIn(temporaryFolder()));
    expect(fetched.sha256).toBe(DIGEST);
  });

  test.each<[string, string, string, ...Respond[]]>([
    ['is missing', 'ConfigError', 'There is no file', status(404)],
    ['is refused', 'ConfigError', 'was refused (403)', status(403)],
    ['always fails', 'RunStopped', 'could not be fetched', status(500)],
    ['always breaks', 'RunStopped', 'could not be fetched', broken({})],
    ['is redirected in a circle', 'ConfigError', 'more than 5 times', status(302, { location: '/x?HUSH' })],
    ['is redirected to no address', 'ConfigError', 'is redirected', status(302, { location: 'http://' })],
    [
      'is redirected to a file',
      'ConfigError',
      'is redirected',
      status(302, { location: 'file:///etc/HUSH' }),
    ],
    [
      'is redirected to plain http elsewhere',
      'ConfigError',
      'not at an https address',
      status(302, { location: 'http://KEY:HUSH@example.com/HUSH' }),
    ],
  ])('that %s is an error without its query, and leaves no file', async (_, name, message, ...responds) => {
    const folder = temporaryFolder();
    const { url } = await webServer(...responds);
    const error = await fetchSource(`${url}/file.csv${SIGNED}`, optionsIn(folder)).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(error).toMatchObject({ name, message: expect.stringContaining(message) });
    const text = JSON.stringify([error?.message, error?.stack, { ...error }, String(error?.cause)]);
    expect(text).not.toMatch(/HUSH|KEY/);
    expect(filesBelow(folder)).toEqual([]);
  });

  test('is followed over redirects, anew for each attempt', async () => {
    const there = await webServer(broken(), whole());
    const redirect = status(307, { location: `${there.url}/b${SIGNED}` });
    const { url, requests } = await webServer(status(301, { location: '/b' }), redirect);
    const fetched = await fetchSource(`${url}/file.csv`, optionsIn(temporaryFolder()));
    expect(fetched.sha256).toBe(DIGEST);
    expect(requests.map((request) => request.url)).toEqual(['/file.csv', '/b', '/file.csv']);
    expect(there.requests.map((request) => request.url)).toEqual([`/b${SIGNED}`, `/b${SIGNED}`]);
  });

  test.each(['http://127.0.0.1', 'http://localhost', 'http://2130706433', 'https://[::ffff:7f00:1]'])(
    'a file at %s is refused unless private addresses are allowed, and nothing is connected to',
    async (origin) => {
      const folder = temporaryFolder();
      const { url, requests } = await webServer(whole());
      const address = `${origin}:${new URL(url).port}/file.csv${SIGNED}`;
      await expect(fetchSource(address, optionsIn(folder, { allowsPrivate: false }))).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(
          /^\S+ is on this machine or in a private network.*--allow-private-sources/,
        ),
      });
      expect([requests, filesBelow(folder)]).toEqual([[], []]);
    },
  );

  test('the download of a file does not follow a redirect to a private address', async () => {
    const there = await webServer(whole());
    const here = await webServer(
      status(302, { location: `${there.url.replace('127.0.0.1', 'localhost')}/b` }),
    );
    const guard = publicAddresses(undefined, (address) => address === '127.0.0.1');
    const client = createFileClient({ env: {}, guard, wait: async () => {} });
    onTestFinished(() => client.close());
    await expect(
      openWebFile(client, new URL(`${here.url}/file.csv`), 'file.csv', undefined),
    ).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS', isPassing: false });
    expect([here.requests.length, there.requests.length]).toEqual([1, 0]);
  });

  test('a file under a name with private addresses only is refused, and nothing is connected to', async () => {
    const { url, requests } = await webServer(whole());
    const guard = publicAddresses((_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]));
    const client = createFileClient({ env: {}, guard, wait: async () => {} });
    onTestFinished(() => client.close());
    const named = new URL(url.replace('127.0.0.1', 'files.example'));
    await expect(client.request({ method: 'GET', url: named, headers: {} })).rejects.toMatchObject({
      ...{ code: 'PRIVATE_ADDRESS', isPassing: false },
      message: expect.stringContaining('files.example'),
    });
    expect(requests).toEqual([]);
  });

  test.each([
    ['announces', whole()],
    ['has', ((_, response) => response.writeHead(200).end(CONTENT)) satisfies Respond],
  ])('is refused if the file %s more bytes than are allowed', async (_, respond) => {
    const folder = temporaryFolder();
    const { url } = await webServer(respond);
    await expect(
      fetchSource(`${url}/file.csv${SIGNED}`, optionsIn(folder, { mostBytes: CONTENT.length - 1 })),
    ).rejects.toMatchObject({
      name: 'ConfigError',
      message: `${url}/file.csv?… is larger than the 299999 bytes that are allowed.`,
    });
    expect(filesBelow(folder)).toEqual([]);
    const exact = await fetchSource(`${url}/file.csv`, optionsIn(folder, { mostBytes: CONTENT.length }));
    expect(exact.bytes).toBe(CONTENT.length);
  });

  test('ends when it is aborted, and leaves no file', async () => {
    const folder = temporaryFolder();
    const controller = new AbortController();
    const { url } = await webServer((_, response) => {
      response.writeHead(200, { 'content-length': CONTENT.length });
      response.write(CONTENT.subarray(0, 1000), () => controller.abort(new Error('the lease is lost')));
    });
    await expect(
      fetchSource(`${url}/file.csv`, optionsIn(folder, { signal: controller.signal })),
    ).rejects.toThrow('the lease is lost');
    expect(filesBelow(folder)).toEqual([]);
  });

  test('on another machine is not asked without https', async () => {
    await expect(
      fetchSource(`http://example.com/file.csv${SIGNED}`, optionsIn(temporaryFolder())),
    ).rejects.toThrow('http://example.com/file.csv?… is not at an https address.');
  });
});

describe('an expected file', () => {
  const fetchWith = async (expected: FetchOptions['expected']) => {
    const folder = temporaryFolder();
    const { url } = await webServer(whole());
    const path = join(temporaryFolder(), 'file.csv');
    writeFileSync(path, CONTENT);
    return [`${url}/file.csv`, path].map((location) => ({
      folder,
      fetch: () => fetchSource(location, optionsIn(folder, { expected })),
    }));
  };

  test.each([{ bytes: 1 }, { sha256: '0'.repeat(64) }, { bytes: CONTENT.length, sha256: '0' }])(
    'is not replaced by another: %j',
    async (expected) => {
      for (const { folder, fetch } of await fetchWith(expected)) {
        await expect(fetch()).rejects.toMatchObject({ name: 'RunStopped', reason: 'source-changed' });
        expect(filesBelow(folder)).toEqual([]);
      }
    },
  );

  test('is accepted', async () => {
    for (const { fetch } of await fetchWith({ bytes: CONTENT.length, sha256: DIGEST }))
      expect(await fetch()).toMatchObject({ bytes: CONTENT.length, sha256: DIGEST });
  });

  test('is refused by its tag, unless its digest is known', async () => {
    const { url } = await webServer(whole());
    const fetchTagged = (expected: FetchOptions['expected']) =>
      fetchSource(`${url}/file.csv`, optionsIn(temporaryFolder(), { expected }));
    await expect(fetchTagged({ etag: '"0"' })).rejects.toMatchObject({ reason: 'source-changed' });
    expect(await fetchTagged({ etag: '"1"' })).toMatchObject({ etag: '"1"' });
    expect(await fetchTagged({ etag: '"0"', sha256: DIGEST })).toMatchObject({ sha256: DIGEST });
  });
});

describe('an object of a bucket', () => {
  test('is downloaded, in spite of faults', async () => {
    const server = await s3Server();
    server.objects.set('in/a b+c.csv', { body: CONTENT, etag: '"7"', at: new Date() });
    server.inject('get-object', { kind: 'status', status: 500 }, { kind: 'reset' });
    const folder = temporaryFolder();
    const location = `s3://${server.bucket}/in/a b+c.csv`;
    const fetched = await fetchSource(location, optionsIn(folder, { env: server.env }));
    expect(fetched).toMatchObject({ name: location, bytes: CONTENT.length, sha256: DIGEST, etag: '"7"' });
    expect(readFileSync(fetched.path).equals(CONTENT)).toBe(true);
  });

  test('that is missing or refused is an error without keys', async () => {
    const server = await s3Server();
    const options = optionsIn(temporaryFolder(), { env: server.env });
    await expect(fetchSource(`s3://${server.bucket}/none.csv`, options)).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'There is no file s3://test-bucket/none.csv.',
    });
    const env = { ...server.env, AWS_SECRET_ACCESS_KEY: 'HUSH' };
    await expect(fetchSource('s3://test-bucket/x.csv', { ...options, env })).rejects.toMatchObject({
      name: 'ConfigError',
      message: 's3://test-bucket/x.csv refused a request (SignatureDoesNotMatch, 403).',
    });
  });
});

describe('a path', () => {
  test('is used where it is', async () => {
    const [folder, path] = [temporaryFolder(), join(temporaryFolder(), 'file.csv')];
    writeFileSync(path, CONTENT);
    expect(await fetchSource(path, optionsIn(folder))).toEqual({ path, name: path, bytes: CONTENT.length });
    expect(filesBelow(folder)).toEqual([]);
    await expect(fetchSource(path, optionsIn(folder, { mostBytes: 10 }))).rejects.toThrow('is larger than');
  });

  test('that is relative, missing or a folder is refused', async () => {
    const folder = temporaryFolder();
    await expect(fetchSource('file.csv', optionsIn(folder))).rejects.toThrow('neither an absolute path');
    await expect(fetchSource(join(folder, 'none'), optionsIn(folder))).rejects.toThrow('There is no file');
    await expect(fetchSource(folder, optionsIn(folder))).rejects.toThrow('is not a file');
    expect(existsSync(folder)).toBe(true);
  });
});

test.each([
  ['/data/file.csv', '/data/file.csv'],
  ['s3://bucket/a?b#c', 's3://bucket/a?b#c'],
  ['s3://KEY:HUSH@bucket/a', 's3://bucket/a'],
  ['https://user:p@ss@example.com/a.csv?X-Amz-Signature=HUSH#x', 'https://example.com/a.csv?…'],
  ['HTTPS://example.com/a#HUSH', 'HTTPS://example.com/a?…'],
  ['https://example.com/a', 'https://example.com/a'],
  ['ftp://user:HUSH@example.com', 'ftp://example.com'],
])('%s is shown as %s', (location, shown) => expect(shownLocation(location)).toBe(shown));
