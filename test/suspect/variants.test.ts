import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { variantFaults } from '../../src/suspect/index.ts';
import { scaledRuns } from '../support/property-tests.ts';

const codesOf = (payload: JsonObject, isReady = false) =>
  variantFaults(payload, isReady).map(({ code, field }) => [code, field]);

const colorAndSize = (color: string, size: string, isTurned = false): JsonObject => {
  const [first, second] = [
    { name: 'Color', value1: color },
    { name: 'Size', value1: size },
  ];
  return isTurned ? { option1: second, option2: first } : { option1: first, option2: second };
};

test('variants are the same only if all of their options are, in whatever order they are', () => {
  const word = fc.constantFrom('S', 'M', 'L');
  fc.assert(
    fc.property(fc.tuple(word, word), fc.tuple(word, word), fc.boolean(), (a, b, isTurned) => {
      const variants = [colorAndSize(...a), colorAndSize(...b, isTurned)];
      const isSame = a.join() === b.join();
      expect(variantFaults({ variants }, false).length).toBe(isSame ? 1 : 0);
    }),
    { numRuns: scaledRuns(400) },
  );
});

test('variants without options are the same if their product is published and made by a mapping', () => {
  const variants = [{ reference: 'A' }, { reference: 'B' }];
  expect(codesOf({ status: 'PUBLISH', variants })).toEqual([['same-options', 'variants.1']]);
  expect(codesOf({ status: 'PUBLISH', variants: variants.slice(1) })).toEqual([]);
  expect(codesOf({ status: 'DRAFT', variants })).toEqual([]);
  expect(codesOf({ variants })).toEqual([]);
  expect(codesOf({ status: 'PUBLISH', variants }, true)).toEqual([]);
});

test('a value that its option does not list is found by the name of the option, else by its place', () => {
  const options = [
    { name: 'Size', values: [{ value1: 'S' }] },
    { name: 'Color', values: [{ value1: 'Red' }] },
  ];
  const faultsOf = (...variants: JsonObject[]) => codesOf({ options, variants });
  expect(faultsOf(colorAndSize('Red', 'S'), { option1: 'S', option2: 'Red' })).toEqual([]);
  expect(faultsOf(colorAndSize('Blue', 'S'))).toEqual([['no-such-option', 'variants.0.option1.value1']]);
  expect(faultsOf({ option1: 'Red' })).toEqual([['no-such-option', 'variants.0.option1.value1']]);
  expect(faultsOf({ option1: { name: 'Fit', value1: 'S' } })).toEqual([
    ['no-such-option', 'variants.0.option1.value1'],
  ]);
  expect(codesOf({ variants: [colorAndSize('Blue', 'S')] })).toEqual([]);
});

const SAMPLES = new URL('../samples/', import.meta.url);

test.each(readdirSync(SAMPLES))('the products of %s offer every value of their variants', (name) => {
  const payloads = JSON.parse(readFileSync(new URL(name, SAMPLES), 'utf8')) as JsonObject[];
  const codes = [payloads].flat().flatMap((payload) => codesOf(payload));
  expect(codes.filter(([code]) => code === 'no-such-option')).toEqual([]);
});
