import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from '../../src/model/index.ts';
import { customers } from '../../src/resources/customers.ts';
import { discounts } from '../../src/resources/discounts.ts';
import type { Resource } from '../../src/resources/index.ts';
import { products } from '../../src/resources/products.ts';
import { suppliers } from '../../src/resources/suppliers.ts';
import {
  createValidator,
  type LocateField,
  requiredFields,
  type ValidateOptions,
} from '../../src/validate/index.ts';

const WHOLE: ValidateOptions = { partial: false, suppliedLater: [] };
const nowhere: LocateField = () => ({});

/** `[code, message, field]` of each issue. */
function found(resource: Resource, payload: object, options = WHOLE, locate = nowhere) {
  const issues = createValidator(resource, options)(payload as JsonObject, locate);
  return issues.map(({ code, message, field }) => [code, message, field]);
}

const product = { name: 'Tea', reference: 'T' };
const customer = { storeId: 's', firstname: 'Y', lastname: 'B' };

describe('an invalid payload has messages in plain words', () => {
  test.each([
    [
      { price: { salePrice: '5' } },
      'wrong-type',
      'price.salePrice must be a number, found "5"',
      'price.salePrice',
    ],
    [{ name: 5 }, 'wrong-type', 'name must be text, found 5', 'name'],
    [{ seo: { hide: 'no' } }, 'wrong-type', 'seo.hide must be true or false, found "no"', 'seo.hide'],
    [{ tags: 'a' }, 'wrong-type', 'tags must be a list, found "a"', 'tags'],
    [{ price: [] }, 'wrong-type', 'price must be an object, found []', 'price'],
    [{ price: null }, 'wrong-type', 'price must be an object, found null', 'price'],
    [
      { images: [{ src: 'https://x.example' }, 'b'] },
      'wrong-type',
      'images.1 must be an object, found "b"',
      'images.1',
    ],
    [{ tags: ['a', 5] }, 'wrong-type', 'tags.1 must be text, found 5', 'tags.1'],
    [
      { bookingProps: { firstAddresses: [{ country: { dialCode: true } }] } },
      'wrong-type',
      'bookingProps.firstAddresses.0.country.dialCode must be text or a number, found true',
      'bookingProps.firstAddresses.0.country.dialCode',
    ],
    [
      { status: 'LIVE' },
      'not-allowed',
      'status cannot be "LIVE"; use one of: DRAFT, PUBLISH, TRASH',
      'status',
    ],
    [
      { images: [{ src: 'a.png' }] },
      'not-accepted',
      'images.0.src is "a.png"; it must be a web address that begins with http:// or https://',
      'images.0.src',
    ],
    [{ nme: 'x' }, 'unknown-field', 'the payload has no field "nme"', ''],
    [{ price: { sale: 1, buy: 2 } }, 'unknown-field', 'price has no field "sale", "buy"', 'price'],
    [{ name: '' }, 'required', 'name is missing: the file has no column for it', 'name'],
    [
      { html: 5, tags: ['x'.repeat(90)], name: { a: 'x'.repeat(90) } },
      'wrong-type',
      `name must be text, found {"a":"${'x'.repeat(71)}…`,
      'name',
    ],
  ])('%j', (change, code, message, field) => {
    expect(found(products, { ...product, ...change })).toContainEqual([code, message, field]);
  });

  test('for dates, whole numbers and unforeseen codes too', () => {
    const schema = z.strictObject({
      since: z.iso.datetime({ offset: true }),
      rating: z.int(),
      many: z.array(z.string()).max(1),
    });
    const resource: Resource = { name: 'things', singular: 'thing', schema, columns: [] };
    expect(found(resource, { since: '31/01/2026', rating: 4.5, many: ['a', 'b'] })).toEqual([
      [
        'not-a-date',
        'since is "31/01/2026", not a date and time; write it like 2026-01-31T09:30:00Z',
        'since',
      ],
      ['wrong-type', 'rating must be a whole number, found 4.5', 'rating'],
      ['not-accepted', expect.stringMatching(/^many: ./), 'many'],
    ]);
  });

  test('for all issues at once', () => {
    expect(
      found(products, { status: 'x', price: { salePrice: 'y' } })
        .map(([code]) => code)
        .sort(),
    ).toEqual(['not-allowed', 'required', 'required', 'wrong-type']);
  });

  test('a choice without a value is missing, not wrong', () => {
    expect(found(discounts, { code: 'A', storeId: 'S' })).toEqual([
      ['required', expect.stringContaining('type is missing: '), 'type'],
    ]);
  });

  test('a valid payload has no issues', () => {
    expect(found(products, product)).toEqual([]);
    expect(found(customers, customer)).toEqual([]);
  });

  test('infinity and not-a-number are no numbers', () => {
    for (const salePrice of [Number.POSITIVE_INFINITY, Number.NaN])
      expect(found(products, { ...product, price: { salePrice } })).toEqual([
        ['wrong-type', 'price.salePrice must be a number, found null', 'price.salePrice'],
      ]);
  });
});

