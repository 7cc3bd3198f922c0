import { describe, expect, test } from 'vitest';
import { type GivenFaults, readFaults } from '../../../src/sandbox/misbehave/faults.ts';
import { createMisbehaviour, isWithin, type Plan } from '../../../src/sandbox/misbehave/misbehaviour.ts';
import type { RequestKind } from '../../../src/sandbox/misbehave/values.ts';

const REPLY = { status: 200, text: '{}' };
/** In the middle of a second, which dates in headers cannot express. */
const NOON = Date.UTC(2026, 0, 31, 12, 0, 0, 300);

/** A store with these faults, and a clock of its own. */
function storeWith(faults: GivenFaults) {
  const clock = { ms: 0 };
  const { plan } = createMisbehaviour(readFaults(faults), {
    now: () => clock.ms,
    wallNow: () => NOON + clock.ms,
  });
  return {
    clock,
    plan,
    plans: (count: number, kind: RequestKind = 'create') => Array.from({ length: count }, () => plan(kind)),
  };
}

/** Status and headers of the answer of a plan. */
function answerOf({ end }: Plan): { status: number; headers: Record<string, string> } {
  const ending = end(REPLY);
  if (ending.how !== 'answer') throw new Error(`not answered: ${ending.how}`);
  const { status, headers = [] } = ending.reply;
  const names = headers.filter((_, index) => index % 2 === 0);
  return {
    status,
    headers: Object.fromEntries(names.map((name, index) => [name, headers[index * 2 + 1] ?? ''])),
  };
}

const faultsOf = (plans: readonly Plan[]) => plans.map(({ fault }) => fault);

describe('two rate limits', () => {
  test('a request that one limit refuses does not count for the other', () => {
    const { clock, plans } = storeWith({ rate: 10, burst: 3, window: '4/60s' });
    expect(faultsOf(plans(5))).toEqual([undefined, undefined, undefined, 'rate', 'rate']);
    clock.ms = 1000;
    // The window has one left: the refused requests did not count for it.
    expect(faultsOf(plans(2))).toEqual([undefined, 'window']);
    clock.ms = 60_000;
    // The request that the window refused did not count for the rate either.
    expect(faultsOf(plans(3))).toEqual([undefined, undefined, undefined]);
  });

  test('Retry-After is that of the limit with the longer wait', () => {
    const { plans } = storeWith({ rate: 1, burst: 1, window: '1/60s', 'retry-after': 'seconds' });
    const [, refused] = plans(2) as [Plan, Plan];
    expect([refused.fault, answerOf(refused).headers['retry-after']]).toEqual(['window', '60']);
  });

  test('headers report the limit with less left', () => {
    const { plans } = storeWith({ rate: 100, burst: 10, window: '5/60s', 'rate-headers': 'ratelimit' });
    expect(answerOf(plans(1)[0] as Plan).headers.ratelimit).toBe('"default";r=4;t=60');
  });

  test('neither limit counts or refuses token requests', () => {
    const { plans } = storeWith({ rate: 1, burst: 1, window: '1/60s' });
    expect(faultsOf(plans(3, 'token'))).toEqual([undefined, undefined, undefined]);
    expect(faultsOf(plans(2, 'list'))).toEqual([undefined, 'window']);
    expect(faultsOf(plans(1, 'token'))).toEqual([undefined]);
  });
});

describe('Retry-After', () => {
  test.each([1, 250, 999, 1000, 1001, 7_900])(
    'as a date, %i ms into the window, is not too early',
    (sinceMs) => {
      const { clock, plan } = storeWith({ window: '1/8s', 'retry-after': 'date' });
      plan('create');
      clock.ms = sinceMs;
      const { headers } = answerOf(plan('create'));
      clock.ms = Date.parse(headers['retry-after'] ?? '') - NOON;
      expect(clock.ms).toBeLessThan(9_000);
      expect(plan('create').fault).toBeUndefined();
    },
  );

  test.each([0.5, 3, 7, 100])('in seconds, at %d requests a second, is not too early', (rate) => {
    const { clock, plan } = storeWith({ rate, burst: 1, 'retry-after': 'seconds' });
    plan('create');
    clock.ms = 1;
    const { headers } = answerOf(plan('create'));
    clock.ms += Number(headers['retry-after']) * 1000;
    expect(plan('create').fault).toBeUndefined();
  });
});

