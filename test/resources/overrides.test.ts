import { describe, expect, test } from 'vitest';
import {
  apiOverrides,
  type ListEndpoint,
  mergedOverrides,
  missingParts,
  overridden,
  placesIn,
  RESOURCES,
  type Resource,
  resourceNamed,
  resourceOf,
} from '../../src/resources/index.ts';

const products = resourceNamed('products');
const customers = resourceNamed('customers');
const suppliers = resourceNamed('suppliers');
const reviews = resourceNamed('reviews');
const checkouts = resourceNamed('checkouts');

/** Problems of a section: path and expected value. */
function complaints(section: unknown): string[] {
  const { error } = apiOverrides.safeParse(section);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a description with overrides', () => {
  test('is a changed copy if an override applies, and the same object otherwise', () => {
    const changed = overridden(products, { update: { method: 'POST' } });
    expect(changed.update).toEqual({ ...products.update, method: 'POST' });
    expect({ ...changed, update: products.update, overrides: undefined }).toEqual(products);
    expect(products.update?.method).toBe('PUT');
    expect(overridden(products, undefined)).toBe(products);
    expect(overridden(products, {})).toBe(products);
  });

  test('can be made again from its plain data', () => {
    const plainOf = ({ name, overrides }: Resource) => structuredClone({ name, overrides });
    const once = overridden(products, { update: { method: 'POST' }, envelopes: ['item'] });
    const twice = overridden(once, { update: { idParam: 'number' }, echo: 'ignore' });
    for (const resource of [products, once, twice]) expect(resourceOf(plainOf(resource))).toEqual(resource);
  });

  test('has all given parts, and keeps the others', () => {
    expect(overridden(products, { create: { path: '/p' } }).create).toEqual({ method: 'POST', path: '/p' });
    expect(overridden(products, { envelopes: ['item'] }).envelopes).toEqual(['item']);
    expect(overridden(reviews, { list: { pageSize: 7 } }).list).toEqual({ ...reviews.list, pageSize: 7 });
    expect(overridden(reviews, { list: { filters: { product: 'product._id', by: 'author' } } }).list).toEqual(
      {
        ...reviews.list,
        filters: { product: 'product._id', rating: 'rating', published: 'published', by: 'author' },
      },
    );
  });

  test('keeps a list without identifiers, unless one is given', () => {
    expect(overridden(checkouts, { list: { pageSize: 7 } }).list?.id).toBeUndefined();
    expect(overridden(checkouts, { list: { id: 'token' } }).list?.id).toBe('token');
  });

  test('gets endpoints that the description lacks', () => {
    const update = { method: 'PUT', path: '/api/customers/update/', idParam: 'id' } as const;
    expect(missingParts(customers, { update })).toEqual([]);
    expect(overridden(customers, { update }).update).toEqual(update);

    const list = { path: '/api/suppliers/search', pageSize: 50 };
    const listed = overridden(suppliers, { list });
    expect(missingParts(suppliers, { list })).toEqual([]);
    expect(listed.list).toEqual({ ...list, filters: {}, id: '_id' });
  });

  test('removes the warning about an undocumented list', () => {
    expect(products.list?.undocumented).toBe(true);
    const { undocumented, ...known } = products.list as ListEndpoint;
    expect(overridden(products, { list: { pageSize: 50 } }).list).toEqual({ ...known, pageSize: 50 });
    const path = '/api/products/search';
    expect(overridden(products, { list: { path } }).list).toEqual({ ...known, path });
    expect(overridden(products, { update: { method: 'POST' } }).list).toEqual(products.list);
  });

  test('lacks a part only if the description lacks it too', () => {
    expect(missingParts(customers, { update: { path: '/u' } })).toEqual([
      ['update', 'method'],
      ['update', 'idParam'],
    ]);
    expect(missingParts(suppliers, { list: { pageSize: 5 } })).toEqual([['list', 'path']]);
    expect(missingParts(suppliers, { list: { path: '/s' } })).toEqual([['list', 'pageSize']]);
    expect(missingParts(products, { update: { method: 'POST' } })).toEqual([]);
    expect(missingParts(reviews, { list: {} })).toEqual([]);
    expect(missingParts(customers, { create: { path: '/c' }, envelopes: [] })).toEqual([]);
  });
});

describe('merging two sections', () => {
  test('merges them field by field, and the second takes precedence', () => {
    const first = {
      reviews: { list: { pageSize: 50, filters: { product: 'product._id', rating: 'stars' } } },
      products: { envelopes: ['data', 'product'] },
      images: { list: { path: '/images' } },
    };
    const second = {
      reviews: { list: { pageSize: 20, filters: { rating: 'rate' } } },
      products: { envelopes: ['item'] },
      customers: { create: { path: '/c' } },
    };
    expect(mergedOverrides(first, second)).toEqual({
      reviews: { list: { pageSize: 20, filters: { product: 'product._id', rating: 'rate' } } },
      products: { envelopes: ['item'] },
      images: { list: { path: '/images' } },
      customers: { create: { path: '/c' } },
    });
    expect(mergedOverrides({}, second)).toEqual(second);
    expect(mergedOverrides(first, {})).toEqual(first);
  });
});

