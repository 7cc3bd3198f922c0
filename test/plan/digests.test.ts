import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/model/index.ts';
import { changedFields, createDigester, merged } from '../../src/plan/digests.ts';

const digestsOf = createDigester();

const value = fc.jsonValue() as fc.Arbitrary<Json>;
const payload = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value) as fc.Arbitrary<JsonObject>;

describe('digests of fields', () => {
  test('tell exactly the fields that are new or other values', () => {
    fc.assert(
      fc.property(payload, payload, (before, now) => {
        const expected = Object.keys(now).filter((field) => !same(now[field], before[field], before, field));
        expect(changedFields(digestsOf(now), digestsOf(before))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('do not see the order of fields within an object', () => {
    const one = digestsOf({ price: { salePrice: 1, comparePrice: 2 } });
    const other = digestsOf({ price: { comparePrice: 2, salePrice: 1 } });
    expect(changedFields(one, other)).toEqual([]);
  });

  test.each([
    ['a text and a number', '1', 1],
    ['a text and nothing', 'null', null],
    ['a list and a text', ['a'], 'a'],
    ['a list cut elsewhere', ['ab', 'c'], ['a', 'bc']],
    ['nested and flat', [['a'], 'b'], [['a', 'b']]],
    ['a text that looks like JSON', '{"a":1}', { a: 1 }],
  ] as const)('tell apart %s', (_what, a, b) => {
    expect(changedFields(digestsOf({ f: a as Json }), digestsOf({ f: b as Json }))).toEqual(['f']);
  });

  test('after an update are those of all fields that the store was given', () => {
    fc.assert(
      fc.property(payload, payload, (before, now) => {
        const both = digestsOf({ ...before, ...now });
        const after = merged(digestsOf(before), digestsOf(now));
        expect(changedFields(both, after)).toEqual([]);
        expect(after.fields.split(',').sort()).toEqual(both.fields.split(',').sort());
      }),
    );
  });

  test('are not made of secrets', () => {
    expect(createDigester(['password'])({ email: 'a', password: 'b' }).fields).toBe('email');
  });
});

function same(now: Json | undefined, then: Json | undefined, before: JsonObject, field: string): boolean {
  return Object.hasOwn(before, field) && JSON.stringify(sorted(now)) === JSON.stringify(sorted(then));
}

function sorted(given: Json | undefined): unknown {
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) return given.map(sorted);
  const fields = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  return { fields: fields.map(([key, each]) => [key, sorted(each)]) };
}
