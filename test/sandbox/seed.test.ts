import { describe, expect, test } from 'vitest';
import { SEEDED_LIST_NAMES } from '../../src/sandbox/seed/index.ts';
import { openSandbox } from '../support/sandbox/open-sandbox.ts';
import { LISTED } from './api-document/read-only.ts';

// biome-ignore lint/suspicious/noExplicitAny: items as they come over the wire.
type Item = any;

async function seeded(count: number, randomSeed = 1) {
  const counts = Object.fromEntries(SEEDED_LIST_NAMES.map((name) => [name, count]));
  const sandbox = await openSandbox({ seed: { ...counts, randomSeed } });
  return {
    sandbox,
    reviews: sandbox.records('reviews') as Item[],
    checkouts: sandbox.records('checkouts') as Item[],
    images: sandbox.records('images') as Item[],
  };
}

describe('seeding', () => {
  test('a number is the count of each kind; the default is none', async () => {
    const some = await openSandbox({ seed: 7 });
    const none = await openSandbox();
    expect(SEEDED_LIST_NAMES).toHaveLength(LISTED.length);
    for (const name of SEEDED_LIST_NAMES) expect([some.count(name), none.count(name)]).toEqual([7, 0]);
    expect([some.count('products'), none.count('products')]).toEqual([0, 0]);
  });

  test('the same seed makes the same items, another seed makes others', async () => {
    const [first, same, other] = [await seeded(50), await seeded(50), await seeded(50, 2)];
    for (const name of SEEDED_LIST_NAMES) {
      const [items, again, others] = [first, same, other].map(({ sandbox }) => sandbox.records(name));
      expect(items).toHaveLength(50);
      expect(items).toEqual(again);
      expect(items).not.toEqual(others);
    }
  });

  test('a million of each cost nothing until they are requested', async () => {
    const sandbox = await openSandbox({ seed: 1_000_000 });
    for (const path of ['/api/reviews/search', '/api/images']) {
      const { json } = await sandbox.get(`${path}?limit=1000&page=1000`);
      expect([json.results.length, json.paginate.total]).toEqual([1000, 1_000_000]);
    }
  });
});

describe('seeded reviews', () => {
  test('ids are unique, and the store is the sandbox', async () => {
    const { sandbox, reviews } = await seeded(500);
    expect(new Set(reviews.map((review) => review._id)).size).toBe(500);
    expect(new Set(reviews.map((review) => review.storeId))).toEqual(new Set([sandbox.storeId]));
  });

  test('ratings go from 1 to 5', async () => {
    const { reviews } = await seeded(500);
    expect([...new Set(reviews.map((review) => review.rating))].sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('createdAt is spread over two years, in order', async () => {
    const { reviews } = await seeded(500);
    const times = reviews.map((review) => review.createdAt);
    expect(times).toEqual([...times].sort());
    expect([times[0].slice(0, 7), times.at(-1).slice(0, 7)]).toEqual(['2024-01', '2025-12']);
  });

  test('one product id always has the same name', async () => {
    const { reviews } = await seeded(500);
    const names = new Map<string, Set<string>>();
    for (const { product } of reviews) {
      names.set(product._id, (names.get(product._id) ?? new Set()).add(product.name));
    }
    expect(names.size).toBeGreaterThan(5);
    expect([...names.values()].every((of) => of.size === 1)).toBe(true);
  });

  test('one customer id always has the same name', async () => {
    const { reviews } = await seeded(5000);
    const names = new Map<string, string>();
    for (const { customer } of reviews) {
      const name = `${customer.firstname} ${customer.lastname}`;
      expect(names.get(customer._id) ?? name).toBe(name);
      names.set(customer._id, name);
    }
    expect(names.size).toBeLessThan(5000);
  });

  test.each([
    ['a comma', /,/],
    ['a double quote', /"/],
    ['a line break', /\n/],
    ['a carriage return', /\r/],
    ['a tab', /\t/],
    ['a semicolon', /;/],
    ['an emoji', /\p{Extended_Pictographic}/u],
    ['Arabic', /\p{Script=Arabic}/u],
    ['Chinese', /\p{Script=Han}/u],
    ['accents', /é/],
    ['= at the start', /^=/],
    ['- at the start', /^-/],
    ['+ at the start', /^\+/],
    ['@ at the start', /^@/],
    ['markup', /<script>/],
  ])('twenty reviews include %s', async (_what, pattern) => {
    const { reviews } = await seeded(20);
    expect(reviews.some((review) => pattern.test(review.content))).toBe(true);
  });

  test('some have no images, some have several', async () => {
    const { reviews } = await seeded(100);
    const counts = new Set(reviews.map((review) => review.images.length));
    expect(counts.has(0)).toBe(true);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });
});

describe('seeded checkouts', () => {
  test.each([
    ['shipping.zone', (checkout: Item) => checkout.shipping.zone],
    ['shipping.shipper', (checkout: Item) => checkout.shipping.shipper],
    ['discount', (checkout: Item) => checkout.discount],
    ['method', (checkout: Item) => checkout.method],
  ])('%s is null in some and filled in others', async (_field, read) => {
    const { checkouts } = await seeded(100);
    expect(checkouts.some((checkout) => read(checkout) === null)).toBe(true);
    expect(checkouts.some((checkout) => typeof read(checkout)?._id === 'string')).toBe(true);
  });

  test('a payment method is chosen after a shipper only', async () => {
    const { checkouts } = await seeded(200);
    expect(checkouts.every(({ method, shipping }) => method === null || shipping.shipper !== null)).toBe(
      true,
    );
  });

  test('fullname is made of the names, and the shipping address has the shape of the customer address', async () => {
    const { checkouts } = await seeded(50);
    for (const { customer, shipping } of checkouts) {
      expect(customer.fullname).toBe(`${customer.firstname} ${customer.lastname}`);
      expect(Object.keys(shipping.address)).toEqual(Object.keys(customer.address));
    }
  });
});

test('seeded images have different sizes', async () => {
  const { images } = await seeded(100);
  expect(new Set(images.map(({ width, height }) => `${width}x${height}`)).size).toBeGreaterThan(2);
  expect(new Set(images.map((image) => image._id)).size).toBe(100);
  expect(images.every((image) => URL.canParse(image.src))).toBe(true);
});