describe('the place of an issue', () => {
  const place = { column: 'Variant Price', origin: { file: 'shop.csv', row: 4, line: 9 } };
  const asked: string[] = [];
  beforeEach(() => {
    asked.length = 0;
  });
  const locate: LocateField = (field) => {
    asked.push(field);
    return place;
  };

  test('is the column and the row from which the field is mapped', () => {
    const issues = createValidator(products, WHOLE)({ ...product, price: { salePrice: 'x' } }, locate);
    expect(issues).toEqual([
      {
        code: 'wrong-type',
        message: 'price.salePrice must be a number, found "x"',
        field: 'price.salePrice',
        ...place,
      },
    ]);
    expect(asked).toEqual(['price.salePrice']);
  });

  test('shows for a missing value whether there is a cell to fill', () => {
    expect(found(products, { reference: 'T' }, WHOLE, locate)).toEqual([
      ['required', 'name is missing: fill this cell', 'name'],
    ]);
    expect(found(products, { reference: 'T' })).toEqual([
      ['required', 'name is missing: the file has no column for it', 'name'],
    ]);
  });

  test('is not looked up for a valid payload', () => {
    createValidator(products, WHOLE)(product, locate);
    expect(asked).toEqual([]);
  });
});

describe('a field that is required under a condition', () => {
  const supplier = { storeId: 's', name: 'A', address1: 'Street 1' };

  test.each([
    [{}, 0],
    [{ connectable: false }, 0],
    [{ connectable: true, route: 'r' }, 0],
    [{ connectable: true }, 1],
    [{ connectable: true, route: '' }, 1],
  ])('a supplier with %j has %i issues', (change, issues) => {
    expect(found(suppliers, { ...supplier, ...change })).toHaveLength(issues);
  });

  test('is named with its condition, beside other issues', () => {
    expect(found(suppliers, { ...supplier, name: 5, connectable: true })).toEqual([
      ['wrong-type', 'name must be text, found 5', 'name'],
      [
        'required',
        'route is missing, and it is required when connectable is true: the file has no column for it',
        'route',
      ],
    ]);
  });

  test('may be missing in an update, since the store can have it', () => {
    expect(found(suppliers, { connectable: true }, { partial: true, suppliedLater: [] })).toEqual([]);
  });
});

describe('required fields', () => {
  const later = { partial: false, suppliedLater: ['storeId'] };
  const partial = { partial: true, suppliedLater: [] };

  test.each([
    [products, WHOLE, ['name', 'reference']],
    [products, partial, []],
    [customers, WHOLE, ['storeId', 'firstname', 'lastname']],
    [customers, later, ['firstname', 'lastname']],
    [customers, { partial: true, suppliedLater: ['storeId'] }, []],
  ])('of $name with %j: %j', (resource, options, fields) => {
    expect(requiredFields(resource, options)).toEqual(fields);
  });

  test('may be absent if they are supplied later, but not wrong', () => {
    const { storeId: _storeId, ...rest } = customer;
    expect(found(customers, rest, later)).toEqual([]);
    expect(found(customers, { ...rest, storeId: 5 }, later)).toEqual([
      ['wrong-type', 'storeId must be text, found 5', 'storeId'],
    ]);
    expect(found(customers, { ...rest, nme: 'x' }, later)).toEqual([
      ['unknown-field', 'the payload has no field "nme"', ''],
    ]);
    expect(found(customers, rest)).toHaveLength(1);
  });

  test('are not needed in an update, but given fields must be valid', () => {
    expect(found(products, { price: { salePrice: 5 } }, partial)).toEqual([]);
    expect(found(products, {}, partial)).toEqual([]);
    expect(found(products, { name: '' }, partial)).toHaveLength(1);
    expect(
      found(products, { status: 'LIVE', nme: 'x' }, partial)
        .map(([code]) => code)
        .sort(),
    ).toEqual(['not-allowed', 'unknown-field']);
  });
});
