import { describe, expect, test } from 'vitest';
import { openSandbox, refusedFields } from '../../support/sandbox/open-sandbox.ts';
import { having, PRODUCT } from '../../support/sandbox/payloads.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

/** A sandbox with one whole product, created at noon; its clock is one hour later. */
async function withProduct() {
  let now = NOON;
  const sandbox = await openSandbox({ now: () => now, tokenLifeSeconds: 86_400 });
  const created = (await sandbox.post('/api/products/create', PRODUCT)).json.data;
  now += 3_600_000;
  const update = (body: unknown) => sandbox.put(`/api/products/update/?id=${created._id}`, body);
  return { sandbox, created, update };
}

describe('updating a product (API document: Create and update operations)', () => {
  test('changes the given fields, keeps the others, and returns the record', async () => {
    const { sandbox, created, update } = await withProduct();
    const answer = await update({ name: 'Pot', status: 'TRASH', tags: [] });
    expect(answer.status).toBe(200);
    await sandbox.expectToBe('ProductAnswer', answer.json);
    const expected = {
      ...created,
      name: 'Pot',
      status: 'TRASH',
      tags: [],
      updatedAt: '2026-01-31T13:00:00.000Z',
    };
    expect(answer.json.data).toEqual(expected);
    expect(sandbox.records('products')).toEqual([expected]);
  });

  test('is served with and without the slash before the query (API document: Endpoints)', async () => {
    const { sandbox, created } = await withProduct();
    for (const path of ['/api/products/update/', '/api/products/update']) {
      const answer = await sandbox.put(`${path}?id=${created._id}`, { model: path });
      expect(answer.json.data.model).toBe(path);
    }
  });

  test('replaces a stored object as a whole', async () => {
    const { update } = await withProduct();
    expect((await update({ price: { salePrice: 5 } })).json.data.price).toEqual({ salePrice: 5 });
  });

  test('accepts every field of a product at once (API document: Product)', async () => {
    const { update } = await withProduct();
    expect((await update(PRODUCT)).status).toBe(200);
  });

  test('accepts an empty change', async () => {
    const { created, update } = await withProduct();
    expect((await update({})).json.data).toEqual({ ...created, updatedAt: '2026-01-31T13:00:00.000Z' });
  });

  test('keeps the order and the number of products', async () => {
    const { sandbox, update } = await withProduct();
    await sandbox.post('/api/products/create', { name: 'Second', reference: '2' });
    await update({ name: 'First' });
    expect(sandbox.records('products').map((product) => (product as { name: string }).name)).toEqual([
      'First',
      'Second',
    ]);
  });

  test('changes only the product with the id', async () => {
    const { sandbox, created } = await withProduct();
    const second = (await sandbox.post('/api/products/create', { name: 'Second', reference: '2' })).json.data;
    await sandbox.put(`/api/products/update/?id=${second._id}`, { name: 'Changed' });
    expect(sandbox.records('products')[0]).toEqual(created);
  });
});

describe('refusing an update', () => {
  test.each([
    ['price.salePrice', '5', 'must be number or null'],
    ['seo.title', 5, 'must be string'],
    ['colour', 'red', 'is not a field of the API'],
  ])('%s: %j', async (field, value, reason) => {
    const { sandbox, created, update } = await withProduct();
    const answer = await update(having(PRODUCT, field, value));
    expect([answer.status, answer.json.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refusedFields(answer)).toEqual({ [field]: reason });
    expect(sandbox.records('products')).toEqual([created]);
  });

  test('a missing id is 400 and named', async () => {
    const { sandbox } = await withProduct();
    const answer = await sandbox.put('/api/products/update/', { name: 'A' });
    expect([answer.status, answer.json.code]).toEqual([400, 'BAD_QUERY']);
    expect(refusedFields(answer)).toEqual({ id: 'is required' });
  });

  test.each([
    ['another position', (id: string) => id.replace(/.$/, '9')],
    ['a far position', (id: string) => `${id.slice(0, 8)}ffffffffffffffff`],
    ['a shorter id', (id: string) => id.slice(0, 9)],
    ['upper case', (id: string) => id.toUpperCase()],
    ['another collection', (id: string) => id.replace(/^(.{6})../, '$102')],
    ['no id at all', () => 'unknown'],
  ])('an unknown id (%s) is 404', async (_what, change) => {
    const { sandbox, created } = await withProduct();
    const answer = await sandbox.put(`/api/products/update/?id=${change(created._id)}`, { name: 'A' });
    expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND']);
    expect(sandbox.records('products')).toEqual([created]);
  });

  test('a body that is not JSON is 400', async () => {
    const { update } = await withProduct();
    expect((await update('{')).json.code).toBe('BAD_JSON');
  });
});
