import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecordChecks, parseMapping } from '../../../src/map/index.ts';
import type { Issue, JsonObject } from '../../../src/model/index.ts';
import { productMapping } from '../../support/map-rows.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const FIELDS = {
  name: 'Name',
  tags: { from: 'Tags', split: ',' },
  'price.salePrice': 'Price',
  'price.buyingPrice': 'Cost',
  variants: { each: 'row', fields: { name: 'Size', price: { from: 'Extra', number: true } } },
};

/** Columns of the fields above, as a file would have them. */
const COLUMNS: Readonly<Record<string, string>> = {
  name: 'Name',
  'price.salePrice': 'Price',
  'price.buyingPrice': 'Cost',
};

/** Returns the test of payloads by these checks. */
function checking(...checks: object[]) {
  const check = createRecordChecks(productMapping(FIELDS, { checks }));
  if (!check) throw new Error('the mapping has checks');
  return (payload: JsonObject, issues: readonly Issue[] = []) =>
    check({
      payload,
      issues,
      locate: (field) => {
        const column = COLUMNS[field];
        const origin = { file: 'shop.csv', row: 2, line: 2 };
        return column === undefined ? { origin } : { column, origin };
      },
    });
}

/** True for each payload that passes, false for one that fails, or the code of another issue. */
function resultsOf(that: string, ...payloads: JsonObject[]) {
  const check = checking({ that });
  return payloads.map((payload) => {
    const [issue] = check(payload).issues;
    return issue === undefined ? true : issue.code === 'check-failed' ? false : issue.code;
  });
}

const COST = 'price.salePrice > price.buyingPrice';

describe('a check', () => {
  test('makes an issue that names the rule, the fields, their values and their columns', () => {
    const check = checking({ that: COST, message: 'The price is below the cost.' });
    expect(check({ price: { salePrice: 5, buyingPrice: 9 } })).toEqual({
      issues: [
        {
          code: 'check-failed',
          message:
            'The price is below the cost: price.salePrice is 5, price.buyingPrice is 9 (column "Cost")',
          field: 'price.salePrice',
          column: 'Price',
          origin: { file: 'shop.csv', row: 2, line: 2 },
        },
      ],
      warnings: [],
    });
    expect(check({ price: { salePrice: 9, buyingPrice: 5 } })).toEqual({ issues: [], warnings: [] });
  });

  test('shows its rule if it has no message', () => {
    const [issue] = checking({ that: ` ${COST.replace('>', '>\n')} ` })({
      price: { salePrice: 5, buyingPrice: 9 },
    }).issues;
    expect(issue?.message).toMatch(`this does not hold: ${COST}: price.salePrice is 5`);
  });

  test('makes a warning if it has warn, with the values', () => {
    const check = checking({ that: '$contains(name, /^[A-Z]/)', warn: 'Names begin with a capital.' });
    expect(check({ name: 'pen' })).toEqual({
      issues: [],
      warnings: [{ message: 'Names begin with a capital.', found: 'name is "pen"', row: 2 }],
    });
  });

  test('a check does not apply to a record that lacks one of its fields', () => {
    expect(
      resultsOf(COST, {}, { price: { salePrice: 5 } }, { price: { salePrice: 5, buyingPrice: null } }),
    ).toEqual([true, true, true]);
    expect(resultsOf('$not(name = "x")', {}, { name: 'x' })).toEqual([true, false]);
    expect(resultsOf('"a" in tags', {}, { tags: [] }, { tags: ['b'] }, { tags: ['b', 'a'] })).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test('applies to a missing field if it asks whether that is there', () => {
    expect(resultsOf('$exists(name)', {}, { name: 'x' })).toEqual([false, true]);
    expect(resultsOf('name ~> $exists', {}, { name: 'x' })).toEqual([false, true]);
    expect(resultsOf('$count(tags) >= 2', {}, { tags: ['a'] }, { tags: ['a', 'b'] })).toEqual([
      false,
      false,
      true,
    ]);
    const required = `$exists(price.buyingPrice) and ${COST}`;
    expect(resultsOf(required, { price: { salePrice: 5 } }, { price: { buyingPrice: 5 } })).toEqual([
      false,
      true,
    ]);
  });

  test('a check is not evaluated for fields that have an issue already', () => {
    const check = checking({ that: COST }, { that: '$exists(name)' });
    const issue = { code: 'not-a-number', message: '"x" is not a number', field: 'price.salePrice' };
    const payload = { price: { salePrice: 'x', buyingPrice: 9 } };
    expect(check(payload, [issue]).issues).toMatchObject([{ code: 'check-failed', field: 'name' }]);
    expect(check(payload).issues).toMatchObject([{ code: 'expression-failed' }, { code: 'check-failed' }]);
  });

  test.each([
    ['a result that is text', 'name', { name: 'x' }, 'expression-failed', 'is "x", neither true nor false'],
    ['an error of its own', '$error("too dear")', {}, 'expression-failed', 'the expression fails: too dear'],
    [
      'a loop without an end',
      '($f := function($x) { $f($x + 1) }; $f(1))',
      {},
      'expression-limit',
      'takes more than it may',
    ],
  ])('makes an issue of %s', (_, that, payload, code, message) => {
    const check = checking({ that, message: 'My rule' });
    expect(check(payload).issues).toMatchObject([{ code, message: expect.stringContaining(message) }]);
    expect(check(payload).issues[0]?.message).toMatch('the check "My rule" cannot be evaluated');
    expect(checking({ that, warn: 'My rule' })(payload)).toMatchObject({
      issues: [],
      warnings: [{ message: 'My rule.', found: expect.stringContaining(message) }],
    });
  });

  test('a check with each is evaluated for every item of that list', () => {
    const check = checking({
      each: 'variants',
      that: 'price < $record.price.salePrice',
      message: 'Too dear',
    });
    const variants = [{ name: 'S', price: 3 }, { name: 'M' }, { name: 'L', price: 9 }];
    expect(check({ price: { salePrice: 5 }, variants }).issues).toMatchObject([
      {
        field: 'variants.2.price',
        message: 'Too dear: variants.2.price is 9, price.salePrice is 5 (column "Price")',
      },
    ]);
    expect(check({ variants }).issues).toEqual([]);
    expect(check({ price: { salePrice: 5 } }).issues).toEqual([]);
  });

  test('reads a text in a list as $', () => {
    const check = checking({ each: 'tags', that: '$length($) < 5', message: 'Too long' });
    expect(check({ tags: ['new', 'seasonal'] }).issues).toMatchObject([
      { field: 'tags.1', message: 'Too long: tags.1 is "seasonal"' },
    ]);
  });

  test('the message of a check does not show a secret', () => {
    const text = JSON.stringify({
      resource: 'customers',
      fields: { password: 'P', email: 'E' },
      checks: [{ that: '$length(password) >= 8', warn: 'Short password' }],
    });
    const check = createRecordChecks(parseMapping('mine', text));
    const found = check?.({ payload: { password: 'abcd123' }, issues: [], locate: () => ({}) });
    expect(found?.warnings).toEqual([{ message: 'Short password.', found: 'password is not shown' }]);
  });
});

/** A value that JSON has, or none. */
const price = fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined });
const size = fc.record({ name: fc.constantFrom('S', 'M'), price }, { requiredKeys: ['name'] });
const product = fc.record({
  price: fc.option(fc.record({ salePrice: price, buyingPrice: price }), { nil: undefined }),
  tags: fc.option(fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }), { nil: undefined }),
  variants: fc.option(fc.array(size, { maxLength: 3 }), { nil: undefined }),
});
type AnyProduct = typeof product extends fc.Arbitrary<infer Value> ? Value : never;

