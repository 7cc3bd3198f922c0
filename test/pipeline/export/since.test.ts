import { describe, expect, test } from 'vitest';
import { ageOf, sinceMoment } from '../../../src/pipeline/export/since.ts';

const NOW = new Date('2026-03-08T12:00:00Z');

describe('sinceMoment', () => {
  test.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T06:00:00+01:00', '2026-03-01T05:00:00.000Z'],
    ['2026-03-01 06:00Z', '2026-03-01T06:00:00.000Z'],
    ['90m', '2026-03-08T10:30:00.000Z'],
    ['36h', '2026-03-07T00:00:00.000Z'],
    ['7d', '2026-03-01T12:00:00.000Z'],
    ['1W', '2026-03-01T12:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(new Date(sinceMoment(text, NOW)).toISOString()).toBe(moment);
  });

  // A time without a zone is ambiguous; 30 February would become 2 March.
  test.each([
    'yesterday',
    '01.03.2026',
    '3/1/2026',
    '2026-02-30',
    '2026-13-01',
    '2026-03-01T06:00',
    '7',
    '',
    '-1d',
  ])('refuses %j, and names the valid forms', (text) => {
    expect(() => sinceMoment(text, NOW)).toThrow(/is neither a date nor an age/);
  });
});

test.each([
  ['2026-03-01T00:00:00.000Z', 'recent'],
  ['2026-02-28T23:59:59.999Z', 'early'],
  ['2026-03-01T00:30:00+01:00', 'early'],
  ['soon', 'undated'],
  [undefined, 'undated'],
  [1772323200, 'undated'],
])('an item created at %s is %s', (createdAt, age) => {
  const item = createdAt === undefined ? {} : { createdAt };
  expect(ageOf(item, 'createdAt', Date.parse('2026-03-01'))).toBe(age);
});
