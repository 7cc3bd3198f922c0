import { describe, expect, test } from 'vitest';
import { openSandbox, refusedFields } from './open-sandbox.ts';
import { having, PRODUCT, RESOURCES, type ResourceCase } from './payloads.ts';

describe('refusing wrong values', () => {
  const text = 'must be string';
  const number = 'must be number';
  const bool = 'must be boolean';
  const list = 'must be array';
  const object = 'must be object';
  const unknown = 'is not a field of the API';
  const empty = 'must not be empty';
  const timestamp = 'must be a timestamp such as 2026-01-31T09:30:00Z';

  const WRONG: readonly (readonly [section: string, field: string, value: unknown, reason: string])[] = [
    ['Product', 'name', '', empty],
    ['Product', 'reference', '', empty],
    ['Product', 'reference', 12, text],
    ['Product', 'productType', 'physical', 'must be one of PHYSICAL, DIGITAL, BOOKING'],
    ['Product', 'status', 'ACTIVE', 'must be one of DRAFT, PUBLISH, TRASH'],
    ['Product', 'tags', 'a,b', list],
    ['Product', 'tags.1', 7, text],
    ['Product', 'price.salePrice', '24.9', number],
    ['Product', 'price.currency', 'EUR', unknown],
    ['Product', 'quantity.instock', '5', number],
    ['Product', 'quantity.min', 1, unknown],
    ['Product', 'seo.hide', 'no', bool],
    ['Product', 'seo.keywords', 'tea', list],
    ['Product', 'images.0', 'https://img.example.com/1.jpg', object],
    ['Product', 'images.0.alt', 'x', unknown],
    ['Product', 'options.0.values.1.value1', 3, text],
    ['Product', 'options.0.values.1.label', 'x', unknown],
    ['Product', 'translates.0.language', 1, text],
    ['Product', 'currencies.0.properties.0.name', 1, text],
    ['Product', 'bookingProps.guest.max', 'four', number],
    ['Product', 'bookingProps.extraInfo.0.Number', 4, text],
    ['Product', 'bookingProps.firstAddresses.0.city.zip', '1', unknown],
    ['Product', 'digitalConfig.emailSettings.autoSend', 'yes', bool],
    ['Product', 'outStock', 'hide', object],
    ['Product', 'variants', {}, list],
    ['Product', 'storeId', 'x', unknown],
    ['Product', 'a/b~c', 'x', unknown],
    ['Discount', 'code', '', empty],
    ['Discount', 'type', 'fixed', 'must be one of fixed_amount, percentage, free_shipping'],
    ['Discount', 'target', 'SOME', 'must be one of ALL, SELECTED'],
    ['Discount', 'startDate', '2026-03-01', timestamp],
    ['Discount', 'startDate', '2026-02-30T00:00:00Z', timestamp],
    ['Discount', 'endDate', '2026-03-01T25:00:00Z', timestamp],
    ['Discount', 'products.0.by_quantity', 1, bool],
    ['Discount', 'limits.per_customer', '1', number],
    ['Customer', 'firstname', '', empty],
    ['Customer', 'status', 'INACTIVE', 'must be one of ACTIVE, UNACTIVE, BLOCKED'],
    ['Customer', 'type', 'business', 'must be one of particular, professional'],
    ['Customer', 'isSubscriber', 'true', bool],
    ['Customer', 'address.zip', 31000, text],
    ['Customer', 'address.city', 'Oran', object],
    ['Customer', 'address.country.dialCode', true, 'must be string or number'],
    ['Order', 'details', {}, list],
    ['Order', 'details.0.quantity', '2', number],
    ['Order', 'details.0.sku', 'x', unknown],
    ['Order', 'customer.phone', '1', unknown],
    ['Order', 'shipping.isFixed', 'yes', bool],
    ['Order', 'shipping.address.zip', '1', unknown],
    ['Order', 'discount.price', '5', number],
    ['Supplier', 'address1', '', empty],
    ['Supplier', 'route', undefined, 'is required'],
    ['Supplier', 'route', '', empty],
    ['Supplier', 'connectable', 'yes', bool],
    ['Supplier', 'city._id', 'x', unknown],
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

  test.each([[[]], ['"text"'], [null], ['7']])('a body that is %j and no object is refused', async (body) => {
    const sandbox = await openSandbox();
    const refused = await sandbox.post('/api/products/create', body === null ? 'null' : body);
    expect(refused.status).toBe(400);
    expect(refusedFields(refused)).toEqual({ '(body)': 'must be object' });
  });

  test.each(['', '{"name":', '{name: 1}', '\uFEFF{}'])(
    'a body that is not JSON (%j) is 400 BAD_JSON',
    async (body) => {
      const sandbox = await openSandbox();
      const refused = await sandbox.post('/api/products/create', body);
      expect([refused.status, refused.json.code]).toEqual([400, 'BAD_JSON']);
    },
  );

  test('a number that no double holds is refused, not stored as null', async () => {
    const sandbox = await openSandbox();
    const refused = await sandbox.post(
      '/api/products/create',
      '{"name":"A","reference":"B","price":{"salePrice":1e999}}',
    );
    expect(refusedFields(refused)).toEqual({ 'price.salePrice': 'must be number' });
  });

  test('__proto__ in a body is a field like any other, and refused', async () => {
    const sandbox = await openSandbox();
    const refused = await sandbox.post(
      '/api/products/create',
      '{"name":"A","reference":"B","__proto__":{"x":1}}',
    );
    expect(Object.keys(refusedFields(refused))).toEqual(['__proto__']);
  });
});
