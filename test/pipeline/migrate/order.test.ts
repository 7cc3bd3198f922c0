import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderedSteps } from '../../../src/pipeline/migrate/order.ts';

/** `orders>customers,products`: a step and what it refers to. */
function steps(...texts: string[]) {
  return texts.map((text) => {
    const [resource = '', refersTo = ''] = text.split('>');
    return { resource, refersTo: refersTo === '' ? [] : refersTo.split(',') };
  });
}

describe('order of the steps of a migration', () => {
  test.each([
    [
      'without references: the usual one',
      ['orders', 'discounts', 'customers', 'products', 'suppliers'],
      'suppliers products customers discounts orders',
    ],
    [
      'a step follows what it refers to',
      ['products>orders', 'orders', 'suppliers'],
      'suppliers orders products',
    ],
    ['against the usual order', ['suppliers>products', 'products'], 'products suppliers'],
    ['in a chain', ['suppliers>orders', 'orders>discounts', 'discounts'], 'discounts orders suppliers'],
    ['a reference to its own resource does not count', ['products>products'], 'products'],
    ['a reference without a step does not count', ['orders>customers'], 'orders'],
  ])('%s', (_, given, wanted) => {
    expect(
      orderedSteps(steps(...given))
        .map(({ resource }) => resource)
        .join(' '),
    ).toBe(wanted);
  });

  test.each([
    [
      ['suppliers>products', 'products>suppliers'],
      'the suppliers look things up among the products look things up among the suppliers',
    ],
    [
      ['suppliers>products', 'products>orders', 'orders>products'],
      'the products look things up among the orders look things up among the products',
    ],
  ])('a circle is refused: %j', (given, said) => {
    expect(() => orderedSteps(steps(...given))).toThrow(said);
  });

  test('each step comes after those that it refers to, whatever they are', () => {
    const names = ['orders', 'suppliers', 'customers', 'products', 'discounts'];
    // References to names further ahead in a shuffled list have no circle.
    const given = fc
      .tuple(
        fc.shuffledSubarray(names, { minLength: 1 }),
        fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 12 }),
      )
      .map(([shuffled, pairs]) =>
        shuffled.map((resource, index) => ({
          resource,
          refersTo: pairs.flatMap(([from, to]) => (from === index && to < from ? (shuffled[to] ?? []) : [])),
        })),
      );
    fc.assert(
      fc.property(given, (each) => {
        const ordered = orderedSteps(each);
        expect(new Set(ordered)).toEqual(new Set(each));
        for (const [index, { refersTo }] of ordered.entries()) {
          const later = ordered.slice(index).map(({ resource }) => resource);
          expect(refersTo.filter((resource) => later.includes(resource))).toEqual([]);
        }
      }),
    );
  });
});
