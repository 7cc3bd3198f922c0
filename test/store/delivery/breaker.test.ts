import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunStopped } from '../../../src/model/index.ts';
import { createBreakers } from '../../../src/store/delivery/breakers.ts';
import { scaledRuns } from '../../support/property-tests.ts';

/** `nothing`: refused temporarily, as by a 429, or never sent. */
type End = 'good' | 'bad' | 'nothing';

interface Step {
  /** The index, among the requests in flight, of the request that ends. */
  readonly which: number;
  readonly end: End;
}

interface Request {
  readonly begunInOutage: boolean;
  readonly end: (how: End) => void;
}

interface Totals {
  good: number;
  bad: number;
  /** Of requests that ended after the last new one was answered. */
  badInOutage: number;
  probes: number;
  /** The most requests in flight when a request began. */
  most: number;
  stopped: number;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Sends creates through a breaker, as many at once as it permits, and ends them in the order of `steps`. From
 * `outageAt` on no create that begins is answered well. Reads always are, which is the worst case.
 */
async function simulate(concurrency: number, steps: readonly Step[], outageAt: number, last: End = 'bad') {
  const totals: Totals = { good: 0, bad: 0, badInOutage: 0, probes: 0, most: 0, stopped: 0 };
  const { create: breaker } = createBreakers({
    concurrency,
    triesOfUpdate: 6,
    probe: async () => void totals.probes++,
    advice: () => '',
    check: () => {},
    onManyDoubts: undefined,
  });
  if (breaker === undefined) throw new Error('there is none');
  const inFlight: Request[] = [];
  let isOutage = false;
  let isOver = false;

  async function worker(): Promise<void> {
    while (!isOver) {
      const isTrial = (await breaker?.pass()) ?? false;
      const begun = breaker?.begun() ?? 0;
      const ended = new Promise<End>((end) => {
        inFlight.push({ begunInOutage: isOutage, end });
      });
      totals.most = Math.max(totals.most, inFlight.length);
      const how = await ended;
      if (how === 'good') breaker?.good(begun);
      if (how === 'bad') breaker?.bad(true);
      breaker?.over(isTrial);
    }
  }

  const workers = Array.from({ length: concurrency }, () =>
    worker().catch((error) => {
      if (!(error instanceof RunStopped)) throw error;
      totals.stopped++;
    }),
  );
  const end = async ({ which, end }: Step) => {
    const [request] = inFlight.splice(which % inFlight.length, 1);
    const how = request?.begunInOutage && end === 'good' ? 'bad' : end;
    if (how === 'good') totals.good++;
    if (how === 'bad') totals.bad++;
    if (how === 'bad' && isOutage) totals.badInOutage++;
    request?.end(how);
    await turn();
  };
  await turn();
  for (const [n, step] of steps.entries()) {
    if (n === outageAt) isOutage = true;
    if (inFlight.length > 0) await end(step);
  }
  // Waiting creates are released or stopped in any case.
  isOver = last === 'good';
  while (inFlight.length > 0) await end({ which: 0, end: last });
  await Promise.all(workers);
  return totals;
}

const step = (ends: readonly End[]) => fc.record({ which: fc.nat(1000), end: fc.constantFrom(...ends) });
const concurrencies = fc.constantFrom(1, 2, 3, 4, 8, 16, 20);

describe('a breaker, for any order of answers', () => {
  test(
    'leaves at most twice the concurrency in doubt in an outage, with late answers or without',
    { timeout: 300_000 },
    () =>
      fc.assert(
        fc.asyncProperty(
          concurrencies,
          fc.array(step(['good', 'good', 'bad', 'nothing']), { maxLength: 150 }),
          fc.nat(60),
          async (concurrency, steps, outageAt) => {
            const { badInOutage } = await simulate(concurrency, steps, outageAt);
            expect(badInOutage).toBeLessThanOrEqual(2 * concurrency);
          },
        ),
        { numRuns: scaledRuns(400) },
      ),
  );

  test(
    'leaves at most a tenth of the answered creates in doubt, plus twice the concurrency or 20',
    { timeout: 300_000 },
    () =>
      fc.assert(
        fc.asyncProperty(
          concurrencies,
          fc.array(step(['good', 'good', 'good', 'bad', 'nothing']), { maxLength: 400 }),
          async (concurrency, steps) => {
            const { bad, good } = await simulate(concurrency, steps, -1);
            expect(bad).toBeLessThanOrEqual(Math.max(2 * concurrency, 20) + good / 10);
          },
        ),
        { numRuns: scaledRuns(200) },
      ),
  );

  test(
    'releases all waiting creates once creates are answered again, or rejects them when the run stops',
    { timeout: 300_000 },
    () =>
      fc.assert(
        fc.asyncProperty(
          concurrencies,
          fc.array(step(['good', 'bad', 'bad', 'nothing']), { maxLength: 100 }),
          async (concurrency, steps) => {
            const { most } = await simulate(concurrency, steps, -1, 'good');
            expect(most).toBeLessThanOrEqual(concurrency);
          },
        ),
        { numRuns: scaledRuns(200) },
      ),
  );
});

/** Ends requests in the order in which they began, badly if `isBad` is true for the n-th. */
const inOrder = (count: number, isBad: (n: number) => boolean): Step[] =>
  Array.from({ length: count }, (_, n) => ({ which: 0, end: isBad(n) ? 'bad' : 'good' }));

describe('a breaker with concurrency 16', () => {
  test.each([1, 2, 5])(
    'lets a store that loses %i in 100 answers through without a probe',
    async (percent) => {
      const seen = await simulate(
        16,
        inOrder(4000, (n) => (n * 37) % 100 < percent),
        -1,
        'good',
      );
      expect(seen).toMatchObject({ stopped: 0, probes: 0, bad: 40 * percent });
    },
  );

  test.each([
    ['15 of 16 answers', 15, 16, 34],
    ['three of four answers', 3, 4, 43],
    ['every second answer', 1, 2, 50],
    ['every fifth answer', 1, 5, 80],
  ])('stops the run early for a store that loses %s', async (_, lost, of, most) => {
    const { bad, stopped, probes } = await simulate(
      16,
      inOrder(4000, (n) => n % of < lost),
      -1,
    );
    expect(stopped).toBe(16);
    expect(probes).toBeGreaterThan(0);
    expect(bad).toBeLessThanOrEqual(most);
  });
});
