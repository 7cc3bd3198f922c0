import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { columnNames, type FieldType, fieldType, leafPaths, typeAt } from '../../src/resources/index.ts';

const schema = z.strictObject({
  name: z.string().min(1),
  count: z.int().optional(),
  price: z.number().nullable().optional(),
  since: z.iso.datetime(),
  site: z.string().refine(() => true),
  on: z.boolean(),
  status: z.enum(['A', 'B']).optional(),
  code: z.union([z.string(), z.number()]).optional(),
  any: z.unknown(),
  open: z.looseObject({ known: z.number() }),
  whatever: z.looseObject({}),
  tags: z.array(z.string()).optional(),
  items: z.array(z.strictObject({ src: z.string(), parts: z.array(z.unknown()) })),
  nested: z.strictObject({ deep: z.strictObject({ text: z.string() }) }),
});
const root = fieldType(schema);

function kindAt(path: string): FieldType['kind'] | undefined {
  return typeAt(root, path.split('.'))?.kind;
}

describe('the type of a field', () => {
  test.each([
    ['name', 'text'],
    ['count', 'number'],
    ['price', 'number'],
    ['since', 'text'],
    ['site', 'text'],
    ['on', 'boolean'],
    ['status', 'choice'],
    ['code', 'text'],
    ['any', 'anything'],
    ['any.a.0.b', 'anything'],
    ['open', 'object'],
    ['open.known', 'number'],
    ['open.other', 'anything'],
    ['open.other.deep', 'anything'],
    ['open.constructors', 'anything'],
    ['whatever.a', 'anything'],
    ['tags', 'list'],
    ['tags.0', 'text'],
    ['items.12.src', 'text'],
    ['items.0.parts.3.x', 'anything'],
    ['nested', 'object'],
    ['nested.deep.text', 'text'],
  ])('%s is %s', (path, kind) => {
    expect(kindAt(path)).toBe(kind);
  });

  test.each([
    'Name',
    'nme',
    '',
    'name.x',
    'name.0',
    'tags.first',
    'tags.-1',
    'tags.0.x',
    'items.src',
    'nested.text',
    'nested.deep.',
    'toString',
    'constructor',
    '__proto__',
    'open.__proto__',
    'any.__proto__',
    'any.a.__proto__.b',
    'open.known.x',
  ])('%j is not a field', (path) => {
    expect(kindAt(path)).toBeUndefined();
  });

  test('a choice has its values', () => {
    expect(typeAt({ kind: 'anything' }, ['a', '__proto__', 'b'])).toBeUndefined();
    expect(typeAt(root, ['status'])).toEqual({ kind: 'choice', values: ['A', 'B'] });
  });

  test('a schema that mappings do not support is a mistake in the resource', () => {
    expect(() => fieldType(z.strictObject({ when: z.date() }))).toThrow(
      'A resource schema uses date, which mappings do not know yet.',
    );
  });
});

test('paths lead to values, lists and objects without known fields, in the order of the schema', () => {
  const paths = [
    'name',
    'count',
    'price',
    'since',
    'site',
    'on',
    'status',
    'code',
    'any',
    'open.known',
    'whatever',
    'tags',
    'items',
    'nested.deep.text',
  ];
  expect(leafPaths(root)).toEqual(paths);
  expect(columnNames(schema)).toEqual(paths);
});
