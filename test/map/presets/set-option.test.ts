import { describe, expect, test } from 'vitest';
import { withConstants } from '../../../src/map/index.ts';
import { nativeMapping } from '../../../src/map/presets/native.ts';
import { products } from '../../../src/resources/products.ts';
import { payloadOf, productMapping, refusal, tableOf } from '../../support/map-rows.ts';

const mapping = productMapping({ name: 'Title', 'price.salePrice': 'P', 'price.buyingPrice': 'C' });

function set(constants: Record<string, string>) {
  return payloadOf(withConstants(mapping, constants), ['Title', 'P', 'C'], ['Tea', '1', '2']);
}

describe('constants for all records', () => {
  test('add fields, and replace fields that the mapping fills', () => {
    expect(set({ 'brand.name': 'Fonte', name: 'Pot' })).toEqual({
      name: 'Pot',
      price: { salePrice: 1, buyingPrice: 2 },
      brand: { name: 'Fonte' },
    });
    expect(set({ 'price.salePrice': '9' }).price).toEqual({ salePrice: 9, buyingPrice: 2 });
    expect(set({ price: '{"comparePrice":3}' }).price).toEqual({ comparePrice: 3 });
    expect(withConstants(mapping, {})).toBe(mapping);
  });

  test.each([
    ['quantity.instock', '0', { quantity: { instock: 0 } }],
    ['seo.hide', 'no', { seo: { hide: false } }],
    ['reference', '0017', { reference: '0017' }],
    ['model', '', { model: '' }],
    ['status', 'DRAFT', { status: 'DRAFT' }],
    ['tags', 'a|b', { tags: ['a', 'b'] }],
    ['tags', '["a"]', { tags: ['a'] }],
    ['images.0.src', 'https://x.example/a.png', { images: [{ src: 'https://x.example/a.png' }] }],
    ['outStock.disabled', 'true', { outStock: { disabled: 'true' } }],
  ])('%s=%s is parsed by the type of the field', (name, text, fields) => {
    expect(set({ [name]: text })).toMatchObject(fields);
  });

  test('are set even if all cells are empty', () => {
    expect(payloadOf(withConstants(mapping, { model: 'x' }), ['Title'], [''])).toEqual({ model: 'x' });
  });

  test.each([
    ['nme', 'x', 'product has no field "nme". Did you mean "name"?'],
    ['__proto__', 'x', 'product has no field "__proto__".'],
    ['price.salePrice', '1,5', '--set price.salePrice: "1,5" is not a number; write it like 1234.50.'],
    ['seo.hide', 'maybe', '--set seo.hide: "maybe" is neither yes nor no; write TRUE or FALSE.'],
    [
      'status',
      'draft',
      '--set status: it is one of DRAFT, PUBLISH, TRASH, not "draft". Did you mean "DRAFT"?',
    ],
    ['price', '5', '--set price: "5" does not fit there: a value of type object is expected.'],
    [
      'images.0.src',
      'foo',
      '--set images.0.src: "foo" does not fit there: a web address that begins with http:// or https:// is expected.',
    ],
    ['tags.0.x', 'a', 'product has no field "tags.0.x".'],
  ])('%s=%s is refused', (name, text, message) => {
    expect(refusal(() => withConstants(mapping, JSON.parse(`{"${name}":"${text}"}`))).message).toBe(message);
  });

  test('invalid JSON is refused', () => {
    expect(refusal(() => withConstants(mapping, { price: '5,' })).message).toMatch(
      /^--set price: "5," is not JSON: /,
    );
  });

  test('are refused inside a value that the mapping fills as a whole, since they would be lost', () => {
    const whole = productMapping({
      images: { each: 'row', fields: { src: 'I' } },
      brand: { from: 'B', json: true },
    });
    expect(refusal(() => withConstants(whole, { 'brand.name': 'x' }))).toEqual({
      message: '--set brand.name: "brand" is filled as a whole already.',
      hints: ['Set brand instead, as JSON, or change the mapping mine.'],
    });
    for (const constants of [
      { 'images.0.src': 'https://a.example/1.jpg' },
      { price: '{}', 'price.salePrice': '1' },
    ])
      expect(refusal(() => withConstants(whole, constants)).message).toMatch(
        /is filled as a whole already\.$/,
      );
    expect(refusal(() => withConstants(whole, { price: '{}', 'price.salePrice': '1' })).hints).toEqual([
      'Set one of the two: price, as JSON, or fields inside it.',
    ]);
  });

  test('work with the native form', () => {
    const native = withConstants(nativeMapping(tableOf('name', 'tags'), products), { tags: 'x' });
    expect(payloadOf(native, ['name', 'tags'], ['Tea', 'a|b'])).toEqual({ name: 'Tea', tags: ['x'] });
  });
});