test('a mixed Retry-After has any of its forms, the same for the same seed', () => {
  const forms = (seed: number) =>
    storeWith({ 'error-429': '100%', 'retry-after': 'mixed', seed })
      .plans(100)
      .map((plan) => answerOf(plan).headers['retry-after']);
  expect(new Set(forms(1))).toEqual(new Set([undefined, '1', 'Sat, 31 Jan 2026 12:00:02 GMT', 'soon']));
  expect(forms(1)).toEqual(forms(1));
  expect(forms(2)).not.toEqual(forms(1));
});

describe('a fault', () => {
  test('hits the same requests, whatever other faults are set', () => {
    const alone = faultsOf(storeWith({ 'late-reset': '10%' }).plans(2000));
    const { plans } = storeWith({ 'late-reset': '10%', reset: '5%', truncated: '20%', window: '1500/1h' });
    const together = faultsOf(plans(2000));
    const places = (all: readonly (string | undefined)[]) =>
      all.flatMap((fault, index) => (fault === 'late-reset' ? [index] : []));
    // If another fault hit first, this one is not seen; but it hits no other request.
    expect(places(alone)).toEqual(expect.arrayContaining(places(together)));
    expect(places(together).length).toBeGreaterThan(100);
  });

  test('with the same share as another one hits different requests', () => {
    const struck = (fault: string) =>
      new Set(faultsOf(storeWith({ [fault]: '10%' }).plans(5000)).flatMap((hit, n) => (hit ? [n] : [])));
    const [one, other] = [struck('reset'), struck('hang')];
    const both = [...one].filter((place) => other.has(place)).length;
    expect(both / 5000).toBeCloseTo(0.01, 2);
  });

  test.each([
    ['reset', false],
    ['error-500', false],
    ['late-reset', true],
    ['truncated', true],
    ['garbage', true],
  ])('%s: the request has its effect: %s', (fault, applies) => {
    expect(storeWith({ [fault]: '#1' }).plan('create')).toMatchObject({ fault, applies });
  });

  test('comes after a rate limit that refuses, and then has no effect', () => {
    const { plans } = storeWith({ rate: 1, burst: 1, 'late-reset': '#2' });
    expect(plans(2)[1]).toMatchObject({ fault: 'rate', applies: false });
  });
});

describe('latency and jitter', () => {
  const delays = (faults: GivenFaults, count = 4000, kind: RequestKind = 'create') =>
    storeWith(faults)
      .plans(count, kind)
      .map(({ delayMs }) => delayMs);

  test('are distributed evenly between the latency and latency plus jitter', () => {
    const all = delays({ latency: '50ms', jitter: '20ms' });
    expect(Math.min(...all)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...all)).toBeLessThan(70);
    const quarters = [0, 1, 2, 3].map((n) => all.filter((ms) => Math.floor((ms - 50) / 5) === n).length);
    for (const count of quarters) expect(count / all.length).toBeCloseTo(0.25, 1);
  });

  test('are the same for the same seed, and differ for another', () => {
    const once = delays({ jitter: '20ms', seed: 3 });
    expect(delays({ jitter: '20ms', seed: 3 })).toEqual(once);
    expect(delays({ jitter: '20ms', seed: 4 })).not.toEqual(once);
  });

  test('apply to one kind of requests if it is named', () => {
    const faults = { latency: '50ms@create', jitter: '20ms' };
    expect(Math.min(...delays(faults, 10, 'create'))).toBeGreaterThanOrEqual(50);
    expect(delays(faults, 10, 'list')).toEqual(Array(10).fill(0));
  });
});

describe('an outage', () => {
  test('begins and ends to the millisecond', () => {
    const at = [0, 1999, 2000, 6999, 7000].map((ms) => isWithin(ms, 2000, 5000));
    expect(at).toEqual([false, false, true, true, false]);
  });

  test('begins with a request if one is named, and lasts from there', () => {
    const { clock, plan, plans } = storeWith({ outage: '503:5s:#4', 'error-500': '#1@create' });
    clock.ms = 60_000;
    expect(faultsOf([...plans(2), plan('token')])).toEqual(['error-500', undefined, undefined]);
    expect(faultsOf(plans(2))).toEqual(['outage', 'outage']);
    clock.ms = 65_000;
    expect(faultsOf(plans(2))).toEqual([undefined, undefined]);
  });

  test('drops every request, also token requests, without effect', () => {
    const { clock, plan } = storeWith({ outage: '503:5s:2s' });
    clock.ms = 1999;
    expect(plan('token').fault).toBeUndefined();
    clock.ms = 2000;
    for (const kind of ['token', 'create', 'list', 'other'] as const)
      expect(plan(kind)).toMatchObject({ fault: 'outage', applies: false });
  });
});
