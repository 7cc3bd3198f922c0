import { describe, expect, test } from 'vitest';
import { bind, parseMapping } from '../../../src/map/index.ts';
import { VALUE_SOURCES } from '../../../src/map/syntax/rules/parse-rule.ts';
import { type FieldType, fieldType, importable } from '../../../src/resources/index.ts';
import { payloadOf, refusal, tableOf } from '../../support/map-rows.ts';

/** Mistakes in a mapping of products with these fields, from line 3 on. */
function mistakesIn(...fields: string[]): readonly string[] {
  const text = ['resource: products', 'fields:', ...fields.map((line) => `  ${line}`)].join('\n');
  return refusal(() => parseMapping('mine', text)).hints;
}

describe('fields inside an object', () => {
  const header = ['SKU', 'Price', 'Old', 'Brand', 'Site', 'Size'];
  const row = ['A', '12.50', '15', 'Acme', 'https://acme.example', 'S'];

  test('are the same as with dots, at any depth, also in lists', () => {
    const dotted = {
      reference: 'SKU',
      'price.salePrice': 'Price',
      'price.comparePrice': { from: 'Old', number: true },
      'bookingProps.guest.hasGuest': { const: true },
      'brand.name': 'Brand',
      'brand.links.site': ['None', 'Site'],
      variants: { each: 'row', fields: { name: 'Size', 'price.salePrice': { from: 'Price', number: true } } },
    };
    const nested = {
      reference: 'SKU',
      price: { salePrice: 'Price' },
      'price.comparePrice': { from: 'Old', number: true },
      bookingProps: { guest: { hasGuest: { const: true } } },
      brand: { name: 'Brand', 'links.site': ['None', 'Site'] },
      variants: {
        each: 'row',
        fields: { name: 'Size', price: { salePrice: { from: 'Price', number: true } } },
      },
    };
    expect(payloadOf(nested, header, row)).toEqual(payloadOf(dotted, header, row));
    expect(payloadOf(nested, header, row)).toMatchObject({
      price: { salePrice: 12.5, comparePrice: 15 },
      brand: { name: 'Acme', links: { site: 'https://acme.example' } },
      variants: [{ price: { salePrice: 12.5 } }],
    });
  });

  test('have places of their own in messages', () => {
    expect(mistakesIn('price:', '  salesPrice: Price', '  comparePrice: { from: Old, splitt: "," }')).toEqual(
      [
        'line 4, column 5: product has no field "price.salesPrice". Did you mean "price.salePrice"?',
        'line 5, column 32: "splitt" is not known here. Did you mean "split"?',
      ],
    );
  });

  test('are refused if a dotted field says the same, or the whole object', () => {
    expect(mistakesIn('price: { salePrice: Price }', 'price.salePrice: Old')).toEqual([
      'line 4, column 3: price.salePrice is given twice: keep one of the two.',
    ]);
    expect(
      mistakesIn('bookingProps: { guest: { from: G, json: true } }', 'bookingProps.guest.min: M'),
    ).toEqual([
      'line 4, column 3: "bookingProps.guest.min" is inside "bookingProps.guest", which is mapped as a whole.',
    ]);
    expect(mistakesIn('brand: { links: { site: Site } , "links.site": Site }')).toEqual([
      'line 3, column 36: brand.links.site is given twice: keep one of the two.',
    ]);
  });
});

describe('an object is a rule', () => {
  test.each([
    [
      'brand: { name: Brand, from: Country }',
      '"name" is not known here. Did you mean "case"? For a field inside brand, write brand.name.',
    ],
    [
      'price: { from: Prices, json: true, salePrice: Price }',
      '"salePrice" is not known here. For a field inside price, write price.salePrice.',
    ],
    ['price: { from: Prices, requird: true }', '"requird" is not known here. Did you mean "required"?'],
    [
      'brand.sites: { each: row, fields: { name: Site }, size: Size }',
      '"size" is not known here. For a field inside brand.sites, write brand.sites.size.',
    ],
  ])('if it names a source: %s', (line, message) => {
    expect(mistakesIn(line).map((hint) => hint.slice(hint.indexOf(': ') + 2))).toContain(message);
  });

  test.each([
    ['brand: { url: Site }', ' For a field inside brand, write brand.url.'],
    ['brand: { url: Site, name: Brand }', ' For a field inside brand, write brand.url.'],
    ['brand: { form: Brand }', ' For a field inside brand, write brand.form.'],
    ['brand: {}', ''],
    ['name: { first: Brand }', ''],
  ])('if it may be one, and is refused: %s', (line, advice) => {
    expect(mistakesIn(line)[0]).toMatch(/needs one of from, const, template, expression; it has none\./);
    expect(mistakesIn(line)[0]?.endsWith(`none.${advice}`)).toBe(true);
  });

  test('is one with each or all, unless the API document names such a field', () => {
    const mapping = (limits: string) =>
      parseMapping('mine', `resource: discounts\nfields: { code: C, type: T, limits: ${limits} }`);
    expect(
      bind(mapping('{ all: Total, per_customer: Each }'), tableOf('C', 'T', 'Total', 'Each'), []).missing,
    ).toEqual([]);
    expect(mistakesIn('price: { all: [Price] }')).toEqual([
      'line 3, column 12: price is not a list of words, so it cannot take all.',
    ]);
  });

  test('with from, const, template or expression, since no field in the API document has such a name', () => {
    const clashes = (type: FieldType): string[] => {
      if (type.kind === 'list') return clashes(type.item);
      if (type.kind !== 'object') return [];
      return [...type.fields].flatMap(([name, field]) => [
        ...(VALUE_SOURCES.includes(name) ? [name] : []),
        ...clashes(field),
      ]);
    };
    expect(importable.flatMap(({ schema }) => clashes(fieldType(schema)))).toEqual([]);
  });
});
