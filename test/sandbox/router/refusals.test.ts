import { describe, expect, test } from 'vitest';
import { openSandbox, refusedFields } from '../../support/sandbox/open-sandbox.ts';
import { having, PRODUCT, RESOURCES, type ResourceCase } from '../../support/sandbox/payloads.ts';

describe('refusing wrong values', () => {
  const timestamp = 'must be a timestamp such as 2026-01-31T09:30:00Z';

  const WRONG: readonly (readonly [section: string, field: string, value: unknown, reason: string])[] = [
    ['Product', 'tags.1', 7, 'must be string'],
    ['Product', 'options.0.values.1.value1', 3, 'must be string'],
    ['Product', 'price.currency', 'EUR', 'is not a field of the API'],
    ['Product', 'storeId', 'x', 'is not a field of the API'],
    ['Product', 'a/b~c', 'x', 'is not a field of the API'],
    ['Discount', 'startDate', '2026-03-01', timestamp],
    ['Discount', 'startDate', '2026-02-30T00:00:00Z', timestamp],
    ['Discount', 'startDate', '2026-02-29T00:00:00Z', timestamp],
    ['Discount', 'startDate', '1900-02-29T00:00:00Z', timestamp],
    ['Discount', 'startDate', '2026-00-10T00:00:00Z', timestamp],
    ['Discount', 'startDate', '2026-13-10T00:00:00Z', timestamp],
    ['Discount', 'startDate', '2026-03-01T10:00:00', timestamp],
    ['Discount', 'startDate', '2026-03-01 10:00:00Z', timestamp],
    ['Discount', 'endDate', '2026-03-01T25:00:00Z', timestamp],
    ['Discount', 'endDate', '2026-03-01T10:60:00Z', timestamp],
    ['Discount', 'endDate', '2026-03-01T10:00:00+1:00', timestamp],
    ['Order', 'customer.phone', '1', 'is not a field of the API'],
    ['Order', 'shipping.address.zip', '1', 'is not a field of the API'],
  ];

  test.each(WRONG)('API document, %s: %s = %j is refused, it %s', async (section, field, value, reason) => {
    const sandbox = await openSandbox();
    const { path, whole } = RESOURCES.find((resource) => resource.section === section) as ResourceCase;
    const refused = await sandbox.post(path, having(whole, field, value));
    expect([refused.status, refused.json.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refusedFields(refused)).toEqual({ [field]: reason });
    expect(refused.json.message).toContain(`${field} ${reason}`);
  });

  test('names every wrong field at once', async () => {
    const sandbox = await openSandbox();
    const refused = await sandbox.post('/api/products/create', {
      name: '',
      price: { salePrice: '1', comparePrice: '2' },
      status: 'LIVE',
    });
    expect(Object.keys(refusedFields(refused)).sort()).toEqual([
      'name',
      'price.comparePrice',
      'price.salePrice',
      'reference',
      'status',
    ]);
    expect(refused.json.message).toContain('and 4 more');
  });

  test('names at most a hundred of them', async () => {
    const sandbox = await openSandbox();
    const tags = Array.from({ length: 1000 }, (_, index) => index);
    const refused = await sandbox.post('/api/products/create', { ...PRODUCT, tags });
    expect(refused.json.errors.length).toBe(100);
  });

  test.each([[[]], ['"text"'], [null], ['7']])(
    'a body that is %j and not an object is refused',
    async (body) => {
      const sandbox = await openSandbox();
      const refused = await sandbox.post('/api/products/create', body === null ? 'null' : body);
      expect(refused.status).toBe(400);
      expect(refusedFields(refused)).toEqual({ '(body)': 'must be object' });
    },
  );

  test.each(['', '{"name":', '{name: 1}', '\uFEFF{}'])(
    'a body that is not JSON (%j) is 400 BAD_JSON',
    async (body) => {
      const sandbox = await openSandbox();
      const refused = await sandbox.post('/api/products/create', body);
      expect([refused.status, refused.json.code]).toEqual([400, 'BAD_JSON']);
    },
  );

  test('a number that no double can represent is refused, not stored as null', async () => {
    const sandbox = await openSandbox();
    const refused = await sandbox.post(
      '/api/products/create',
      '{"name":"A","reference":"B","price":{"salePrice":1e999}}',
    );
    expect(refusedFields(refused)).toEqual({ 'price.salePrice': 'must be number' });
  });

  test('__proto__ in a body is an unknown field and refused', async () => {
    const sandbox = await openSandbox();
    const refused = await sandbox.post(
      '/api/products/create',
      '{"name":"A","reference":"B","__proto__":{"x":1}}',
    );
    expect(Object.keys(refusedFields(refused))).toEqual(['__proto__']);
  });
});
