import { describe, expect, test } from 'vitest';
import { variantFaults } from '../../src/suspect/index.ts';
import { messagesOf } from '../support/map-rows.ts';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'merchant-feed-products';
const payloadOf = (...rows: Record<string, string>[]) => payloadIn(PRESET, ...rows);

const INK = {
  id: 'INK-07',
  title: 'Blue ink',
  description: 'Dries in a minute.',
  link: 'https://shop.example.com/ink',
  image_link: 'https://cdn.example.com/ink.jpg',
  additional_image_link: '',
  availability: 'in stock',
  price: '9.50 EUR',
  sale_price: '',
  sale_price_effective_date: '',
  condition: 'new',
  item_group_id: '',
  color: 'blue',
  size: '',
  material: '',
  pattern: '',
  shipping_weight: '0.12 kg',
  inventory: '5',
  status: '',
  visibility: '',
  expiration_date: '',
};

const tee = (id: string, cells: Record<string, string>) => ({
  ...INK,
  id,
  title: `Tee ${id}`,
  item_group_id: 'TEE',
  ...cells,
});

test('an item without a group is a simple product, and its color is no option', () => {
  expect(payloadOf(INK)).toEqual({
    name: 'Blue ink',
    reference: 'INK-07',
    html: 'Dries in a minute.',
    productType: 'PHYSICAL',
    type: 'simple',
    status: 'PUBLISH',
    price: { salePrice: 9.5 },
    quantity: { instock: 5 },
    sizes: { weight: { value: 0.12, unit: 'kg' } },
    images: [{ src: 'https://cdn.example.com/ink.jpg' }],
  });
});

test('names with blanks, as Google reads them, give the same payload', () => {
  const renamed = Object.fromEntries(
    Object.entries(INK).map(([name, cell]) => [name.replaceAll('_', ' '), cell]),
  );
  expect(payloadOf(renamed)).toEqual(payloadOf(INK));
});

test('a feed without the column of groups is grouped by id, and has no variants', () => {
  const { item_group_id: _group, ...rest } = INK;
  expect(payloadOf(rest)).toEqual(payloadOf(INK));
});

test('the items of a group are variants with keys of their own', () => {
  const payload = payloadOf(
    tee('T-S', { size: 'S' }),
    tee('T-M', { size: 'M', image_link: 'https://cdn.example.com/m.jpg' }),
  );
  expect(payload).toMatchObject({
    name: 'Tee T-S',
    reference: 'TEE',
    type: 'variable',
    quantity: { instock: 10 },
    images: [{ src: 'https://cdn.example.com/ink.jpg' }, { src: 'https://cdn.example.com/m.jpg' }],
    options: [
      { name: 'Color', values: [{ value1: 'blue' }] },
      { name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] },
    ],
  });
  expect(payload.variants).toMatchObject([
    {
      name: 'blue - S',
      reference: 'T-S',
      option1: { name: 'Color', value1: 'blue' },
      option2: { name: 'Size', value1: 'S' },
    },
    { name: 'blue - M', reference: 'T-M', price: { salePrice: 9.5 }, quantity: { instock: 5 } },
  ]);
});

test('a group of one item that nothing describes is a simple product', () => {
  const payload = payloadOf(tee('T', { color: '' }));
  expect(payload).toMatchObject({ type: 'simple', reference: 'TEE' });
  expect(payload).not.toHaveProperty('variants');
});

test('several items of a group that nothing describes are variants named by their titles', () => {
  expect(payloadOf(tee('T-1', { color: '' }), tee('T-2', { color: '' }))).toMatchObject({
    type: 'variable',
    variants: [{ name: 'Tee T-1' }, { name: 'Tee T-2' }],
  });
});

test('two variants with the same attributes are found at the second', () => {
  const { payload } = mapExport(PRESET, tee('T-1', {}), tee('T-2', {}));
  expect(variantFaults(payload, false)).toMatchObject([
    { code: 'same-options', before: 'variants.0.option1.value1' },
  ]);
});

describe('the status', () => {
  test.each([
    [{}, 'PUBLISH'],
    [{ status: 'active' }, 'PUBLISH'],
    [{ status: 'archived' }, 'DRAFT'],
    [{ status: 'staging' }, 'DRAFT'],
    [{ visibility: 'published' }, 'PUBLISH'],
    [{ visibility: 'hidden' }, 'DRAFT'],
    [{ availability: 'discontinued' }, 'DRAFT'],
    [{ availability: 'out of stock' }, 'PUBLISH'],
    [{ expiration_date: '2021-01-31T00:00+00:00' }, 'DRAFT'],
    [{ expiration_date: '2999-01-31T00:00+00:00' }, 'PUBLISH'],
    [{ price: '' }, 'DRAFT'],
    [{ price: '0.00 EUR' }, 'DRAFT'],
  ])('of an item with %j is %s', (cells, status) => {
    expect(payloadOf({ ...INK, ...(cells as Record<string, string>) }).status).toBe(status);
  });

  test.each([
    [{}, {}, 'DRAFT'],
    [{ color: '' }, { color: '' }, 'DRAFT'],
    [{ size: 'S' }, { size: 'M' }, 'PUBLISH'],
    [{ size: 'S' }, { size: 'S', status: 'archived' }, 'PUBLISH'],
    [{ size: 'S' }, { size: 'S', availability: 'Discontinued' }, 'PUBLISH'],
  ])(
    'of a group of items with %j and %j is %s: nobody can choose between equal ones',
    (one, other, status) => {
      const cells = [one, other] as Record<string, string>[];
      expect(payloadOf(...cells.map((each, n) => tee(`T-${n}`, each))).status).toBe(status);
    },
  );

  test('of a group is that of its items that are shown, and hidden items are no variants', async () => {
    const hidden = tee('T-S', { size: 'S', status: 'archived' });
    const [mapped] = await gatherExport(PRESET, hidden, tee('T-M', { size: 'M', price: '12 EUR' }));
    expect(mapped?.payload).toMatchObject({
      name: 'Tee T-M',
      status: 'PUBLISH',
      price: { salePrice: 12 },
      quantity: { instock: 5 },
    });
    expect(mapped?.payload.variants).toEqual([expect.objectContaining({ reference: 'T-M' })]);
    expect(mapped?.payload.options).toContainEqual({ name: 'Size', values: [{ value1: 'M' }] });
  });

  test('of a group whose items are all hidden is DRAFT', () => {
    expect(payloadOf(tee('T-S', { status: 'archived' }), tee('T-M', { visibility: 'hidden' })).status).toBe(
      'DRAFT',
    );
  });
});

