import { afterEach, expect } from 'vitest';
import type { Delivery, OperationKind, StoreRequest } from '../../../src/model/index.ts';
import { createStoreClient, type StoreClientOptions } from '../../../src/store/client.ts';
import type { StoreClient } from '../../../src/store/client-types.ts';
import type { WaitInfo } from '../../../src/store/delivery/outage.ts';

export const SECRET = 'S3cr&t+%#=/ "quoted" ünï';
export const CLIENT_ID = '64b000000000000000000000-my app';

export const REQUESTS: Readonly<Record<OperationKind, StoreRequest>> = {
  create: { kind: 'create', method: 'POST', path: '/api/products/create', body: '{"name":"Lamp"}' },
  update: { kind: 'update', method: 'PUT', path: '/api/products/update/?id=66f0', body: '{"name":"Lamp 2"}' },
  read: { kind: 'read', method: 'GET', path: '/api/reviews/search?page=1&limit=2' },
};

export interface TestClient extends StoreClient {
  /** All that was logged, reported or thrown, as text. */
  readonly said: string[];
  readonly warnings: string[];
  readonly waits: (WaitInfo | undefined)[];
  /** Requested delays, in ms. */
  readonly slept: number[];
}

const open: TestClient[] = [];

// Every test that uses a client also tests that no secret is shown.
afterEach(async () => {
  for (const client of open.splice(0)) {
    await client.close();
    const text = client.said.join('\n');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(encodeURIComponent(SECRET));
    expect(text).not.toContain('S3cr');
    expect(text).not.toMatch(/(?:access|refresh)-token-\d/);
    expect(text).not.toContain('Lamp');
  }
});

/** A client whose waits take no time: `sleep` moves its clock instead. */
export function testClient(options: { baseUrl: string } & Partial<StoreClientOptions>): TestClient {
  const said: string[] = [];
  const warnings: string[] = [];
  const waits: (WaitInfo | undefined)[] = [];
  const slept: number[] = [];
  let skippedMs = 0;
  const note = (fields: object, message: string) => said.push(`${message} ${JSON.stringify(fields)}`);

  const client = createStoreClient({
    clientId: CLIENT_ID,
    clientSecret: SECRET,
    concurrency: 4,
    timeoutMs: 5_000,
    inDoubt: 'hold',
    giveUpAfterMs: 60_000,
    // A new store starts at forty requests a second, which is too slow for a test.
    learnedRate: 10_000,
    userAgent: 'storeport-test',
    random: () => 0.5,
    now: () => performance.now() + skippedMs,
    sleep: async (ms) => {
      slept.push(ms);
      skippedMs += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
    onWait: (info) => {
      waits.push(info);
      said.push(JSON.stringify(info ?? {}));
    },
    ...options,
    log: {
      debug: (fields, message) => note(fields(), message),
      info: note,
      warn: (fields, message) => {
        warnings.push(message);
        note(fields, message);
      },
    },
  });

  async function overheard<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      // The answer of a read is data, and `authenticate` does not return a token.
      said.push(JSON.stringify({ ...result, answer: undefined }));
      return result;
    } catch (error) {
      const { message, hints, stack } = error as Error & { hints?: string[] };
      said.push([message, ...(hints ?? []), stack].join('\n'));
      throw error;
    }
  }

  const test: TestClient = {
    ...client,
    authenticate: () => overheard(client.authenticate()),
    deliver: (request, beforeSending) => overheard(client.deliver(request, beforeSending)),
    said,
    warnings,
    waits,
    slept,
  };
  open.push(test);
  return test;
}

export function deliver(client: StoreClient, kind: OperationKind): Promise<Delivery> {
  return client.deliver(REQUESTS[kind]);
}
