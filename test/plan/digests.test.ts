import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/model/index.ts';
import { changedFields, createDigester, mergedDigests } from '../../src/plan/digests.ts';
import { scaledRuns } from '../support/property-tests.ts';

const digestsOf = createDigester();

const value = fc.jsonValue() as fc.Arbitrary<Json>;
const payload = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value) as fc.Arbitrary<JsonObject>;

/** Drops blank fields inside objects, which equal missing ones. Blanks in lists count. */
function shown(value: Json | undefined): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const filled = Object.entries(value).filter(
    ([, inner]) => !(inner === null || inner === '' || (Array.isArray(inner) && inner.length === 0)),
  );
  return Object.fromEntries(filled.map(([name, inner]) => [name, shown(inner) as Json]));
}

describe('digests of fields', () => {
  test('ignore blank fields inside an object, and include blanks in a list', () => {
    const differ = (one: Json, other: Json) => changedFields(digestsOf({ f: one }), digestsOf({ f: other }));
    for (const blank of [null, '', []]) {
      expect(differ({ a: 1, b: { c: blank } }, { a: 1, b: {} })).toEqual([]);
      expect(differ({ a: 1, b: blank }, { a: 1, b: 2 })).toEqual(['f']);
      expect(differ([{ a: 1, b: blank }], [{ a: 1 }])).toEqual(['f']);
      expect(differ(blank, { a: 1 })).toEqual(['f']);
    }
  });

  test('show exactly the fields that are new or have changed', () => {
    fc.assert(
      fc.property(payload, payload, (before, now) => {
        const expected = Object.keys(now).filter(
          (field) => !same(shown(now[field]), shown(before[field]), before, field),
        );
        expect(changedFields(digestsOf(now), digestsOf(before))).toEqual(expected);
      }),
      { numRuns: scaledRuns(500) },
    );
  });

  test('do not depend on the order of fields in an object', () => {
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
  ] as const)('distinguish %s', (_what, a, b) => {
    expect(changedFields(digestsOf({ f: a as Json }), digestsOf({ f: b as Json }))).toEqual(['f']);
  });

  test('after an update include all fields that were ever sent', () => {
    fc.assert(
      fc.property(payload, payload, (before, now) => {
        const both = digestsOf({ ...before, ...now });
        const after = mergedDigests(digestsOf(before), digestsOf(now));
        expect(changedFields(both, after)).toEqual([]);
        expect(after.fields.split(',').sort()).toEqual(both.fields.split(',').sort());
      }),
    );
  });

  test('exclude secret fields', () => {
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
