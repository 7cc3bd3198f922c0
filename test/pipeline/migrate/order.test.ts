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
});
