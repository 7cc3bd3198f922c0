import { describe, expect, test } from 'vitest';
import { DEMO_CREDENTIALS } from '../../../src/sandbox/index.ts';
import { openSandbox, refusedFields, sandboxOfFile } from '../../support/sandbox/open-sandbox.ts';
import { RESOURCES } from '../../support/sandbox/payloads.ts';
import { WRITTEN } from './endpoints.ts';
import { namesIn, parentOf } from './fields.ts';
import { valueAt } from './values.ts';

/** Rules of the API document for more than one field. */

const sandbox = sandboxOfFile({ journal: false });

describe('Create and update operations', () => {
  test.each(RESOURCES)('$section: a create answers only {status, data}', async ({ section, path, whole }) => {
    const { status, json } = await sandbox().post(path, whole);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['status', 'data']);
    expect(json.status).toBe('success');
    const { answered } = WRITTEN.find((resource) => resource.section === section) ?? { answered: [] };
    expect(answered.length).toBeGreaterThan(1);
    for (const { path, type } of answered)
      expect([path, typeof valueAt(json.data, path)]).toEqual([path, type]);
  });

  test('an update answers only {status, data}', async () => {
    const { data } = (await sandbox().post('/api/products/create', { name: 'A', reference: 'B' })).json;
    const { json } = await sandbox().put(`/api/products/update/?id=${data._id}`, { model: 'M' });
    expect(Object.keys(json)).toEqual(['status', 'data']);
    expect([json.status, json.data._id, json.data.model]).toEqual(['success', data._id, 'M']);
  });

  test.each(RESOURCES)('$section: the payload of these tests has every field', ({ section, whole }) => {
    const { fields } = WRITTEN.find((resource) => resource.section === section) ?? { fields: [] };
    const objects = new Set(fields.map(({ path }) => parentOf(path)));
    for (const path of objects) {
      const value = path === '' ? whole : valueAt(whole, path);
      if (Array.isArray(value)) expect(value.length).toBeGreaterThan(0);
      else expect([path, Object.keys(value as object).sort()]).toEqual([path, namesIn(fields, path).sort()]);
    }
  });
});

describe('Supplier › route: required when connectable is true', () => {
  const supplier = { storeId: DEMO_CREDENTIALS.storeId, name: 'Fonte SA', address1: '2 quai Nord' };
  const post = (more: object) => sandbox().post('/api/suppliers/create', { ...supplier, ...more });

  test.each([
    [{ connectable: true }, 'is required'],
    [{ connectable: true, route: '' }, 'must not be empty'],
  ])('%j is refused', async (more, reason) => {
    expect(refusedFields(await post(more))).toEqual({ route: reason });
  });

  test.each([
    {},
    { connectable: false },
    { connectable: false, route: '' },
    { connectable: true, route: 'a' },
  ])('%j is accepted', async (more) => {
    expect((await post(more)).status).toBe(200);
  });
});

describe('Product meaning', () => {
  test.each([
    ['DIGITAL', {}],
    ['PHYSICAL', { bookingProps: { priceBy: 'NIGHT' }, digitalConfig: { viaEmail: true } }],
    ['BOOKING', { digitalConfig: { viaEmail: true } }],
  ])('Product › productType %s with %j: "used when" refuses nothing', async (productType, more) => {
    const payload = { name: 'A', reference: 'B', productType, ...more };
    expect((await sandbox().post('/api/products/create', payload)).status).toBe(200);
  });

  test.each(['simple', 'variable', 'bundle'])('Product › type %s: the list is open', async (type) => {
    const { json } = await sandbox().post('/api/products/create', { name: 'A', reference: 'B', type });
    expect(json.data.type).toBe(type);
  });
});

test.each(['fixed_amount', 'percentage', 'free_shipping'])(
  'Discount › type %s needs neither percentage nor value: "applies when" refuses nothing',
  async (type) => {
    const payload = { storeId: sandbox().storeId, code: 'A', type };
    for (const more of [{}, { percentage: 10 }, { value: 5 }])
      expect((await sandbox().post('/api/discount/create', { ...payload, ...more })).status).toBe(200);
  },
);

test('Order, Response data › orderId (number): counts up from 1', async () => {
  const own = await openSandbox();
  const order = { customer: {}, details: [] };
  const numbers = [];
  for (let n = 0; n < 3; n += 1)
    numbers.push((await own.post('/api/orders/create', order)).json.data.orderId);
  expect(numbers).toEqual([1, 2, 3]);
});

test.each(['PENDING', 'on its way', ''])(
  'States and transitions › order status %j: free text',
  async (status) => {
    const { json } = await sandbox().post('/api/orders/create', { customer: {}, details: [], status });
    expect(json.data.status).toBe(status);
  },
);

test.each(
  ['DRAFT', 'PUBLISH', 'TRASH'].flatMap((from) => ['DRAFT', 'PUBLISH', 'TRASH'].map((to) => [from, to])),
)('States and transitions › product status: %s may become %s', async (from, to) => {
  const payload = { name: 'A', reference: 'B', status: from };
  const { _id } = (await sandbox().post('/api/products/create', payload)).json.data;
  const { json } = await sandbox().put(`/api/products/update/?id=${_id}`, { status: to });
  expect(json.data.status).toBe(to);
});
