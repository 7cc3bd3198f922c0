import { expect, test } from 'vitest';
import { didYouMean } from '../../src/map/index.ts';

test.each([
  ['nme', ['name', 'model'], ' Did you mean "name"?'],
  ['NAME', ['model', 'name'], ' Did you mean "name"?'],
  ['pricee.salePrice', ['price.buyingPrice', 'price.salePrice'], ' Did you mean "price.salePrice"?'],
  ['xyz', ['name', 'model'], ''],
  ['a', [], ''],
  // For names of one or two letters, nearly every other name would be near.
  ['P', ['X', 'Q'], ''],
  ['id', ['no', 'ids'], ' Did you mean "ids"?'],
  ['ab', ['abx', 'aby'], ' Did you mean "abx"?'],
])('suggestion for %s among %j:%s', (name, names, hint) => {
  expect(didYouMean(name, names)).toBe(hint);
});
