import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, type Json, type JsonObject, valueReader } from '../../../src/model/index.ts';
import { scaledRuns } from '../../support/property-tests.ts';

describe('cellText', () => {
  const cases: [Json | undefined, string][] = [
    [undefined, ''],
    [null, ''],
    ['', ''],
    ['0017', '0017'],
    [0, '0'],
    [1.5, '1.5'],
    [1.5e-7, '0.00000015'],
    [-1e-7, '-0.0000001'],
    [1e21, '1000000000000000000000'],
    [-1.25e22, '-12500000000000000000000'],
    [true, 'true'],
    [false, 'false'],
    [{ a: 1 }, '{"a":1}'],
    [['red', 'blue'], 'red|blue'],
    [['one'], 'one'],
  ];
  test.each(cases)('%j is written as %j', (value, text) => {
    expect(cellText(value)).toBe(text);
  });

  test('numbers have no exponent, and keep their value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = cellText(number);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text) === number).toBe(true);
      }),
      { numRuns: scaledRuns(2000) },
    );
  });

  const lists: Json[] = [
    [],
    ['a|b', 'c'],
    ['a', ''],
    [' a', 'b'],
    ['a', 'a'],
    ['[1]'],
    ['{'],
    [1, 2],
    ['a', null],
    [{ src: 'x' }],
  ];
  test.each(lists.map((list) => [list]))(
    'the list %j is JSON, since splitting would not restore it',
    (list) => {
      expect(cellText(list)).toBe(JSON.stringify(list));
    },
  );
});

describe('valueReader', () => {
  const item: JsonObject = {
    product: { _id: 'p1' },
    images: [{ src: 'a.jpg' }, { src: 'b.jpg' }],
    'a.b': 'dotted',
    'a.c': 'dotted',
    'd.e.f': 'dotted',
    a: { b: 'nested' },
    none: null,
  };
  test.each([
    ['product._id', 'p1'],
    ['images.1.src', 'b.jpg'],
    ['a.b', 'nested'],
    ['a.c', 'dotted'],
    ['d.e.f', 'dotted'],
    ['none', null],
    ['none.x', undefined],
    ['product.name', undefined],
    ['product._id.length', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
    ['product.constructor', undefined],
  ])('%s is %j', (path, value) => {
    expect(valueReader(path)(item)).toEqual(value);
  });

  test('a field called __proto__ is an ordinary field', () => {
    expect(valueReader('__proto__.x')(JSON.parse('{"__proto__":{"x":"1"}}') as JsonObject)).toBe('1');
  });
});
