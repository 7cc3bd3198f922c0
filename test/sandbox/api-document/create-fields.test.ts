import { describe, expect, test } from 'vitest';
import { refusedFields, sandboxOfFile } from '../../support/sandbox/open-sandbox.ts';
import { WRITTEN } from './endpoints.ts';
import { lastOf, namesIn, parentOf, titled } from './fields.ts';
import { payloadWith, put, rightValues, valueAt, wrongReason, wrongValues } from './values.ts';

/** Every field that can be created, as the API document lists them. */
const FIELDS = WRITTEN.flatMap(({ endpoint, fields: all }) =>
  all.map((field) => ({ ...field, field, endpoint, all })),
);
const TYPED = FIELDS.filter(({ field }) => wrongValues(field).length > 0);
/** All fields except the items of lists. */
const NAMED = FIELDS.filter(({ path }) => lastOf(path) !== '0');
const CHOICES = FIELDS.filter(({ values }) => values);
const REQUIRED = FIELDS.filter(({ isRequired }) => isRequired);
const TEXTS = REQUIRED.filter(({ type, values }) => type === 'string' && !values);

const sandbox = sandboxOfFile({ journal: false });

/** Posts a payload that must be refused for one field, and returns the reason. */
async function reasonFor(endpoint: string, payload: object, path: string): Promise<string> {
  const refused = await sandbox().post(endpoint, payload);
  expect([refused.status, refused.json.code]).toEqual([400, 'VALIDATION_FAILED']);
  const reasons = refusedFields(refused);
  expect(Object.keys(reasons)).toEqual([path]);
  return reasons[path] as string;
}

describe('creating', () => {
  test.each(titled(FIELDS))(
    '%s: is accepted and returned',
    async (_title, { field, path, endpoint, all }) => {
      for (const value of rightValues(field)) {
        const { status, json } = await sandbox().post(endpoint, payloadWith(all, path, value));
        expect([value, status]).toEqual([value, 200]);
        expect(valueAt(json.data, path)).toEqual(path === 'password' ? undefined : value);
      }
    },
  );

  test.each(titled(TYPED))(
    '%s: is refused with values of other types',
    async (_title, { field, path, endpoint, all }) => {
      for (const value of wrongValues(field)) {
        const reason = await reasonFor(endpoint, payloadWith(all, path, value), path);
        // A wrong type is refused for two reasons if the values are listed.
        if (!field.values) expect(reason).toMatch(wrongReason(field));
      }
    },
  );

  test.each(titled(NAMED))(
    '%s: an unknown field in the same object is refused',
    async (_title, { field, path, endpoint, all }) => {
      const stranger = `${path}Other`;
      expect(namesIn(all, parentOf(path))).not.toContain(lastOf(stranger));
      const payload = payloadWith(all, path, rightValues(field)[0]);
      put(payload, stranger, 'x');
      expect(await reasonFor(endpoint, payload, stranger)).toBe('is not a field of the API');
    },
  );

  test.each(titled(CHOICES))(
    '%s: only the listed values are accepted',
    async (_title, { path, values = [], endpoint, all }) => {
      const strangers = ['', 'OTHER', ...values.flatMap((value) => [` ${value}`, inOtherCase(value)])];
      for (const stranger of strangers)
        expect(await reasonFor(endpoint, payloadWith(all, path, stranger), path)).toBe(
          `must be one of ${values.join(', ')}`,
        );
    },
  );

  test.each(titled(REQUIRED))('%s: is required', async (_title, { path, endpoint, all }) => {
    expect(await reasonFor(endpoint, payloadWith(all, path, undefined), path)).toBe('is required');
  });

  test.each(titled(TEXTS))('%s: must not be empty', async (_title, { path, endpoint, all }) => {
    expect(await reasonFor(endpoint, payloadWith(all, path, ''), path)).toBe('must not be empty');
  });

  test.each(WRITTEN.map((resource) => [resource.section, resource] as const))(
    '%s: the required fields are enough',
    async (_section, { endpoint, fields }) => {
      const required = fields.filter(({ isRequired }) => isRequired);
      const payload = Object.fromEntries(required.map((field) => [field.path, rightValues(field)[0]]));
      expect((await sandbox().post(endpoint, payload)).status).toBe(200);
    },
  );
});

function inOtherCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}
