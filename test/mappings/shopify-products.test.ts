import { describe, expect, test } from 'vitest';
import { group } from '../../src/group/index.ts';
import { bind, loadPreset } from '../../src/map/index.ts';
import { messagesOf, rowsOf, tableOf } from '../support/map-rows.ts';
import { mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'shopify-products';
const payloadOf = (...rows: Record<string, string>[]) => payloadIn(PRESET, ...rows);

/** A product without options, as in every export since 2020. */
const PLAIN = {
  Handle: 'tea-pot',
  Title: 'Tea pot',
  'Body (HTML)': '<p>Iron</p>',
  Vendor: 'Fonte',
  Tags: 'tea, iron,tea',
  Published: 'true',
  'Option1 Name': 'Title',
  'Option1 Value': 'Default Title',
  'Option2 Name': '',
  'Option2 Value': '',
  'Option3 Name': '',
  'Option3 Value': '',
  'Variant SKU': "'0017",
  'Variant Grams': '800',
  'Variant Inventory Tracker': 'shopify',
  'Variant Inventory Qty': '-2',
  'Variant Inventory Policy': 'deny',
  'Variant Price': '24.90',
  'Variant Compare At Price': '',
  'Variant Requires Shipping': 'true',
  'Image Src': 'https://img.example.com/1.jpg',
  'Image Alt Text': 'Front',
  'SEO Title': 'Pot',
  'SEO Description': '',
  'Google Shopping / Google Product Category': 'Kitchen',
  'Variant Image': '',
  'Cost per item': '10',
  Status: 'active',
};

test('a product without options is a simple one with its stock number as model', () => {
  expect(payloadOf(PLAIN)).toEqual({
    name: 'Tea pot',
    reference: 'tea-pot',
    html: '<p>Iron</p>',
    productType: 'PHYSICAL',
    model: '0017',
    type: 'simple',
    tags: ['tea', 'iron'],
    seo: { title: 'Pot', googleCategory: 'Kitchen' },
    status: 'PUBLISH',
    price: { salePrice: 24.9, buyingPrice: 10 },
    quantity: { instock: -2 },
    sizes: { weight: { value: 800, unit: 'g' } },
    brand: { name: 'Fonte' },
    images: [{ src: 'https://img.example.com/1.jpg', title: 'Front' }],
  });
});

test('the column names of Shopify since 2024 give the same payload', () => {
  const names: Record<string, string> = {
    Handle: 'URL handle',
    'Body (HTML)': 'Description',
    Published: 'Published on online store',
    'Option1 Name': 'Option1 name',
    'Option1 Value': 'Option1 value',
    'Variant SKU': 'SKU',
    'Variant Grams': 'Weight value (grams)',
    'Variant Inventory Tracker': 'Inventory tracker',
    'Variant Inventory Qty': 'Inventory quantity',
    'Variant Inventory Policy': 'Continue selling when out of stock',
    'Variant Price': 'Price',
    'Variant Compare At Price': 'Compare-at price',
    'Variant Requires Shipping': 'Requires shipping',
    'Image Src': 'Product image URL',
    'Image Alt Text': 'Image alt text',
    'SEO Title': 'SEO title',
    'Google Shopping / Google Product Category': 'Google Shopping / Google product category',
    'Variant Image': 'Variant image URL',
  };
  const renamed = Object.fromEntries(
    Object.entries(PLAIN).map(([name, cell]) => [names[name] ?? name, cell]),
  );
  expect(payloadOf({ ...renamed, 'Continue selling when out of stock': 'FALSE' })).toEqual(payloadOf(PLAIN));
});

describe('a product with options', () => {
  const rows = [
    {
      ...PLAIN,
      'Option1 Name': 'Size',
      'Option1 Value': 'S',
      'Option2 Name': 'Colour',
      'Option2 Value': 'red',
      'Variant Inventory Qty': '3',
      'Variant Image': 'https://img.example.com/red.jpg',
    },
    // An image of the product, not a variant.
    { Handle: 'tea-pot', 'Image Src': 'https://img.example.com/2.jpg' },
    {
      Handle: 'tea-pot',
      'Option1 Value': 'S',
      'Option2 Value': 'blue',
      'Variant SKU': "'0018",
      'Variant Price': '20',
      'Variant Inventory Qty': '4',
      'Image Src': 'https://img.example.com/1.jpg',
      'Variant Image': 'https://img.example.com/2.jpg',
    },
  ];
  const payload = payloadOf(...rows);

  test('is variable, has no model, and its stock is that of all variants', () => {
    expect(payload).toMatchObject({ type: 'variable', quantity: { instock: 7 }, price: { salePrice: 24.9 } });
    expect(payload).not.toHaveProperty('model');
  });

  test('has each option once with each of its values once', () => {
    expect(payload.options).toEqual([
      { name: 'Size', values: [{ value1: 'S' }] },
      { name: 'Colour', values: [{ value1: 'red' }, { value1: 'blue' }] },
    ]);
  });

  test('has a variant for each row with an option value, with the names of its options', () => {
    expect(payload.variants).toEqual([
      {
        name: 'S - red',
        reference: '0017',
        option1: { name: 'Size', value1: 'S' },
        option2: { name: 'Colour', value1: 'red' },
        price: { salePrice: 24.9, buyingPrice: 10 },
        quantity: { instock: 3 },
        sizes: { weight: { value: 800, unit: 'g' } },
      },
      {
        name: 'S - blue',
        reference: '0018',
        option1: { name: 'Size', value1: 'S' },
        option2: { name: 'Colour', value1: 'blue' },
        price: { salePrice: 20 },
        quantity: { instock: 4 },
      },
    ]);
  });

  test('has the images of its rows, followed by those of its variants, each once', () => {
    expect(payload.images).toEqual([
      { src: 'https://img.example.com/1.jpg', title: 'Front' },
      { src: 'https://img.example.com/2.jpg' },
      { src: 'https://img.example.com/red.jpg' },
    ]);
  });

  test('names an option without a name by its number', () => {
    const nameless = { ...rows[0], 'Option1 Name': '', 'Option2 Name': '' };
    expect(payloadOf(nameless).options).toMatchObject([{ name: 'Option 1' }, { name: 'Option 2' }]);
  });

  test('has the prices of its first row only, not the compare price of another variant', () => {
    const [first, , last] = rows as [Record<string, string>, unknown, Record<string, string>];
    expect(payloadOf(first, { ...last, 'Variant Compare At Price': '99' }).price).toEqual({
      salePrice: 24.9,
      buyingPrice: 10,
    });
  });
});

describe('the status', () => {
  test.each([
    ['active', 'true', 'PUBLISH'],
    ['Active', 'TRUE', 'PUBLISH'],
    ['active', 'false', 'DRAFT'],
    ['active', '', 'PUBLISH'],
    ['draft', 'true', 'DRAFT'],
    ['archived', 'true', 'TRASH'],
    ['archived', 'false', 'TRASH'],
    ['unlisted', 'true', 'DRAFT'],
    ['', 'true', 'PUBLISH'],
    ['', 'false', 'DRAFT'],
    ['', '', 'DRAFT'],
  ])('%j and published %j is %s', (Status, Published, status) => {
    expect(payloadOf({ ...PLAIN, Status, Published }).status).toBe(status);
  });

  test.each([
    ['active', 'true', 'DRAFT', [expect.stringContaining('gift card')]],
    ['active', 'false', 'DRAFT', undefined],
    ['draft', 'true', 'DRAFT', undefined],
    ['archived', 'true', 'TRASH', undefined],
    ['', 'true', 'DRAFT', [expect.stringContaining('gift card')]],
  ])('%j and published %j of a gift card is %s', (Status, Published, status, expected) => {
    const { payload, warnings } = mapExport(PRESET, { ...PLAIN, 'Gift Card': 'TRUE', Status, Published });
    expect(payload.status).toBe(status);
    expect(warnings).toEqual(expected);
  });

  test('of a gift card in an export without the column is a draft', () => {
    const { Status: _status, ...before2020 } = PLAIN;
    expect(payloadOf({ ...before2020, 'Gift Card': 'true', Published: '' }).status).toBe('DRAFT');
  });

  test.each([
    ['true', 'PUBLISH'],
    ['false', 'DRAFT'],
    ['', 'PUBLISH'],
  ])('of an export without the column, published %j, is %s', (Published, status) => {
    const { Status: _status, ...before2020 } = PLAIN;
    expect(payloadOf({ ...before2020, Published }).status).toBe(status);
  });

  test('with an unknown word is an issue that lists the known words', () => {
    expect(mapExport(PRESET, { ...PLAIN, Status: 'sold' }).issues).toMatchObject([
      {
        code: 'unknown-word',
        field: 'status',
        column: 'Status',
        message: expect.stringContaining('active, draft'),
      },
    ]);
  });
});

test.each([
  [{ Type: 'Pots, iron' }, ['tea', 'iron', 'Pots, iron']],
  [{ 'Custom Product Type': 'Pots' }, ['tea', 'iron', 'Pots']],
  [{ Type: 'tea' }, ['tea', 'iron']],
  [
    { 'Product Category': 'Home > Food, Drink > Tea Pots' },
    ['tea', 'iron', 'Home', 'Food, Drink', 'Tea Pots'],
  ],
  [{ 'Product category': 'Uncategorized' }, ['tea', 'iron']],
  [{ 'Standardized Product Type': 'Home > Tea Pots', Type: '' }, ['tea', 'iron', 'Home', 'Tea Pots']],
  [{ Tags: '', Type: 'Pots' }, ['Pots']],
  [{ Tags: '', Type: '' }, undefined],
])('type and category become tags: %j', (cells, tags) => {
  expect(payloadOf({ ...PLAIN, ...(cells as Record<string, string>) }).tags).toEqual(tags);
});

describe('stock', () => {
  test.each([
    ['may be oversold', { 'Variant Inventory Policy': 'continue' }, { disabled: true }],
    ['may be oversold, with the new header', { 'Variant Inventory Policy': 'TRUE' }, { disabled: true }],
    ['is not tracked', { 'Variant Inventory Tracker': '' }, { disabled: true }],
    ['is tracked', {}, undefined],
    [
      'is neither tracked nor counted',
      { 'Variant Inventory Tracker': '', 'Variant Inventory Qty': '' },
      { disabled: true },
    ],
  ])('that %s has the right outStock', (_what, change, outStock) => {
    expect(payloadOf({ ...PLAIN, ...change }).outStock).toEqual(outStock);
  });

  test('of a file without the tracker gives no outStock', () => {
    const { 'Variant Inventory Tracker': _tracker, ...rest } = PLAIN;
    expect(payloadOf(rest)).not.toHaveProperty('outStock');
  });

  test('of several locations is not in the file, and left out', () => {
    const { 'Variant Inventory Qty': _quantity, ...rest } = PLAIN;
    expect(payloadOf(rest)).not.toHaveProperty('quantity');
  });
});

describe('of several variants', () => {
  const variant = (value: string, cells: Record<string, string>) => ({
    ...PLAIN,
    'Option1 Name': 'Size',
    'Option1 Value': value,
    ...cells,
  });
  const of = (...rows: Record<string, string>[]) =>
    payloadOf(...rows.map((cells, index) => variant(`${index}`, cells)));

  test('a negative stock of one does not reduce that of others', () => {
    expect(of({ 'Variant Inventory Qty': '-4' }, { 'Variant Inventory Qty': '3' }).quantity).toEqual({
      instock: 3,
    });
    expect(of({ 'Variant Inventory Qty': '-4' }, { 'Variant Inventory Qty': '-1' }).quantity).toEqual({
      instock: -4,
    });
  });

  test.each([
    ['may be oversold', { 'Variant Inventory Policy': 'continue' }],
    ['is not tracked', { 'Variant Inventory Tracker': '' }],
  ])('the product sells without stock if each of them %s, and not if only one does', (_what, cells) => {
    expect(of(cells, cells).outStock).toEqual({ disabled: true });
    expect(of({}, {})).not.toHaveProperty('outStock');
    const { payload, warnings } = mapExport(PRESET, variant('S', {}), variant('M', cells));
    expect(payload.outStock).toEqual({ disabled: false });
    expect(messagesOf(warnings)).toEqual([expect.stringContaining('sells on none')]);
  });

  test('the product sells without stock if one may be oversold and one is not tracked', () => {
    const cells = [{ 'Variant Inventory Policy': 'continue' }, { 'Variant Inventory Tracker': '' }];
    expect(of(...cells).outStock).toEqual({ disabled: true });
    expect(of({}, ...cells).outStock).toEqual({ disabled: false });
  });

  test('the policy decides about sales without stock if the file has no tracker', () => {
    const { 'Variant Inventory Tracker': _tracker, ...rest } = variant('S', {});
    const sold = (...policies: string[]) =>
      payloadOf(
        ...policies.map((policy, index) => ({
          ...rest,
          'Option1 Value': `${index}`,
          'Variant Inventory Policy': policy,
        })),
      ).outStock;
    expect(sold('continue', 'continue')).toEqual({ disabled: true });
    expect(sold('continue', 'deny')).toEqual({ disabled: false });
    expect(sold('deny', 'deny')).toBeUndefined();
  });

  test('the row of an image does not count as untracked', () => {
    const image = Object.fromEntries(Object.keys(PLAIN).map((name) => [name, '']));
    expect(
      payloadOf(PLAIN, { ...image, Handle: 'tea-pot', 'Image Src': 'https://a.example/2.jpg' }),
    ).not.toHaveProperty('outStock');
  });

  test('prices are compared variant by variant, and those of the product are those of the first', () => {
    const { price, variants } = of(
      { 'Variant Price': '10', 'Variant Compare At Price': '8' },
      { 'Variant Price': '10', 'Variant Compare At Price': '12' },
    );
    expect(price).toEqual({ salePrice: 10, buyingPrice: 10 });
    expect(variants).toMatchObject([
      { price: { salePrice: 10 } },
      { price: { salePrice: 10, comparePrice: 12 } },
    ]);
    expect(variants).not.toHaveProperty('0.price.comparePrice');
  });
});

test.each(['0', '24.90', '20'])('a compare price of %s beside 24.90 is left out', (compare) => {
  expect(payloadOf({ ...PLAIN, 'Variant Compare At Price': compare }).price).toEqual({
    salePrice: 24.9,
    buyingPrice: 10,
  });
});

test('a compare price that is not a number is an issue', () => {
  const { issues } = mapExport(PRESET, { ...PLAIN, 'Variant Compare At Price': 'n/a' });
  expect(issues).toMatchObject([{ code: 'not-a-number', column: 'Variant Compare At Price' }]);
});

test('empty cells give no fields', () => {
  const empty = Object.fromEntries(Object.keys(PLAIN).map((name) => [name, '']));
  expect(payloadOf({ ...empty, Handle: 'a', Title: 'A' })).toEqual({
    name: 'A',
    reference: 'a',
    type: 'simple',
    status: 'DRAFT',
  });
});

test('a price that is not a number is an issue of its row and column', () => {
  const { issues } = mapExport(PRESET, PLAIN, {
    Handle: 'tea-pot',
    'Option1 Value': 'L',
    'Variant Price': '24,90',
  });
  expect(issues).toMatchObject([
    {
      code: 'not-a-number',
      field: 'variants.0.price.salePrice',
      column: 'Variant Price',
      origin: { row: 3 },
    },
  ]);
});

test('rows with one handle are one product', async () => {
  const table = tableOf('Handle', 'Title', 'Variant Price');
  const { groupKeyOf } = bind(loadPreset(PRESET), table, ['name', 'reference']);
  const batches = (async function* () {
    yield rowsOf(table, ['a', 'A', '1'], ['a', '', '2'], ['b', 'B', '3']);
  })();
  const sizes: number[] = [];
  for await (const records of group(batches, { keyOf: groupKeyOf }))
    sizes.push(...records.map(({ rows }) => rows.length));
  expect(sizes).toEqual([2, 1]);
});
