import { describe, expect, test } from 'vitest';
import { openSandbox, refusedFields } from './open-sandbox.ts';
import { CUSTOMER, DISCOUNT, having, ORDER, only, RESOURCES, SUPPLIER } from './payloads.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

describe.each(RESOURCES)(
  'creating (API document: $section)',
  ({ collection, path, whole, required, answer }) => {
    test('takes every documented field, and answers and stores the record', async () => {
      const sandbox = await openSandbox({ now: () => NOON });
      const { status, json } = await sandbox.post(path, whole);
      expect([status, json.status]).toEqual([200, 'success']);
      await sandbox.expectToBe(answer, json);
      const { password: _hidden, ...shown } = whole;
      expect(json.data).toMatchObject({
        ...shown,
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
      });
      expect(json.data._id).toMatch(/^[0-9a-f]{24}$/);
      expect(sandbox.records(collection)).toEqual([json.data]);
    });

    test('takes the required fields alone', async () => {
      const sandbox = await openSandbox();
      const { status } = await sandbox.post(path, only(whole, required));
      expect(status).toBe(200);
    });

    test.each(required)('refuses a body without %s, naming it, and stores nothing', async (field) => {
      const sandbox = await openSandbox();
      const refused = await sandbox.post(path, having(only(whole, required), field, undefined));
      expect([refused.status, refused.json.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(refusedFields(refused)).toEqual({ [field]: 'is required' });
      await sandbox.expectToBe('Refusal', refused.json);
      expect(sandbox.count(collection)).toBe(0);
    });

    test.each(Object.keys(whole))('refuses null for %s', async (field) => {
      const sandbox = await openSandbox();
      const refused = await sandbox.post(path, having(whole, field, null));
      expect(refused.status).toBe(400);
      expect(Object.keys(refusedFields(refused))).toEqual([field]);
    });

    test('refuses a field that is not documented', async () => {
      const sandbox = await openSandbox();
      const refused = await sandbox.post(path, { ...whole, colour: 'red' });
      expect(refused.status).toBe(400);
      expect(refusedFields(refused)).toEqual({ colour: 'is not a field of the API' });
    });

    test('the same payload twice makes two records (API document: no uniqueness rule)', async () => {
      const sandbox = await openSandbox();
      const first = await sandbox.post(path, whole);
      const second = await sandbox.post(path, whole);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.json.data._id).not.toBe(second.json.data._id);
      expect(sandbox.count(collection)).toBe(2);
    });

    test('ids are the same in another sandbox', async () => {
      const ids = async () => {
        const sandbox = await openSandbox();
        await sandbox.post(path, whole);
        await sandbox.post(path, whole);
        return sandbox.records(collection).map((record) => (record as { _id: string })._id);
      };
      expect(await ids()).toEqual(await ids());
    });
  },
);

test('ids are unique across collections', async () => {
  const sandbox = await openSandbox();
  const ids = new Set<string>();
  for (const { path, whole } of RESOURCES) ids.add((await sandbox.post(path, whole)).json.data._id);
  expect(ids.size).toBe(RESOURCES.length);
});

describe('what is accepted', () => {
  test.each(['simple', 'variable', 'bundle'])(
    'product type %j: the list is open (API document: Product)',
    async (type) => {
      const sandbox = await openSandbox();
      const { status } = await sandbox.post('/api/products/create', { name: 'A', reference: 'B', type });
      expect(status).toBe(200);
    },
  );

  test('any order status: it is free text (API document: States and transitions)', async () => {
    const sandbox = await openSandbox();
    expect((await sandbox.post('/api/orders/create', { ...ORDER, status: 'on its way' })).status).toBe(200);
  });

  test('anything inside objects whose fields are not shown (API document: Gaps)', async () => {
    const sandbox = await openSandbox();
    const payload = {
      name: 'A',
      reference: 'B',
      outStock: { any: [{ thing: null }] },
      sizes: {},
      supplier: { deep: { er: 1 } },
      brand: { name: 'x', slug: 'x' },
      shipping: { zones: [1] },
      files: [null, 1, 'a', {}],
      variants: [{ option1: { name: 'Red' } }],
      collections: [{ slug: 'x' }],
    };
    expect((await sandbox.post('/api/products/create', payload)).json.data).toMatchObject(payload);
  });

  test.each([{ connectable: false }, {}])('a supplier without a route when it is %j', async (part) => {
    const sandbox = await openSandbox();
    const payload = { ...only(SUPPLIER, ['storeId', 'name', 'address1']), ...part };
    expect((await sandbox.post('/api/suppliers/create', payload)).status).toBe(200);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded'])('JSON sent as %s', async (type) => {
    const sandbox = await openSandbox();
    const payload = { name: 'A', reference: 'B' };
    const { status } = await sandbox.call('POST', '/api/products/create', payload, { 'content-type': type });
    expect(status).toBe(200);
  });
});

describe('what the store adds and hides', () => {
  test.each([
    ['Théière en fonte 0,8 l', 'theiere-en-fonte-0-8-l'],
    ['  Mug -- blue!  ', 'mug-blue'],
    ['حقيبة جلدية', 'حقيبة-جلدية'],
  ])('the slug of %j (API document: Product, Response data)', async (name, slug) => {
    const sandbox = await openSandbox();
    expect((await sandbox.post('/api/products/create', { name, reference: 'B' })).json.data.slug).toBe(slug);
  });

  test('a name without letters has its id as slug', async () => {
    const sandbox = await openSandbox();
    const { data } = (await sandbox.post('/api/products/create', { name: '!!!', reference: 'B' })).json;
    expect(data.slug).toBe(data._id);
  });

  test('orders are numbered from 1 up (API document: Order, Response data)', async () => {
    const sandbox = await openSandbox();
    const ids = [];
    for (let n = 0; n < 3; n += 1)
      ids.push((await sandbox.post('/api/orders/create', ORDER)).json.data.orderId);
    expect(ids).toEqual([1, 2, 3]);
  });

  test('a password is neither answered nor kept (API document: Customer)', async () => {
    const sandbox = await openSandbox();
    const { json } = await sandbox.post('/api/customers/create', CUSTOMER);
    const { password: _password, ...shown } = CUSTOMER;
    expect(json.data).toMatchObject(shown);
    expect(JSON.stringify([json, sandbox.records('customers')])).not.toContain('correct horse');
  });

  test.each([
    ['/api/discount/create', DISCOUNT],
    ['/api/customers/create', CUSTOMER],
    ['/api/suppliers/create', SUPPLIER],
  ])('%s refuses the storeId of another store', async (path, whole) => {
    const sandbox = await openSandbox();
    const refused = await sandbox.post(path, { ...whole, storeId: '65f0c0ffee0000000000000f' });
    expect(refused.status).toBe(400);
    expect(Object.keys(refusedFields(refused))).toEqual(['storeId']);
  });
});