test('the paths that a section sets are listed', () => {
  expect(
    placesIn({
      reviews: { list: { pageSize: 50, filters: { product: 'product._id' } } },
      products: { update: { method: 'POST' }, envelopes: ['data', 'product'] },
      images: {},
    }),
  ).toEqual([
    'reviews.list.pageSize',
    'reviews.list.filters.product',
    'products.update.method',
    'products.envelopes',
  ]);
});

describe('a valid section', () => {
  test.each([
    {},
    { products: {} },
    { products: { create: { path: '/api/product/new' } } },
    { products: { update: { method: 'POST' }, envelopes: ['data', 'product'] } },
    { products: { envelopes: [] } },
    { images: { list: { path: '/api/images/search' } } },
    { images: { list: { path: '/api/media?kind=image' } } },
    { images: { list: { path: '/api/m%C3%A9dia', id: 'key' } } },
    { reviews: { list: { pageSize: 1, filters: { product: 'product._id', on: 'filter[on]' } } } },
    { customers: { update: { method: 'PUT', path: '/api/customers/update/', idParam: 'id' } } },
  ])('%j', (section) => {
    expect(complaints(section)).toEqual([]);
  });

  test('may override every resource', () => {
    const section = Object.fromEntries(RESOURCES.map(({ name }) => [name, { list: { pageSize: 5 } }]));
    expect(complaints(section)).toEqual([]);
  });
});

describe('an invalid section', () => {
  const names = RESOURCES.map(({ name }) => name).join(', ');
  const path =
    'a path such as /api/products/create: one that begins with a single /, is encoded as it is to be sent, and has no ? or #';
  const listPath =
    'a path such as /api/images/search: one that begins with a single / and is encoded as it is to be sent';
  const filter = 'the name of a query parameter other than page and limit';

  test.each([
    ['text', [`: an object with ${names}`]],
    [{ product: {} }, [`: ${names}`]],
    [{ products: null }, ['products: an object with create, update, envelopes, echo, list']],
    [{ products: { remove: {} } }, ['products: create, update, envelopes, echo, list']],
    [{ reviews: { create: { path: '/x' } } }, ['reviews: list']],
    [{ products: { create: {} } }, [`products.create.path: ${path}`]],
    [{ products: { create: { path: '/x', method: 'PUT' } } }, ['products.create: path']],
    [{ products: { update: { method: 'put' } } }, ['products.update.method: PUT or POST']],
    [{ products: { update: 'POST' } }, ['products.update: an object with method, path, idParam, idPattern']],
    [
      { products: { update: { idParam: '' } } },
      ['products.update.idParam: the name of a query parameter, such as id'],
    ],
    [
      { products: { update: { idParam: 'a&b' } } },
      ['products.update.idParam: the name of a query parameter, such as id'],
    ],
    [
      { products: { update: { idPattern: '(' } } },
      ['products.update.idPattern: a regular expression such as [0-9a-f]{24}'],
    ],
    [{ products: { envelopes: 'data' } }, ['products.envelopes: a list such as [data, product]']],
    [{ products: { envelopes: ['data', ''] } }, ['products.envelopes.1: the name of a field']],
    [{ products: { envelopes: [1] } }, ['products.envelopes.0: the name of a field']],
    [{ images: { list: { pageSize: 0 } } }, ['images.list.pageSize: a whole number of 1 or more']],
    [{ images: { list: { pageSize: 2.5 } } }, ['images.list.pageSize: a whole number of 1 or more']],
    [{ images: { list: { pageSize: '20' } } }, ['images.list.pageSize: a whole number of 1 or more']],
    [{ images: { list: { path: 7 } } }, [`images.list.path: ${listPath}`]],
    [
      { reviews: { list: { filters: ['a'] } } },
      ['reviews.list.filters: an object such as { product: product._id }'],
    ],
    [{ reviews: { list: { filters: { a: 1 } } } }, [`reviews.list.filters.a: ${filter}`]],
    [{ reviews: { list: { filters: { a: '' } } } }, [`reviews.list.filters.a: ${filter}`]],
    [{ reviews: { list: { filters: { a: 'limit' } } } }, [`reviews.list.filters.a: ${filter}`]],
    [{ reviews: { list: { id: '' } } }, ['reviews.list.id: the name of a field']],
  ])('%j', (section, expected) => {
    expect(complaints(section)).toEqual(expected);
  });

  test.each([
    '',
    'api/images',
    '//elsewhere.example/api',
    '/\\elsewhere.example',
    '\\\\elsewhere.example',
    '/\t/elsewhere.example',
    'https://elsewhere.example/api',
    'http:elsewhere.example',
    '/api/../secret',
    '/api/%2e%2e/secret',
    '/api/./images',
    '/api/im ages',
    '/api/médias',
    '/api/images#top',
    '/api/images\r\nx: y',
  ])('%j is not a path', (wrong) => {
    expect(complaints({ images: { list: { path: wrong } } })).toEqual([`images.list.path: ${listPath}`]);
    expect(complaints({ orders: { create: { path: wrong } } })).toEqual([`orders.create.path: ${path}`]);
  });

  test('a path with a query is refused except for lists', () => {
    const section = { products: { create: { path: '/a?b=1' }, update: { path: '/a?' } } };
    expect(complaints(section)).toEqual([`products.create.path: ${path}`, `products.update.path: ${path}`]);
  });
});
