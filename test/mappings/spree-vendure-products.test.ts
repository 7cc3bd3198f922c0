import { describe, expect, test } from 'vitest';
import { gatherExport, payloadOf } from './read-export.ts';

describe('products of Spree', () => {
  const PRODUCT = {
    slug: 'tee',
    sku: 'TEE',
    name: 'Tee',
    price: '0',
    compare_at_price: '',
    currency: 'EUR',
    status: 'active',
    option1_name: '',
    option1_value: '',
    inventory_count: '',
    inventory_backorderable: '',
    track_inventory: '',
    image1_src: 'https://img.example.com/tee.jpg',
  };
  const VARIANT = {
    ...PRODUCT,
    ...{ sku: 'TEE-S', name: '', status: '', price: '19.00', option1_name: 'Size', option1_value: 'S' },
    ...{ inventory_count: '4', inventory_backorderable: 'FALSE', track_inventory: 'TRUE', image1_src: '' },
  };

  test('the price is that of the first variant, not the zero of the product', () => {
    const { price, variants } = payloadOf('spree-products', PRODUCT, VARIANT);
    expect(price).toEqual({ salePrice: 19 });
    expect(variants).toHaveLength(1);
  });

  test('a free product keeps its zero', () => {
    expect(payloadOf('spree-products', PRODUCT).price).toEqual({ salePrice: 0 });
  });

  test('a price to compare with counts only if it is higher', () => {
    const price = (compare: string) =>
      payloadOf('spree-products', { ...PRODUCT, price: '10', compare_at_price: compare }).price;
    expect(price('12')).toEqual({ salePrice: 10, comparePrice: 12 });
    expect(price('10')).toEqual({ salePrice: 10 });
  });

  test('a row in another currency is no variant, and does not change the price, wherever it is', async () => {
    const dollars = {
      ...VARIANT,
      price: '25.00',
      currency: 'USD',
      option1_name: '',
      option1_value: '',
      inventory_count: '',
    };
    const other = { ...PRODUCT, slug: 'cap', name: 'Cap', price: '9' };
    const found = await gatherExport('spree-products', PRODUCT, VARIANT, dollars, other);
    expect(found[0]?.payload).toMatchObject({ price: { salePrice: 19 }, quantity: { instock: 4 } });
    expect(found[0]?.payload.variants).toHaveLength(1);
  });

  test('only if all variants can be backordered, the product sells without stock', () => {
    const backorder = { ...VARIANT, sku: 'TEE-M', option1_value: 'M', inventory_backorderable: 'TRUE' };
    expect(payloadOf('spree-products', PRODUCT, backorder).outStock).toEqual({ disabled: true });
    expect(payloadOf('spree-products', PRODUCT, VARIANT, backorder).outStock).toEqual({ disabled: false });
    expect(payloadOf('spree-products', PRODUCT, VARIANT).outStock).toBeUndefined();
  });

  test.each([
    ['active', 'PUBLISH'],
    ['draft', 'DRAFT'],
    ['archived', 'TRASH'],
    ['', 'DRAFT'],
  ])('the status %j is %s', (status, state) => {
    expect(payloadOf('spree-products', { ...PRODUCT, status }).status).toBe(state);
  });
});

describe('products of Vendure', () => {
  const ROW = {
    name: 'Laptop',
    slug: 'laptop',
    description: 'Fast',
    assets: 'a.jpg|https://img.example.com/b.jpg',
    facets: 'category:Computers|brand:Quince|category:Office',
    optionGroups: 'screen size|RAM',
    optionValues: '13 inch|8GB',
    sku: 'L-1308',
    price: '1299.00',
    stockOnHand: '5',
    trackInventory: '',
    variantAssets: '',
  };
  const FURTHER = {
    ...Object.fromEntries(Object.keys(ROW).map((name) => [name, ''])),
    ...{ optionValues: '15 inch|8GB', sku: 'L-1508', price: '1399.00', stockOnHand: '2' },
  };

  test('the values of a row belong to the groups of the product by their place', () => {
    const { options, variants } = payloadOf('vendure-products', ROW, FURTHER);
    expect(options).toEqual([
      { name: 'screen size', values: [{ value1: '13 inch' }, { value1: '15 inch' }] },
      { name: 'RAM', values: [{ value1: '8GB' }] },
    ]);
    expect(variants).toMatchObject([
      { name: '13 inch - 8GB', reference: 'L-1308', option2: { name: 'RAM', value1: '8GB' } },
      { name: '15 inch - 8GB', reference: 'L-1508', option1: { name: 'screen size', value1: '15 inch' } },
    ]);
  });

  test('facets are collections and the brand', () => {
    expect(payloadOf('vendure-products', ROW)).toMatchObject({
      collections: ['Computers', 'Office'],
      brand: { name: 'Quince' },
    });
    const plain = payloadOf('vendure-products', { ...ROW, facets: 'colour:red' });
    expect(plain).not.toHaveProperty('brand');
    expect(plain).not.toHaveProperty('collections');
  });

  test('a product without a slug gets one from its name', () => {
    expect(payloadOf('vendure-products', { ...ROW, slug: '', name: 'Mabef M/02 Easel' }).reference).toBe(
      'mabef-m-02-easel',
    );
  });

  test('stock that is not tracked is not counted', () => {
    const single = { ...ROW, optionGroups: '', optionValues: '' };
    expect(payloadOf('vendure-products', { ...single, trackInventory: 'false' })).toMatchObject({
      outStock: { disabled: true },
    });
    const { quantity, outStock } = payloadOf('vendure-products', ROW, { ...FURTHER, trackInventory: '0' });
    expect(quantity).toEqual({ instock: 5 });
    expect(outStock).toEqual({ disabled: false });
  });
});
