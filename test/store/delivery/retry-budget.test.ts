import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRetryBudget } from '../../../src/store/delivery/retry-budget.ts';
import { httpStore } from '../../support/http-store.ts';
import { passTimeByTurns } from '../../support/quick-time.ts';
import { deliver, testClient } from '../../support/store/client.ts';

passTimeByTurns();

const PER_SECOND = 5;

describe('the retry budget', () => {
  test('permits no more retries than successes, except for the burst and a few a second', () => {
    const event = fc.oneof(
      fc.constant('earn' as const),
      fc.constant('spend' as const),
      fc.integer({ min: 0, max: 2_000 }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 400 }), fc.integer({ min: 1, max: 64 }), (events, burst) => {
        let nowMs = 0;
        const budget = createRetryBudget({ burst, now: () => nowMs });
        let earned = 0;
        let spent = 0;
        for (const what of events) {
          if (what === 'earn') {
            earned++;
            budget.earn();
          } else if (what === 'spend') {
            if (budget.spend()) spent++;
          } else nowMs += what;
          expect(spent).toBeLessThanOrEqual(burst + earned + (nowMs / 1000) * PER_SECOND);
        }
      }),
    );
  });

  test('saves no more than the burst, and is refilled soon', () => {
    let nowMs = 0;
    const budget = createRetryBudget({ burst: 3, now: () => nowMs });
    for (let count = 0; count < 100; count++) budget.earn();
    nowMs = 3_600_000;
    expect([1, 2, 3, 4].map(() => budget.spend())).toEqual([true, true, true, false]);
    nowMs += 1000 / PER_SECOND;
    expect([budget.spend(), budget.spend()]).toEqual([true, false]);
  });
});

/** No backoff, so that only the budget delays a retry. */
const EAGER = { random: () => 0, concurrency: 4 };

describe.each(['update', 'read'] as const)('a client with failing %ss', (kind) => {
  test('retries few of them if all fail', async () => {
    // The probe, a read that tells whether the store is away, succeeds.
    const store = await httpStore(({ path }) => ({ status: path === '/api/products' ? 200 : 500, body: {} }));
    const client = testClient({ baseUrl: store.url, ...EAGER });
    const started = performance.now();
    // Fewer failures than open the breaker.
    const records = 4;
    await Promise.all(Array.from({ length: records }, () => deliver(client, kind)));
    const elapsedMs = performance.now() - started + client.slept.reduce((sum, ms) => sum + ms, 0);
    const asked = store.requests.filter(({ path }) => path !== '/api/products').length;
    // A read has two rounds of six attempts.
    expect(asked).toBe((kind === 'read' ? 12 : 6) * records);
    expect(asked - records).toBeLessThanOrEqual(8 + (elapsedMs / 1000) * PER_SECOND);
  });

  test('is not delayed if every second one fails', async () => {
    let asked = 0;
    const store = await httpStore(() =>
      asked++ % 2 === 0
        ? { status: 500, body: {} }
        : { status: 'success', data: kind === 'read' ? [] : { _id: 'x' } },
    );
    const client = testClient({ baseUrl: store.url, ...EAGER, concurrency: 1 });
    for (let record = 0; record < 50; record++)
      expect(await deliver(client, kind)).toMatchObject({ verdict: 'done', attempts: 2 });
    expect(client.slept.filter((ms) => ms > 0)).toEqual([]);
  });
});
