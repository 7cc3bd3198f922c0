import { expect, test } from 'vitest';
import type { Connection } from '../../src/cli/store.ts';
import { obtainToken } from '../../src/cli/token.ts';
import { RunStopped } from '../../src/model/index.ts';

/** A connection whose store gives this answer, and how often it was closed. */
function connectionTo(authenticate: Connection['client']['authenticate']) {
  let closed = 0;
  const client = { authenticate } as Connection['client'];
  const close = async () => void closed++;
  const connection: Connection = {
    ...{ baseUrl: 'https://store.example', ephemeral: false, client, concurrency: 1 },
    close,
  };
  return { connection, closed: () => closed };
}

const interrupted = new AbortController().signal;

test('the connection is closed once the store gave a token', async () => {
  const { connection, closed } = connectionTo(async () => ({ expiresAt: 0, storeId: 'shop' }));
  const token = await obtainToken(connection, interrupted);
  expect(token).toEqual({ validUntil: '1970-01-01T00:00:00.000Z', storeId: 'shop' });
  expect(closed()).toBe(1);
});

test('the connection is closed if the store refuses', async () => {
  const refusal = new RunStopped('credentials-refused', 'The store refused.');
  const { connection, closed } = connectionTo(() => Promise.reject(refusal));
  await expect(obtainToken(connection, interrupted)).rejects.toBe(refusal);
  expect(closed()).toBe(1);
});
