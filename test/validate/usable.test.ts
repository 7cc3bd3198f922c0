import { describe, expect, test } from 'vitest';
import { type JsonObject, NO_VALUE_TEXTS } from '../../src/model/index.ts';
import { customers } from '../../src/resources/customers.ts';
import { discounts } from '../../src/resources/discounts.ts';
import type { Resource } from '../../src/resources/index.ts';
import { orders } from '../../src/resources/orders.ts';
import { products } from '../../src/resources/products.ts';
import { suppliers } from '../../src/resources/suppliers.ts';
import { createUsableCheck } from '../../src/validate/index.ts';

/** `code (field)` of each issue. */
function issuesOf(resource: Resource, payload: JsonObject): string[] {
  const place = { column: 'C', origin: { file: 'f.csv', row: 2, line: 2 } };
  const issues = createUsableCheck(resource)(payload, () => place);
  for (const issue of issues) expect(issue).toMatchObject(place);
  return issues.map(({ code, field }) => `${code} (${field})`);
}

describe('a required field or a key cannot be a word for no value', () => {
  test.each(NO_VALUE_TEXTS)('%s', (name) => {
    expect(issuesOf(products, { name, reference: 'R' })).toEqual(['no-value (name)']);
    expect(issuesOf(products, { name: 'N', reference: name, description: name })).toEqual([
      'no-value (reference)',
    ]);
  });

  test.each([
    [suppliers, { name: 'nan', address1: '#N/A', phone: 'NULL' }, ['name', 'address1']],
    [discounts, { code: 'None', type: 'percentage' }, ['code']],
    [
      customers,
      { firstname: 'null', lastname: '#REF!', email: 'a@b.example', phone: 'NULL' },
      ['firstname', 'lastname'],
    ],
    [customers, { firstname: 'A', lastname: 'B', phone: 'NULL' }, ['phone']],
  ] as const)('of $0.name', (resource, payload, fields) => {
    expect(issuesOf(resource, payload)).toEqual(fields.map((field) => `no-value (${field})`));
  });

  test('with blanks around it, as spreadsheets pad cells', () => {
    expect(issuesOf(products, { name: ' #N/A ', reference: 'NULL\t' })).toEqual([
      'no-value (name)',
      'no-value (reference)',
    ]);
  });

  test.each(['Null', 'Nan', 'none', 'N/A', '#1', 'NULL Ltd', '#N/A!', 'Undefined', 'Nullmeier', '-'])(
    'except %s, which is a name',
    (name) => {
      expect(issuesOf(customers, { firstname: name, lastname: name })).toEqual([]);
    },
  );
});

describe('a mail address that cannot be delivered to is an issue', () => {
  test.each([
    'eve@@example.com',
    'max at x',
    'a@b@c',
    '@x',
    'x@',
    'Max <max@x.example>',
    'a@b c',
    'eve@localhost',
    'eve@example.com.',
    '-',
    'NULL',
  ])('invalid: %s', (email) => {
    expect(issuesOf(customers, { firstname: 'A', lastname: 'B', email, phone: '1' })).toContainEqual(
      expect.stringMatching(/\(email\)$/),
    );
    expect(issuesOf(orders, { customer: { email }, details: [] })).toEqual([
      'not-a-mail-address (customer.email)',
    ]);
  });

  test.each(['a@b.example', "o'neil+x@sub.example.com", 'größe@müller.example', 'A.B@EXAMPLE.COM'])(
    'valid: %s',
    (email) => {
      expect(issuesOf(customers, { firstname: 'A', lastname: 'B', email })).toEqual([]);
    },
  );

  test('a mail address may be missing', () => {
    expect(issuesOf(customers, { firstname: 'A', lastname: 'B' })).toEqual([]);
    expect(issuesOf(customers, { firstname: 'A', lastname: 'B', email: '' })).toEqual([]);
  });
});

describe('a phone number that identifies a customer', () => {
  const name = { firstname: 'A', lastname: 'B' };
  test.each(['abc', 'none', '-', '12', '000 000', 'a1b2@c3.example'])('cannot be %s', (phone) => {
    expect(issuesOf(customers, { ...name, phone })).toEqual(['not-a-phone-number (phone)']);
    expect(issuesOf(customers, { ...name, phone, email: 'a@b.example' })).toEqual([]);
  });

  test.each(['112', '+33 1 99 00 12 34', 'Tel. (030) 99-00, ext. 12', '1-800-FLOWERS', '٠١٢٣٤٥', '100200'])(
    'can be %s',
    (phone) => {
      expect(issuesOf(customers, { ...name, phone })).toEqual([]);
    },
  );
});

test('a discount that ends before it begins is an issue', () => {
  const discount = { code: 'C', type: 'percentage', startDate: '2026-03-01T00:00:00Z' };
  const ends = (endDate: string) => issuesOf(discounts, { ...discount, endDate });
  expect(ends('2026-02-28T23:00:00Z')).toEqual(['ends-before-start (endDate)']);
  expect(ends('2026-03-01T00:00:00Z')).toEqual([]);
  // The same time in another zone.
  expect(ends('2026-02-28T23:00:00-01:00')).toEqual([]);
  expect(issuesOf(discounts, { endDate: '2026-02-28T23:00:00Z' })).toEqual([]);
});

describe('no price is below 0', () => {
  test('of a product and of its variants, in any form of the variants', () => {
    const price = { salePrice: -1, comparePrice: 0, buyingPrice: -0.5 };
    const variants = [{ price: -3 }, { price: { salePrice: -2 } }, { price: 4 }, null, 'x', [-1]];
    expect(issuesOf(products, { name: 'N', reference: 'R', price, variants })).toEqual([
      'below-zero (price.buyingPrice)',
      'below-zero (price.salePrice)',
      'below-zero (variants.0.price)',
      'below-zero (variants.1.price.salePrice)',
    ]);
  });

  test('nor the value of a discount, but stock may be negative', () => {
    const discount = { code: 'C', type: 'percentage', percentage: -10, value: -5 };
    expect(issuesOf(discounts, discount)).toEqual(['below-zero (percentage)', 'below-zero (value)']);
    expect(issuesOf(products, { name: 'N', reference: 'R', quantity: { instock: -4 } })).toEqual([]);
  });

  test('a blank that clears a price in an update is not checked', () => {
    expect(issuesOf(products, { price: null })).toEqual([]);
    expect(issuesOf(products, { price: { salePrice: null } })).toEqual([]);
  });
});
