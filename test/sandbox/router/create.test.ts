import { describe, expect, test } from 'vitest';
import { openSandbox, refusedFields } from '../../support/sandbox/open-sandbox.ts';
import { CUSTOMER, DISCOUNT, having, RESOURCES, SUPPLIER } from '../../support/sandbox/payloads.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

describe.each(RESOURCES)(
  'creating (API document: $section)',
  ({ collection, path, whole, required, answer }) => {
    test('accepts every documented field, and returns and stores the record', async () => {
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

    test('stores nothing if the body is refused', async () => {
      const sandbox = await openSandbox();
      const refused = await sandbox.post(path, having(whole, required[0] as string, undefined));
      expect([refused.status, refused.json.code]).toEqual([400, 'VALIDATION_FAILED']);
      await sandbox.expectToBe('Refusal', refused.json);
      expect(sandbox.count(collection)).toBe(0);
    });

    test('makes two records of the same payload sent twice (API document: no uniqueness rule)', async () => {
      const sandbox = await openSandbox();
      const first = await sandbox.post(path, whole);
      const second = await sandbox.post(path, whole);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.json.data._id).not.toBe(second.json.data._id);
      expect(sandbox.count(collection)).toBe(2);
    });

    test('gives the same ids in another sandbox', async () => {
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

test('gives ids that are unique across collections', async () => {
  const sandbox = await openSandbox();
  const ids = new Set<string>();
  for (const { path, whole } of RESOURCES) ids.add((await sandbox.post(path, whole)).json.data._id);
  expect(ids.size).toBe(RESOURCES.length);
});

test.each(['text/plain', 'application/x-www-form-urlencoded'])('accepts JSON sent as %s', async (type) => {
  const sandbox = await openSandbox();
  const payload = { name: 'A', reference: 'B' };
  const { status } = await sandbox.call('POST', '/api/products/create', payload, { 'content-type': type });
  expect(status).toBe(200);
});

describe('a body in an unusual form is stored like any other', () => {
  const forms: Readonly<Record<string, (whole: object) => string>> = {
    'over several lines': (whole) => JSON.stringify(whole, null, 2),
    'with line ends of Windows': (whole) => JSON.stringify(whole, null, 2).replaceAll('\n', '\r\n'),
    'with blanks around it': (whole) => ` \t${JSON.stringify(whole)}\t `,
    'with escaped letters': (whole) => JSON.stringify(whole).replaceAll('p', '\\u0070'),
    'with a field twice': (whole) => `{"${Object.keys(whole)[0]}":"other",${JSON.stringify(whole).slice(1)}`,
  };

  test.each(RESOURCES.flatMap((resource) => Object.keys(forms).map((form) => ({ ...resource, form }))))(
    '$section $form',
    async ({ path, whole, form, collection }) => {
      const sandbox = await openSandbox({ now: () => NOON });
      const plain = await sandbox.post(path, whole);
      const { status, json } = await sandbox.post(path, forms[form]?.(whole));
      expect(status).toBe(200);
      const ofItsOwn = ['_id', 'orderId'];
      for (const field of ofItsOwn) for (const data of [plain.json.data, json.data]) delete data[field];
      expect(json).toEqual(plain.json);
      expect(sandbox.records(collection)[1]).toMatchObject(json.data);
      expect(JSON.stringify([json, sandbox.records(collection)])).not.toContain('correct horse');
    },
  );

  test('a field of an open object may be called __proto__', async () => {
    const sandbox = await openSandbox();
    const body = '{"name":"A","reference":"B","sizes":{"__proto__":{"x":1}}}';
    const { data } = (await sandbox.post('/api/products/create', body)).json;
    expect(JSON.stringify(data.sizes)).toBe('{"__proto__":{"x":1}}');
    const updated = await sandbox.put(`/api/products/update/?id=${data._id}`, { model: 'M' });
    expect(JSON.stringify(updated.json.data.sizes)).toBe('{"__proto__":{"x":1}}');
  });
});

test('createdAt is the time of each request', async () => {
  let now = NOON;
  const sandbox = await openSandbox({ now: () => now });
  for (const elapsed of [0, 0, 1, 1000]) {
    now += elapsed;
    await sandbox.post('/api/products/create', { name: 'A', reference: 'B' });
  }
  expect(sandbox.records('products').map((record) => (record as { createdAt: string }).createdAt)).toEqual([
    '2026-01-31T12:00:00.000Z',
    '2026-01-31T12:00:00.000Z',
    '2026-01-31T12:00:00.001Z',
    '2026-01-31T12:00:01.001Z',
  ]);
});

describe('what the store adds and hides', () => {
  test.each([
    ['Théière en fonte 0,8 l', 'theiere-en-fonte-0-8-l'],
    ['  Mug -- blue!  ', 'mug-blue'],
    ['Enamel_mug 350 ML (2)', 'enamel-mug-350-ml-2'],
    ['حقيبة جلدية', 'حقيبة-جلدية'],
    ['抹茶, 100 g', '抹茶-100-g'],
  ])('the slug of %j (API document: Product, Response data)', async (name, slug) => {
    const sandbox = await openSandbox();
    expect((await sandbox.post('/api/products/create', { name, reference: 'B' })).json.data.slug).toBe(slug);
  });

  test('the slug of a name without letters is the id', async () => {
    const sandbox = await openSandbox();
    const { data } = (await sandbox.post('/api/products/create', { name: '!!!', reference: 'B' })).json;
    expect(data.slug).toBe(data._id);
  });

  test('a password is neither returned nor stored (API document: Customer)', async () => {
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