/** Rules in the language of checks, and in JavaScript: the paths of failures. */
const RULES: readonly (readonly [check: object, failures: (product: AnyProduct) => readonly string[]])[] = [
  [
    { that: COST },
    ({ price: { salePrice, buyingPrice } = {} }) =>
      salePrice === undefined || buyingPrice === undefined || salePrice > buyingPrice
        ? []
        : ['price.salePrice'],
  ],
  [
    { that: '$exists(price.buyingPrice) and price.salePrice >= price.buyingPrice' },
    ({ price: { salePrice, buyingPrice } = {} }) =>
      salePrice === undefined || (buyingPrice !== undefined && salePrice >= buyingPrice)
        ? []
        : ['price.buyingPrice'],
  ],
  [{ that: '$exists(tags)' }, ({ tags }) => (tags ? [] : ['tags'])],
  [{ that: '$count(tags) != 1' }, ({ tags = [] }) => (tags.length !== 1 ? [] : ['tags.0'])],
  [
    { each: 'variants', that: 'price >= 0 or name = "M"' },
    ({ variants = [] }) =>
      variants.flatMap(({ name, price }, at) =>
        price === undefined || price >= 0 || name === 'M' ? [] : [`variants.${at}.price`],
      ),
  ],
  [
    { each: 'variants', that: '$exists(price) or $exists($record.price.salePrice)' },
    ({ variants = [], price: { salePrice } = {} }) =>
      variants.flatMap(({ price }, at) =>
        price === undefined && salePrice === undefined ? [`variants.${at}.price`] : [],
      ),
  ],
];

test.each(RULES)('check %j fails exactly where JavaScript says so', (rule, failures) => {
  const check = checking(rule);
  fc.assert(
    fc.property(product, (given) => {
      const payload = JSON.parse(JSON.stringify(given)) as JsonObject;
      const before = structuredClone(payload);
      const fields = check(payload).issues.map(({ field }) => field);
      expect(fields).toEqual(failures(given));
      expect(payload).toEqual(before);
    }),
    { numRuns: scaledRuns(500) },
  );
});
