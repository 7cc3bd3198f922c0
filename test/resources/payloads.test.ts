import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { importable, RESOURCES, resourceNamed } from '../../src/resources/index.ts';
import { RESOURCES as API_RESOURCES } from '../support/sandbox/payloads.ts';

/** Every field of the API document, typed from there for the sandbox as well. */
const PAYLOADS = Object.fromEntries(
  API_RESOURCES.map(({ collection, whole }) => [collection, whole as JsonObject]),
);
const REQUIRED = Object.fromEntries(API_RESOURCES.map(({ collection, required }) => [collection, required]));

/** Objects whose fields the API document does not list. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  products: ['outStock', 'sizes', 'supplier', 'brand', 'shipping'],
  orders: ['bookingInfo', 'payment'],
};

function accepts(name: string, payload: unknown): boolean {
  return resourceNamed(name).schema.safeParse(payload).success;
}

test('every importable resource is compared with the API document', () => {
  expect(Object.keys(PAYLOADS).sort()).toEqual(importable.map(({ name }) => name).sort());
});

describe.each(Object.entries(PAYLOADS))('%s', (name, payload) => {
  test('accepts every field of the API document, and the schema has no others', () => {
    expect(resourceNamed(name).schema.parse(payload)).toEqual(payload);
    expect(Object.keys(resourceNamed(name).schema.shape).sort()).toEqual(Object.keys(payload).sort());
  });

  test('accepts the required fields alone', () => {
    const required = REQUIRED[name] as string[];
    const least = Object.fromEntries(required.map((field) => [field, payload[field]]));
    expect(accepts(name, least)).toBe(true);
    for (const field of required) {
      const { [field]: _left, ...rest } = least;
      expect(accepts(name, rest)).toBe(false);
      if (typeof payload[field] === 'string') expect(accepts(name, { ...least, [field]: '' })).toBe(false);
    }
  });

  test.each(Object.keys(payload))('refuses an unknown field beside and inside %s', (field) => {
    expect(accepts(name, { ...payload, [`${field}s2`]: 'x' })).toBe(false);
    const value = payload[field];
    const isOpen = OPEN[name]?.includes(field) ?? false;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      expect(accepts(name, { ...payload, [field]: { ...value, other: 'x' } })).toBe(isOpen);
  });
});

test.each([
  ['products', { status: 'LIVE' }],
  ['products', { price: { salePrice: '5' } }],
  ['products', { images: [{ src: 'ftp://example.com/a.png' }] }],
  ['products', { images: [{ src: 'https://exa mple' }] }],
  ['products', { images: [{ src: '' }] }],
  ['products', { images: [{ url: 'https://example.com' }] }],
  ['products', { options: [{ values: [{ value2: '#f00' }] }] }],
  ['products', { tags: 'a' }],
  ['products', { price: null }],
  ['suppliers', { connectable: 'yes' }],
  ['suppliers', { country: { code: 'GB' } }],
  ['discounts', { type: 'percent' }],
  ['discounts', { target: 'SOME' }],
  ['discounts', { startDate: '2026-03-01' }],
  ['discounts', { customers: [1] }],
  ['discounts', { limits: { total: 1 } }],
  ['orders', { details: [{ price: '6.50' }] }],
  ['orders', { details: [{ product: { price: { listPrice: 1 } } }] }],
  ['orders', { shipping: { address: { zip: '1' } } }],
  ['customers', { status: 'INACTIVE' }],
  ['customers', { isSubscriber: 'yes' }],
  ['customers', { address: { country: { dialCode: true } } }],
])('%s refuses %j', (name, change) => {
  expect(accepts(name, { ...PAYLOADS[name], ...change })).toBe(false);
});

test('a dial code may be text or a number, since the API document does not say', () => {
  expect(accepts('customers', { ...PAYLOADS.customers, address: { country: { dialCode: 213 } } })).toBe(true);
});

describe('items of the store may have more fields than the API document', () => {
  // The schema of a resource that can be created is that of a payload.
  test.each(RESOURCES.filter(({ create }) => !create))('$name', ({ schema, list }) => {
    const item = list?.id ? { [list.id]: 'a' } : {};
    expect(schema.safeParse({ ...item, another: 1 }).success).toBe(true);
  });
});
