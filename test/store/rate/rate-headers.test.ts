import { expect, test } from 'vitest';
import { rateHints } from '../../../src/store/rate/rate-headers.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const epochSeconds = NOW / 1000 + 30;

const CASES: readonly [string, Parameters<typeof rateHints>[0], object][] = [
  ['nothing', {}, {}],
  ['seconds to wait give a delay', { 'retry-after': '7' }, { retryAfterMs: 7_000 }],
  [
    'a date to wait for gives a delay',
    { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' },
    { retryAfterMs: 9_000 },
  ],
  [
    'the RateLimit field gives a quota',
    { ratelimit: '"default";r=50;t=30' },
    { left: { requests: 50, ms: 30_000 } },
  ],
  [
    'the older form of RateLimit gives a quota',
    { ratelimit: 'limit=100, remaining=50, reset=30' },
    { left: { requests: 50, ms: 30_000 } },
  ],
  [
    'the oldest form of RateLimit gives a quota',
    { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' },
    { left: { requests: 0, ms: 30_000 } },
  ],
  [
    'a reset in seconds gives a quota',
    { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '30' },
    { left: { requests: 5, ms: 30_000 } },
  ],
  [
    'a reset as a point in time in seconds gives a quota',
    { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(epochSeconds) },
    { left: { requests: 5, ms: 30_000 } },
  ],
  [
    'a reset as a point in time in milliseconds gives a quota',
    { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(epochSeconds * 1000) },
    { left: { requests: 5, ms: 30_000 } },
  ],
  ['a remaining number without a reset is ignored', { 'x-ratelimit-remaining': '5' }, {}],
  ['words', { 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': 'soon', 'retry-after': 'later' }, {}],
  ['numbers out of range are ignored', { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '1e9' }, {}],
  ['a repeated field is ignored', { 'x-ratelimit-remaining': ['1', '2'], 'x-ratelimit-reset': '30' }, {}],
  ['a field of another shape is ignored', { ratelimit: '"default";r=x;t=30' }, {}],
];

test.each(CASES)('%s', (_, headers, hints) => {
  expect(JSON.parse(JSON.stringify(rateHints(headers, NOW)))).toEqual(hints);
});
