import { expect, test } from 'vitest';
import { rateHints } from '../../../src/store/rate/rate-headers.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const epochSeconds = NOW / 1000 + 30;

const CASES: readonly [string, Parameters<typeof rateHints>[0], object][] = [
  ['nothing', {}, {}],
  ['seconds to wait', { 'retry-after': '7' }, { retryAfterMs: 7_000 }],
  ['a date to wait for', { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }, { retryAfterMs: 9_000 }],
  ['the RateLimit field', { ratelimit: '"default";r=50;t=30' }, { left: { requests: 50, ms: 30_000 } }],
  [
    'its older form',
    { ratelimit: 'limit=100, remaining=50, reset=30' },
    { left: { requests: 50, ms: 30_000 } },
  ],
  [
    'its oldest form',
    { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' },
    { left: { requests: 0, ms: 30_000 } },
  ],
  [
    'seconds from now',
    { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '30' },
    { left: { requests: 5, ms: 30_000 } },
  ],
  [
    'a point in time in seconds',
    { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(epochSeconds) },
    { left: { requests: 5, ms: 30_000 } },
  ],
  [
    'a point in time in milliseconds',
    { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(epochSeconds * 1000) },
    { left: { requests: 5, ms: 30_000 } },
  ],
  ['half of it', { 'x-ratelimit-remaining': '5' }, {}],
  ['words', { 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': 'soon', 'retry-after': 'later' }, {}],
  ['numbers that are none', { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '1e9' }, {}],
  ['two of them', { 'x-ratelimit-remaining': ['1', '2'], 'x-ratelimit-reset': '30' }, {}],
  ['a field of another shape', { ratelimit: '"default";r=x;t=30' }, {}],
];

test.each(CASES)('%s', (_, headers, hints) => {
  expect(JSON.parse(JSON.stringify(rateHints(headers, NOW)))).toEqual(hints);
});
