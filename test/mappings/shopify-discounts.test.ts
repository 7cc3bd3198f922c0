import { expect, test } from 'vitest';
import { mapExport, payloadOf } from './read-export.ts';

const PRESET = 'shopify-discounts';
const CODE = {
  Name: 'INK10',
  Value: '-10.0',
  'Value Type': 'percentage',
  Type: 'Amount Off',
  'Discount Class': 'order',
  'Minimum Purchase Requirements': '',
  'Customer Selection': 'all',
  'Times Used In Total': '0',
  'Applies Once Per Customer': '',
  'Usage Limit Per Code': '',
  Status: 'Active',
  Start: '2026-02-01 09:00:00 +0100',
  End: '',
};

test.each([
  ['a code for whole orders', {}, true],
  ['a planned code', { Status: 'Scheduled' }, true],
  ['an expired code', { Status: 'Expired' }, false],
  ['a code with uses left', { 'Usage Limit Per Code': '3', 'Times Used In Total': '2' }, true],
  ['a code without uses left', { 'Usage Limit Per Code': '3', 'Times Used In Total': '3' }, false],
  ['a code for certain products', { 'Discount Class': 'product' }, false],
  ['a code for shipping, whose countries are not in the file', { 'Discount Class': 'shipping' }, false],
  ['a code for some customers', { 'Customer Selection': 'specific' }, false],
  ['a code with a minimum purchase', { 'Minimum Purchase Requirements': '100.0' }, false],
])('%s: active is %s', (_case, cells, active) => {
  expect(payloadOf(PRESET, { ...CODE, ...cells }).active).toBe(active);
});

test.each([
  ['3', '0', 3],
  ['3', '2', 1],
  ['3.0', '1.0', 2],
  ['3', '3', 0],
  ['3', '5', 0],
  ['3', '', 3],
])('of a limit of %s with %s uses, %d are left', (limit, used, all) => {
  const cells = { 'Usage Limit Per Code': limit, 'Times Used In Total': used };
  expect(payloadOf(PRESET, { ...CODE, ...cells }).limits).toEqual({ all });
});

test('a code without a limit gets none, however often it was used', () => {
  expect(payloadOf(PRESET, { ...CODE, 'Times Used In Total': '41' })).not.toHaveProperty('limits');
});

test('a limit that is not a number is an issue, and names its column', () => {
  const { issues } = mapExport(PRESET, { ...CODE, 'Usage Limit Per Code': 'many' });
  expect(issues).toMatchObject([{ code: 'not-a-number', column: 'Usage Limit Per Code' }]);
});

test('a code without uses left causes a warning, since it needs a new limit', () => {
  const warningsOf = (used: string) =>
    mapExport(PRESET, { ...CODE, 'Usage Limit Per Code': '3', 'Times Used In Total': used }).warnings;
  expect(warningsOf('3')).toEqual([expect.stringContaining('used up')]);
  expect(warningsOf('2')).toBeUndefined();
});

test.each(['1', '1.0', 'true'])('once per customer is a limit, written as %s', (cell) => {
  expect(payloadOf(PRESET, { ...CODE, 'Applies Once Per Customer': cell }).limits).toEqual({
    per_customer: 1,
  });
});

test('a Buy X Get Y code is an issue that names its type', () => {
  for (const cells of [{}, { Value: '', 'Value Type': '', 'Discount Class': 'product' }]) {
    const { payload, issues } = mapExport(PRESET, { ...CODE, ...cells, Type: 'Buy X Get Y' });
    expect(payload).not.toHaveProperty('type');
    expect(issues).toMatchObject([
      {
        code: 'unknown-word',
        field: 'type',
        column: 'Type',
        message: expect.stringContaining('"Buy X Get Y"'),
      },
    ]);
  }
});
