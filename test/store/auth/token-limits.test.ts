import { describe, expect, test } from 'vitest';
import * as wire from '../../support/store/adversary.ts';
import { deliver, testClient } from '../../support/store/client.ts';

const LEARNED = 1_000;
const RECORDS = 40;

/** Accepts requests with the second token only. */
const only2nd: wire.Step = (socket, request) => {
  const isSecond = request.headers['x-auth-token']?.startsWith('access-token-2-');
  (isSecond ? wire.created() : wire.reply(401))(socket, request);
};

/**
 * An import with concurrency 10 whose token has expired. The token endpoint answers the first renewals with
 * `limited`.
 */
async function renewing(limited: readonly wire.Step[]) {
  let underWay = 0;
  let most = 0;
  const watched =
    (step: wire.Step): wire.Step =>
    (socket, request) => {
      most = Math.max(most, ++underWay);
      // Answered late, so that requests of other deliveries would be seen.
      setImmediate(() => {
        underWay--;
        step(socket, request);
      });
    };
  const issue = wire.token();
  const store = await wire.adversary({ script: [only2nd], token: [issue, ...limited, issue].map(watched) });
  const client = testClient({
    ...{ baseUrl: store.url, concurrency: 10, learnedRate: LEARNED, giveUpAfterMs: 900_000 },
  });
  const ends = await Promise.all(Array.from({ length: RECORDS }, () => deliver(client, 'create')));
  expect(ends.map(({ verdict }) => verdict)).toEqual(Array(RECORDS).fill('done'));
  return { store, client, most };
}

describe('a rate limit of the token endpoint', () => {
  const CASES: readonly [string, wire.Step, number][] = [
    ['with Retry-After', wire.reply(429, '', { 'retry-after': '20' }), 20_000],
    // At least half of 500 ms, since the random number of the test is one half.
    ['without Retry-After', wire.reply(429), 250],
  ];
  test.each(CASES)(
    '429 %s: one delivery waits and retries, a message says so, and the learned rate does not change',
    async (_, limited, leastMs) => {
      const { store, client, most } = await renewing([limited, limited, limited]);
      await using _store = store;
      // The first token, three refused requests, and the second token.
      expect(store.tokenRequests).toHaveLength(5);
      expect(most).toBe(1);
      expect(client.slept).toHaveLength(3);
      expect(Math.min(...client.slept)).toBeGreaterThanOrEqual(leastMs);
      expect(client.warnings[0]).toBe(
        'Waiting for the store: it asks for fewer requests for tokens (429). Trying again until it answers.',
      );
      expect(client.warnings).toHaveLength(2);
      expect(client.learnedRate()).toBeGreaterThanOrEqual(LEARNED);
      // Each once with the new token, after those in flight: none was sent during the waits.
      const early = store.requests.filter((request) =>
        request.headers['x-auth-token']?.includes('-token-1-'),
      );
      expect(early.length).toBeLessThanOrEqual(20);
      expect(store.requests).toHaveLength(RECORDS + early.length);
    },
  );
});
