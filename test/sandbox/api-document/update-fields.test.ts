import { describe, expect, test } from 'vitest';
import { refusedFields, sandboxOfFile } from '../../support/sandbox/open-sandbox.ts';
import { PRODUCT as WHOLE } from '../../support/sandbox/payloads.ts';
import { type Field, lastOf, titled } from './fields.ts';
import { PRODUCT } from './product.ts';
import { isClearable, payloadWith, put, rightValues, valueAt, wrongReason, wrongValues } from './values.ts';

/** An update accepts the fields of a product, none of them required. */
const FIELDS = PRODUCT.map((field) => ({ ...field, isRequired: false }));
const NAMED = FIELDS.filter(({ path }) => lastOf(path) !== '0');
const TYPED = FIELDS.filter((field) => notTaken(field).length > 0);
const CHOICES = FIELDS.filter(({ values }) => values);

const sandbox = sandboxOfFile({ journal: false });

/** Updates a new product. */
async function update(change: object, product: object = { name: 'Lamp', reference: 'L-1' }) {
  const created = await sandbox().post('/api/products/create', product);
  const before = created.json.data;
  return { before, answer: await sandbox().put(`/api/products/update/?id=${before._id}`, change) };
}

async function reasonFor(change: object, path: string): Promise<string> {
  const { answer } = await update(change);
  expect([answer.status, answer.json.code]).toEqual([400, 'VALIDATION_FAILED']);
  const reasons = refusedFields(answer);
  expect(Object.keys(reasons)).toEqual([path]);
  return reasons[path] as string;
}

function notTaken(field: Field): readonly unknown[] {
  return wrongValues(field).filter((value) => value !== null || !isClearable(field));
}

describe('updating (Create and update operations)', () => {
  test.each(titled(FIELDS))('%s: is accepted alone, and returned', async (_title, field) => {
    const { path } = field;
    for (const value of rightValues(field)) {
      const { before, answer } = await update(payloadWith(FIELDS, path, value));
      expect([value, answer.status]).toEqual([value, 200]);
      expect(valueAt(answer.json.data, path)).toEqual(value);
      const changed = path.split('.')[0] as string;
      expect(without(answer.json.data, changed, 'updatedAt')).toEqual(without(before, changed, 'updatedAt'));
    }
  });

  test.each(titled(TYPED))('%s: is refused with values of other types', async (_title, field) => {
    for (const value of notTaken(field)) {
      const reason = await reasonFor(payloadWith(FIELDS, field.path, value), field.path);
      if (!field.values) expect(reason).toMatch(wrongReason(field));
    }
  });

  test.each(titled(NAMED))('%s: an unknown field in the same object is refused', async (_title, field) => {
    const payload = payloadWith(FIELDS, field.path, rightValues(field)[0]);
    put(payload, `${field.path}Other`, 'x');
    expect(await reasonFor(payload, `${field.path}Other`)).toBe('is not a field of the API');
  });

  test.each(titled(CHOICES))('%s: only the listed values are accepted', async (_title, field) => {
    expect(await reasonFor({ [field.path]: 'OTHER' }, field.path)).toBe(
      `must be one of ${field.values?.join(', ')}`,
    );
  });

  test.each(titled(PRODUCT.filter(({ isRequired }) => isRequired)))(
    '%s: must not become empty',
    async (_title, { path }) => {
      expect(await reasonFor({ [path]: '' }, path)).toBe('must not be empty');
    },
  );
});

describe('clearing with null, an extension of the sandbox (LIMITS.md)', () => {
  test.each(titled(FIELDS.filter(isClearable)))('%s: is removed, and nothing else', async (_title, field) => {
    const { before, answer } = await update(payloadWith(FIELDS, field.path, null), WHOLE);
    expect(valueAt(before, field.path)).toBeDefined();
    const [changed = '', part] = field.path.split('.');
    const { data } = answer.json;
    expect(without(data, 'updatedAt')).toEqual({
      ...without(before, changed, 'updatedAt'),
      ...(part !== undefined && { [changed]: {} }),
    });
    const { json } = await sandbox().put(`/api/products/update/?id=${before._id}`, {});
    expect(without(json.data, 'updatedAt')).toEqual(without(data, 'updatedAt'));
  });
});

function without(record: object, ...fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));
}
