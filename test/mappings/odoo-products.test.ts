import { describe, expect, test } from 'vitest';
import { mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'odoo-products';
type Cells = Record<string, string>;

const DICE: Cells = {
  id: '__export__.product_template_1',
  name: 'Oak dice',
  default_code: 'DICE-6',
  type: 'Goods',
  list_price: '12.5',
  standard_price: '6.2',
  categ_id: 'All / Saleable',
  public_categ_ids: 'Games,Gifts',
  product_tag_ids: 'oak,winter',
  description_sale: 'Six.',
  sale_ok: 'True',
  active: 'True',
  is_published: 'True',
  is_storable: 'True',
  qty_available: '42',
  uom_id: 'Units',
  weight: '0.08',
};
const payloadOf = (more: Cells = {}) => payloadIn(PRESET, { ...DICE, ...more });

test('the cost is what the shop pays, and not a price', () => {
  expect(payloadOf()).toEqual({
    name: 'Oak dice',
    reference: 'DICE-6',
    html: 'Six.',
    productType: 'PHYSICAL',
    type: 'simple',
    tags: ['oak', 'winter'],
    collections: ['Games', 'Gifts'],
    status: 'PUBLISH',
    price: { salePrice: 12.5, buyingPrice: 6.2 },
    quantity: { instock: 42, unit: 'Units' },
    sizes: { weight: { value: 0.08 } },
  });
});

test.each([
  ['English', ['Internal Reference', 'Sales Price', 'Sale Description', 'Product Type', 'Goods']],
  ['German', ['Interne Referenz', 'Verkaufspreis', 'Verkaufsbeschreibung', 'Produktart', 'Lagerprodukt']],
])(
  'labels in %s give the same fields',
  (_language, [code = '', price = '', text = '', type = '', goods = '']) => {
    const labels = {
      Name: 'Oak dice',
      [code]: 'DICE-6',
      [price]: '12.5',
      [text]: 'Six.',
      [type]: goods,
      Cost: '6.2',
    };
    expect(payloadIn(PRESET, labels)).toEqual({
      name: 'Oak dice',
      reference: 'DICE-6',
      html: 'Six.',
      productType: 'PHYSICAL',
      type: 'simple',
      status: 'DRAFT',
      price: { salePrice: 12.5, buyingPrice: 6.2 },
    });
  },
);

test('the external id stands in for a missing reference', () => {
  expect(payloadOf({ default_code: '' }).reference).toBe('__export__.product_template_1');
});

test('the text for the website comes before that for quotations', () => {
  expect(payloadOf({ description_ecommerce: '<p>Oak</p>' }).html).toBe('<p>Oak</p>');
});

test('the internal category is used if there is none for buyers', () => {
  expect(payloadOf({ public_categ_ids: '' }).collections).toEqual(['All / Saleable']);
});

test('a service is not shipped', () => {
  expect(payloadOf({ type: 'Service' }).productType).toBeUndefined();
});

test('a price to compare with counts only if it is higher', () => {
  expect(payloadOf({ compare_list_price: '15' }).price).toMatchObject({ salePrice: 12.5, comparePrice: 15 });
  expect(payloadOf({ compare_list_price: '12.5' }).price).not.toHaveProperty('comparePrice');
  expect(payloadOf({ compare_list_price: '0' }).price).not.toHaveProperty('comparePrice');
});

describe('stock', () => {
  test('what is oversold has none', () => {
    expect(payloadOf({ qty_available: '-3' }).quantity).toEqual({ instock: 0, unit: 'Units' });
  });

  test('a product that is not tracked is sold without stock', () => {
    const { quantity, outStock } = payloadOf({ is_storable: 'False', qty_available: '0' });
    expect([quantity, outStock]).toEqual([{ unit: 'Units' }, { disabled: true }]);
  });
});

describe('status', () => {
  test.each([
    ['a product that is not sold', { sale_ok: 'False' }, 0],
    ['an archived product', { active: 'False' }, 0],
    ['a product that is not on the website', { is_published: 'False' }, 0],
    ['a combo', { type: 'Combo' }, 1],
    ['a product with attributes', { 'attribute_line_ids/attribute_id': 'Size' }, 1],
    ['a product without a price', { list_price: '' }, 1],
    ['a product that may be on the website or not', { is_published: '' }, 1],
  ])('%s is a draft', (_what, more: Cells, warned) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...more });
    expect([payload.status, warnings.length]).toEqual(['DRAFT', warned]);
  });
});