describe('a sale price', () => {
  test.each([
    ['9.50 EUR', '7.50 EUR', '', { salePrice: 7.5, comparePrice: 9.5 }],
    ['EUR 9.50', '7.50', '', { salePrice: 7.5, comparePrice: 9.5 }],
    ['9,50 EUR', '7,50 EUR', '', { salePrice: 7.5, comparePrice: 9.5 }],
    ['9.50 EUR', '9.50 EUR', '', { salePrice: 9.5 }],
    ['9.50 EUR', '12 EUR', '', { salePrice: 9.5 }],
    ['9.50 EUR', '0.0', '', { salePrice: 9.5 }],
    ['9.50 EUR', '7.50 EUR', '2026-02-01T00:00+01:00/2026-02-28T23:59+01:00', { salePrice: 9.5 }],
  ])('beside %s of %s in %j', (price, sale_price, sale_price_effective_date, expected) => {
    const cells = { price, sale_price, sale_price_effective_date };
    expect(payloadOf({ ...INK, ...cells }).price).toEqual(expected);
    expect(payloadOf(tee('T', cells))).toMatchObject({ price: expected, variants: [{ price: expected }] });
    expect(payloadOf(tee('T', cells))).not.toHaveProperty(
      'comparePrice' in expected ? 'none' : 'variants.0.price.comparePrice',
    );
  });

  test('of a feed without dates is used', () => {
    const { sale_price_effective_date: _dates, ...rest } = INK;
    expect(payloadOf({ ...rest, sale_price: '7.50 EUR' }).price).toEqual({
      salePrice: 7.5,
      comparePrice: 9.5,
    });
  });

  test('with dates causes a warning', () => {
    const cells = {
      sale_price: '7.50 EUR',
      sale_price_effective_date: '2026-02-01T00:00Z/2026-02-28T23:59Z',
    };
    expect(mapExport(PRESET, { ...INK, ...cells }).warnings).toEqual([expect.stringContaining('dates')]);
  });
});

describe('stock', () => {
  test.each([
    ['in stock', '5', { quantity: { instock: 5 } }],
    ['in_stock', '', {}],
    ['out of stock', '5', { quantity: { instock: 0 } }],
    ['out_of_stock', '', { quantity: { instock: 0 } }],
    ['backorder', '', { outStock: { disabled: true } }],
    ['preorder', '0', { quantity: { instock: 0 }, outStock: { disabled: true } }],
  ])('of an item that is %s with %j', (availability, inventory, expected) => {
    const { quantity, outStock } = payloadOf({ ...INK, availability, inventory });
    expect(JSON.parse(JSON.stringify({ quantity, outStock }))).toEqual(expected);
  });

  test('of a group is 0 only if all items are out of stock', () => {
    const out = { availability: 'out of stock', inventory: '' };
    expect(payloadOf(tee('S', out), tee('M', out)).quantity).toEqual({ instock: 0 });
    expect(payloadOf(tee('S', out), tee('M', { inventory: '' }))).not.toHaveProperty('quantity');
  });

  test('that only some variants are sold without causes a warning', () => {
    const { payload, warnings } = mapExport(
      PRESET,
      tee('S', { size: 'S' }),
      tee('M', { size: 'M', availability: 'backorder' }),
    );
    expect(payload.outStock).toEqual({ disabled: false });
    expect(messagesOf(warnings)).toEqual([expect.stringContaining('sells on none')]);
  });
});

test('an item that is not new says so in its tags', () => {
  expect(payloadOf({ ...INK, condition: 'refurbished' }).tags).toEqual(['refurbished']);
});

test('the text with HTML is that of the page, and the other one stays beside it', () => {
  expect(payloadOf({ ...INK, rich_text_description: '<b>Blue</b>' })).toMatchObject({
    html: '<b>Blue</b>',
    description: 'Dries in a minute.',
  });
});

test('further images are separated by commas, or have numbered columns', () => {
  const cells = {
    additional_image_link: 'https://cdn.example.com/2.jpg, https://cdn.example.com/ink.jpg',
    'additional_image_link[0]': 'https://cdn.example.com/3.jpg',
  };
  expect(payloadOf({ ...INK, ...cells }).images).toEqual(
    ['ink', '2', '3'].map((name) => ({ src: `https://cdn.example.com/${name}.jpg` })),
  );
});

test.each(['a few EUR', '1,299.00 EUR'])('a price of %j is an issue', (price) => {
  expect(mapExport(PRESET, { ...INK, price }).issues).toMatchObject([
    { code: 'not-a-number', column: 'price' },
  ]);
});
