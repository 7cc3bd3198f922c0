import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { importable, RESOURCES, resourceNamed } from '../../src/resources/index.ts';

/** Every field of the API document, typed out from there. */
const PAYLOADS: Readonly<Record<string, JsonObject>> = {
  products: {
    name: 'Cast iron teapot',
    reference: 'TEA-08',
    description: 'Holds 0.8 l',
    model: 'T8',
    html: '<p>Holds 0.8 l</p>',
    source: 'import',
    bookingProps: {
      firstAddresses: [
        {
          city: { _id: 'c', name: 'Oran' },
          province: { _id: 'p', name: 'Oran' },
          country: { _id: 'd', name: 'Algeria', code: 'DZ', dialCode: '+213' },
          location: { lat: 35.7 },
        },
      ],
      pickCountries: ['d'],
      pickProvinces: ['p'],
      pickCites: ['c'],
      guest: { hasGuest: true, min: 1, max: 4 },
      extraInfo: [{ _id: 'x', name: 'Seats', icon: 'chair', Number: '4' }],
      priceBy: 'NIGHT',
    },
    digitalConfig: {
      viaEmail: true,
      downloadable: false,
      emailSettings: { autoSend: true, subject: 'Here', body: 'It is', sendbyStatus: ['CONFIRMED'] },
      downloadSetting: { fileId: 'f', name: 'book.pdf' },
    },
    productType: 'PHYSICAL',
    type: 'variable',
    tags: ['tea'],
    seo: { title: 'Teapot', description: 'Iron', hide: false, googleCategory: 'Kitchen', keywords: ['tea'] },
    status: 'PUBLISH',
    collections: ['c', { _id: 'd' }],
    price: { buyingPrice: 10, salePrice: 24.9, comparePrice: 30 },
    quantity: { instock: 5, unit: 'pc', increment: 1 },
    outStock: { disabled: true },
    sizes: { weight: { value: 2, unit: 'kg' } },
    supplier: { _id: 's' },
    brand: { name: 'Fonte' },
    shipping: { active: true },
    images: [{ src: 'https://img.example.com/1.jpg', title: 'Front' }],
    files: ['f'],
    options: [{ name: 'Colour', style: 'COLOR', values: [{ value1: 'Red' }] }],
    variants: [{ name: 'Red' }],
    translates: [{ language: 'fr', properties: [{ name: 'name', value: 'Théière' }] }],
    currencies: [{ currency: 'EUR', properties: [{ name: 'salePrice', value: 23 }] }],
  },
  customers: {
    storeId: '66f0',
    firstname: 'Yasmine',
    lastname: 'Benali',
    email: 'y@example.com',
    phone: '+213555000001',
    password: 'correct horse',
    isSubscriber: true,
    note: 'Rings twice',
    status: 'ACTIVE',
    type: 'particular',
    address: {
      firstname: 'Yasmine',
      lastname: 'Benali',
      company: 'Benali & Co',
      address1: '1 rue des Tilleuls',
      address2: 'B',
      zip: '31000',
      phone: '0555',
      city: { name: 'Oran' },
      province: { name: 'Oran' },
      country: { name: 'Algeria', code: 'DZ', dialCode: '+213' },
      default: true,
    },
  },
};

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  products: ['name', 'reference'],
  customers: ['storeId', 'firstname', 'lastname'],
};

function accepts(name: string, payload: unknown): boolean {
  return resourceNamed(name).schema.safeParse(payload).success;
}

test('every importable resource is held against the API document here', () => {
  expect(Object.keys(PAYLOADS).sort()).toEqual(importable.map(({ name }) => name).sort());
});

describe.each(Object.entries(PAYLOADS))('%s', (name, payload) => {
  test('takes every field of the API document, and the schema has no others', () => {
    expect(resourceNamed(name).schema.parse(payload)).toEqual(payload);
    expect(Object.keys(resourceNamed(name).schema.shape)).toEqual(Object.keys(payload));
  });

  test('takes the required fields alone', () => {
    const required = REQUIRED[name] as string[];
    const least = Object.fromEntries(required.map((field) => [field, payload[field]]));
    expect(accepts(name, least)).toBe(true);
    for (const field of required) {
      const { [field]: _left, ...rest } = least;
      expect(accepts(name, rest)).toBe(false);
      expect(accepts(name, { ...least, [field]: '' })).toBe(false);
    }
  });

  test.each(Object.keys(payload))('refuses an unknown field beside and inside %s', (field) => {
    expect(accepts(name, { ...payload, [`${field}s2`]: 'x' })).toBe(false);
    const value = payload[field];
    const isOpen = ['outStock', 'sizes', 'supplier', 'brand', 'shipping'].includes(field);
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
  ['customers', { status: 'INACTIVE' }],
  ['customers', { isSubscriber: 'yes' }],
  ['customers', { address: { country: { dialCode: true } } }],
])('%s refuses %j', (name, change) => {
  expect(accepts(name, { ...PAYLOADS[name], ...change })).toBe(false);
});

test('a dial code may be text or a number, since the API document does not say', () => {
  expect(accepts('customers', { ...PAYLOADS.customers, address: { country: { dialCode: 213 } } })).toBe(true);
});

describe('what the store lists may have more fields than the API document', () => {
  test.each(RESOURCES.filter(({ list }) => list))('$name', ({ schema, list }) => {
    const item = list?.id ? { [list.id]: 'a' } : {};
    expect(schema.safeParse({ ...item, another: 1 }).success).toBe(true);
  });
});
