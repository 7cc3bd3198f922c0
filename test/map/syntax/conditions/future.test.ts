import { afterEach, expect, test, vi } from 'vitest';
import { createFutureTest } from '../../../../src/map/syntax/conditions/future.ts';

const liesAhead = createFutureTest(Date.parse('2026-06-15T12:00:00Z'));

test.each([
  ['', false],
  ['2026-06-15 11:59:59', false],
  ['2026-06-15 12:00:01', true],
  ['2026-06-15T13:30:00+02:00', false],
  ['2026-06-16', true],
  ['2026/6/16', true],
  ['1781524799', false],
  ['1781524801', true],
  ['6/14/26, 12:00 AM', false],
  ['6/16/26', true],
  ['15.06.2026', false],
  ['17.06.26', true],
  ['26. 7. 1.', true],
  ['26. 5. 1.', false],
  ['5/7/26', true],
  ['31/05/26', false],
  ['June 1, 2026', false],
  ['June 30, 2026', true],
  ['13/13/26', true],
  ['next week', true],
])('the date "%s" is in the future: %s', (text, ahead) => {
  expect(liesAhead(text)).toBe(ahead);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each(['UTC', 'Asia/Tokyo', 'America/New_York'])(
  'a time without an offset is UTC on a machine in %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    expect(liesAhead('June 15 2026 11:59')).toBe(false);
    expect(liesAhead('June 15 2026 12:01')).toBe(true);
    expect(liesAhead('Mon, 15 Jun 2026 13:30:00 +0200')).toBe(false);
  },
);
