import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/model/index.ts';
import { changedFields, createDigester, mergedDigests } from '../../src/plan/digests.ts';
import { lastNumber, roundedNumber } from '../../src/plan/last-numbers.ts';
import { products } from '../../src/resources/products.ts';
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
    expect(createDigester({ secret: ['password'] })({ email: 'a', password: 'b' }).fields).toBe('email');
  });
});

describe('watched numbers', () => {
  const watching = createDigester(products);
  const number = fc
    .tuple(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), fc.integer({ min: 0, max: 4 }))
    .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));

  test('watched numbers are kept to ten digits', () => {
    fc.assert(
      fc.property(payload, number, number, (other, salePrice, instock) => {
        const kept = watching({ ...other, price: { salePrice }, quantity: { instock } });
        expect(roundedNumber(lastNumber(kept, 'price') as number)).toBe(salePrice + 0);
        expect(roundedNumber(lastNumber(kept, 'stock') as number)).toBe(instock + 0);
      }),
      { numRuns: scaledRuns(500) },
    );
  });

  test('a watched number is no field that changes', () => {
    const one = watching({ name: 'a', price: { salePrice: 1 } });
    const other = watching({ name: 'b', price: { salePrice: 2 } });
    expect(changedFields(other, one)).toEqual(['name', 'price']);
    expect(changedFields(one, createDigester()({ name: 'a', price: { salePrice: 1 } }))).toEqual([]);
  });

  test('a watched number stays after an update without it', () => {
    const after = mergedDigests(watching({ price: { salePrice: 12.5 } }), watching({ name: 'b' }));
    expect(lastNumber(after, 'price')).toBe(12.5);
    expect(lastNumber(after, 'stock')).toBeUndefined();
  });

  test('the lowest price and the sum of the stocks of variants count if the product has none', () => {
    const variants = [
      { price: { salePrice: 12 }, quantity: { instock: 3 } },
      { price: { salePrice: 10 }, quantity: { instock: 4 } },
      { price: 11 },
    ];
    const kept = watching({ variants });
    expect([lastNumber(kept, 'price'), lastNumber(kept, 'stock')]).toEqual([10, 7]);
    expect(lastNumber(watching({ variants, price: { salePrice: 20 } }), 'price')).toBe(20);
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
