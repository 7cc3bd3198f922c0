import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { mapExport, mapObject, objectPayloadOf, payloadOf } from './read-export.ts';

const PRESET = 'woocommerce-coupons';

/** A coupon as plugins write it. */
const ROW = {
  post_title: 'INK10',
  post_status: 'publish',
  discount_type: 'percent',
  coupon_amount: '10',
  individual_use: 'no',
  product_ids: '',
  exclude_product_ids: '',
  product_categories: '',
  exclude_product_categories: '',
  customer_email: '',
  usage_limit: '',
  usage_count: '0',
  usage_limit_per_user: '',
  limit_usage_to_x_items: '',
  expiry_date: '',
  free_shipping: 'no',
  exclude_sale_items: 'no',
  minimum_amount: '',
  maximum_amount: '',
};

/** The same coupon as the REST API gives it. */
const OBJECT: JsonObject = {
  id: 1,
  code: 'INK10',
  status: 'publish',
  discount_type: 'percent',
  amount: '10.00',
  individual_use: false,
  product_ids: [],
  excluded_product_ids: [],
  product_categories: [],
  excluded_product_categories: [],
  email_restrictions: [],
  usage_limit: null,
  usage_count: 0,
  usage_limit_per_user: null,
  limit_usage_to_x_items: null,
  date_expires: null,
  date_expires_gmt: null,
  free_shipping: false,
  exclude_sale_items: false,
  minimum_amount: '0.00',
  maximum_amount: '0.00',
};

const PLAIN = { code: 'INK10', type: 'percentage', percentage: 10, target: 'ALL', active: true };

test('a row and an object give the same code', () => {
  expect(payloadOf(PRESET, ROW)).toEqual(PLAIN);
  expect(objectPayloadOf(PRESET, OBJECT)).toEqual(PLAIN);
});

test.each([
  ['percent', '10', { type: 'percentage', percentage: 10 }],
  ['fixed_cart', '5.50', { type: 'fixed_amount', value: 5.5 }],
  ['fixed_product', '5', { type: 'fixed_amount', value: 5, active: false }],
  ['percent_product', '5', { type: 'percentage', percentage: 5, target: 'SELECTED', active: false }],
])('a discount of the type %s', (discount_type, coupon_amount, expected) => {
  expect(payloadOf(PRESET, { ...ROW, discount_type, coupon_amount })).toMatchObject(expected);
});

test('free shipping without an amount is a code of its own, and stays switched off', () => {
  const payload = payloadOf(PRESET, {
    ...ROW,
    discount_type: 'fixed_cart',
    coupon_amount: '0',
    free_shipping: 'yes',
  });
  expect(payload).toEqual({ code: 'INK10', type: 'free_shipping', target: 'ALL', active: false });
});

describe('a coupon stays switched off', () => {
  test.each([
    [{ post_status: 'draft' }, { status: 'draft' }, false],
    [{ post_status: 'future' }, { status: 'future' }, false],
    [{ product_ids: '31, 32' }, { product_ids: [31] }, true],
    [{ exclude_product_ids: '31' }, { excluded_product_ids: [31] }, true],
    [{ product_categories: 'Ink' }, { product_categories: [4] }, true],
    [{ exclude_product_categories: '4' }, { excluded_product_categories: [4] }, true],
    [{ customer_email: 'ann@example.com' }, { email_restrictions: ['ann@example.com'] }, true],
    [{ exclude_sale_items: 'yes' }, { exclude_sale_items: true }, true],
    [{ maximum_amount: '100' }, { maximum_amount: '100.00' }, true],
    [{ limit_usage_to_x_items: '2' }, { limit_usage_to_x_items: 2 }, true],
    [{ free_shipping: 'yes' }, { free_shipping: true }, true],
    [{ usage_limit: '5', usage_count: '5' }, { usage_limit: 5, usage_count: 5 }, true],
  ])('with %j', (cells, more, warns) => {
    const row = mapExport(PRESET, { ...ROW, ...(cells as Record<string, string>) });
    const object = mapObject(PRESET, { ...OBJECT, ...(more as JsonObject) });
    for (const { payload, warnings } of [row, object]) {
      expect(payload.active).toBe(false);
      expect(warnings).toEqual(warns ? [expect.stringContaining('switched off')] : undefined);
    }
  });
});

test.each([
  ['31', 'SELECTED'],
  ['', 'ALL'],
])('products %j make the target %s', (product_ids, target) => {
  expect(payloadOf(PRESET, { ...ROW, product_ids }).target).toBe(target);
});

test.each([
  ['100', '40', { all: 60 }],
  ['100', '', { all: 100 }],
  ['5', '7', { all: 0 }],
  ['0', '7', undefined],
  ['', '7', undefined],
])('of a limit of %j with %j uses, %j is left', (usage_limit, usage_count, limits) => {
  expect(payloadOf(PRESET, { ...ROW, usage_limit, usage_count }).limits).toEqual(limits);
});

test('a limit for each customer and a minimum amount are taken', () => {
  expect(payloadOf(PRESET, { ...ROW, usage_limit_per_user: '1', minimum_amount: '25.00' })).toMatchObject({
    limits: { per_customer: 1 },
    requirements: { price: 25 },
    active: true,
  });
  expect(payloadOf(PRESET, { ...ROW, minimum_amount: '0.00' })).not.toHaveProperty('requirements');
});

test.each([
  ['2027-01-31', '2027-01-31T00:00:00Z'],
  ['2027-01-31T12:00:00', '2027-01-31T12:00:00Z'],
  ['1830290400', '2027-12-31T22:00:00.000Z'],
])('the end %s is %s', (expiry_date, endDate) => {
  expect(payloadOf(PRESET, { ...ROW, expiry_date }).endDate).toBe(endDate);
});

test.each([
  [{ coupon_amount: 'ten' }, 'not-a-number', 'coupon_amount'],
  [{ minimum_amount: 'ten' }, 'not-a-number', 'minimum_amount'],
  [{ usage_limit: 'ten' }, 'not-a-number', 'usage_limit'],
  [{ expiry_date: 'soon' }, 'not-a-date', 'expiry_date'],
  [{ discount_type: 'smart_coupon' }, 'unknown-word', 'discount_type'],
])('%j is an issue', (cells, code, column) => {
  expect(mapExport(PRESET, { ...ROW, ...(cells as Record<string, string>) }).issues).toMatchObject([
    { code, column },
  ]);
});
