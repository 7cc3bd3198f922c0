import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxOfFile } from '../../support/sandbox/open-sandbox.ts';
import { type Field, namesIn, type Type, titled } from './fields.ts';
import { LISTED } from './read-only.ts';

const sandbox = sandboxOfFile({ seed: 300, journal: false });

/** All values at a path; `0` is every item of a list. */
function valuesAt(items: readonly unknown[], path: string): unknown[] {
  if (path === '') return [...items];
  return path
    .split('.')
    .reduce(
      (values, part) =>
        values.flatMap((value) =>
          part === '0' ? (value as unknown[]) : [(value as Record<string, unknown>)[part]],
        ),
      [...items],
    );
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown) => typeof value === 'number';

const IS: Readonly<Record<Type, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  URL: (value) => typeof value === 'string' && URL.canParse(value),
  number: isNumber,
  int: Number.isInteger,
  bool: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && new Date(value).toISOString() === value,
  object: isObject,
  array: Array.isArray,
  'open object': isObject,
  'open object or null': (value) => value === null || isObject(value),
  'open array': Array.isArray,
  'string or number': (value) => typeof value === 'string' || isNumber(value),
  any: () => true,
};

const LISTS = LISTED.flatMap(({ endpoints, ...rest }) => endpoints.map(({ path }) => ({ path, ...rest })));

describe.each(LISTS)('items of $path', ({ path: endpoint, section, fields }) => {
  let items: readonly unknown[];
  beforeAll(async () => {
    items = (await sandbox().get(`${endpoint}?limit=1000`)).json.results;
  });

  test.each(titled(fields))('%s: is in each of them', (_title, { path, type }) => {
    const values = valuesAt(items, path);
    expect(values.length).toBeGreaterThan(50);
    expect(values.filter((value) => !IS[type](value))).toEqual([]);
  });

  const objects: Pick<Field, 'path' | 'type' | 'section'>[] = [
    { section, path: '', type: 'object' },
    ...fields.filter(({ type }) => type === 'object'),
  ];
  test.each(titled(objects))('%s: has no other fields', (_title, { path }) => {
    const names = namesIn(fields, path).sort();
    for (const value of valuesAt(items, path)) expect(Object.keys(value as object).sort()).toEqual(names);
  });
});
