import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { importable } from '../../src/resources/index.ts';
import { compileFits } from '../../src/validate/fits.ts';
import { fromResource } from '../contract/from-zod.ts';
import { MUTATIONS, mutated } from '../contract/mutations.ts';
import { scaledRuns } from '../support/property-tests.ts';

const RUNS = 300;

const BODIES = importable.flatMap((resource) => {
  const { name, schema, updateSchema = schema } = resource;
  return [
    { name: `${name}: create`, resource, partial: false, schema },
    { name: `${name}: update`, resource, partial: true, schema: updateSchema.partial() },
  ];
});

describe('the quick test and zod agree', () => {
  test.each(BODIES)('about valid payloads of $name', ({ resource, partial, schema }) => {
    const fits = compileFits(schema);
    fc.assert(
      fc.property(fromResource(resource, partial), (payload) => {
        expect(schema.safeParse(payload).success).toBe(true);
        expect(fits(payload)).toBe(true);
      }),
      { numRuns: scaledRuns(RUNS) },
    );
  });

  test.each(BODIES)('about changed payloads of $name', ({ resource, partial, schema }) => {
    const fits = compileFits(schema);
    const payloads = Object.values(MUTATIONS).map((each) =>
      mutated(fromResource(resource, partial), each, resource),
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(...payloads), (payload) => {
        const isValid = schema.safeParse(payload).success;
        if (!isValid) refused++;
        expect(fits(payload)).toBe(isValid);
      }),
      { numRuns: scaledRuns(2 * RUNS) },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

// Schemas that no resource has today.
const PARTS: readonly (readonly [string, z.ZodType])[] = [
  ['a whole number', z.int()],
  ['a limited number', z.number().max(3)],
  ['a pattern', z.string().regex(/^a/)],
  ['two checks of a text', z.string().min(1).max(2)],
  ['a mail address', z.email()],
  ['a limited list', z.array(z.string()).max(1)],
  ['a checked object', z.object({ a: z.number() }).refine(({ a }) => a > 1)],
  [
    'a checked optional text',
    z
      .string()
      .optional()
      .refine((text) => text !== 'b'),
  ],
  ['a union', z.union([z.literal('a'), z.array(z.number())])],
  ['an object that drops other fields', z.object({ a: z.string().optional() })],
  ['an object with other fields of one type', z.object({}).catchall(z.number())],
];

const VALUES: readonly unknown[] = [
  ...[undefined, null, true, '', 'a', 'ab', 'abc', 'b', 'a@b.example', 1, 1.5, 4, Number.NaN, Infinity],
  ...[[], ['a'], [1], ['a', 'b'], {}, { a: 'a' }, { a: 1 }, { a: 2 }, { b: 1 }, { b: 'b' }],
];

test.each(PARTS)('the quick test accepts nothing that zod refuses: %s', (_, schema) => {
  const fits = compileFits(schema);
  const accepted = VALUES.filter(fits);
  expect(accepted.filter((value) => !schema.safeParse(value).success)).toEqual([]);
  expect(accepted.length).toBeGreaterThan(0);
});
