import { describe, expect, test } from 'vitest';
import { messagesOf } from '../support/map-rows.ts';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'squarespace-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

const MUG: Cells = {
  'Product ID [Non Editable]': '65a1',
  'Product Type [Non Editable]': 'PHYSICAL',
  'Product URL': 'mug',
  Title: 'Mug',
  SKU: 'SQ1',
  'Option Name 1': '',
  'Option Value 1': '',
  Price: '14.50',
  'Sale Price': '0.00',
  'On Sale': 'No',
  Stock: '3',
  Categories: '',
  Tags: '',
  Weight: '0.0',
  Length: '0.0',
  Width: '0.0',
  Height: '0.0',
  Visible: 'Yes',
  'Hosted Image URLs': '',
};

/** A row that continues the product above. */
const FURTHER: Cells = {
  ...MUG,
  'Product ID [Non Editable]': '',
  'Product Type [Non Editable]': '',
  'Product URL': '',
  Title: '',
  Visible: '',
};

const coloured = (cells: Cells, colour: string, more: Cells = {}): Cells => ({
  ...cells,
  SKU: `SQ-${colour}`,
  'Option Name 1': 'Colour',
  'Option Value 1': colour,
  ...more,
});

test('a product without options is simple, and its SKU is its model', () => {
  expect(payloadOf(MUG)).toEqual({
    name: 'Mug',
    reference: 'mug',
    model: 'SQ1',
    productType: 'PHYSICAL',
    type: 'simple',
    status: 'PUBLISH',
    price: { salePrice: 14.5 },
    quantity: { instock: 3 },
  });
});

test('rows without a product ID are further variants of the product above', async () => {
  const lamp = { ...MUG, 'Product ID [Non Editable]': '65a2', 'Product URL': 'lamp', Title: 'Lamp' };
  const records = await gatherExport(PRESET, coloured(MUG, 'Red'), coloured(FURTHER, 'Blue'), lamp);
  expect(records.map(({ payload }) => payload.name)).toEqual(['Mug', 'Lamp']);
  expect(records[0]?.payload).toMatchObject({
    type: 'variable',
    quantity: { instock: 6 },
    options: [{ name: 'Colour', values: [{ value1: 'Red' }, { value1: 'Blue' }] }],
    variants: [
      { name: 'Red', reference: 'SQ-Red', option1: { name: 'Colour', value1: 'Red' } },
      { name: 'Blue', reference: 'SQ-Blue', option1: { name: 'Colour', value1: 'Blue' } },
    ],
  });
  expect(records[0]?.payload).not.toHaveProperty('model');
});

test('a product without an address of its own has its ID as the reference, never the SKU of a variant', () => {
  expect(payloadOf(coloured({ ...MUG, 'Product URL': '' }, 'Red')).reference).toBe('65a1');
});

test('up to six options give a variant its name and its values', () => {
  const cells = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].flatMap((n) => [
      [`Option Name ${n}`, `Part ${n}`],
      [`Option Value ${n}`, `${n}`],
    ]),
  );
  const { options, variants } = payloadOf({ ...MUG, ...cells });
  expect(options).toHaveLength(6);
  expect(variants).toMatchObject([
    { name: '1 - 2 - 3 - 4 - 5 - 6', option6: { name: 'Part 6', value1: '6' } },
  ]);
});

test.each([
  ['Yes', 'PUBLISH'],
  ['No', 'DRAFT'],
  ['true', 'PUBLISH'],
  ['false', 'DRAFT'],
  ['', 'DRAFT'],
])('a product with Visible %j is %s', (Visible, status) => {
  expect(payloadOf({ ...MUG, Visible }).status).toBe(status);
});

test('a gift card becomes a draft, with a warning unless it was hidden already', () => {
  const card = { ...MUG, 'Product Type [Non Editable]': 'GIFT_CARD' };
  expect(mapExport(PRESET, card)).toMatchObject({
    payload: { status: 'DRAFT' },
    warnings: [expect.stringContaining('gift card')],
  });
  const hidden = mapExport(PRESET, { ...card, Visible: 'No' });
  expect(hidden.payload.status).toBe('DRAFT');
  expect(hidden.warnings).toBeUndefined();
});

test.each([
  ['PHYSICAL', { productType: 'PHYSICAL' }],
  ['DOWNLOAD', { productType: 'DIGITAL', digitalConfig: { downloadable: true } }],
  ['SERVICE', {}],
])('a product of the type %s', (type, expected) => {
  const { productType, digitalConfig } = payloadOf({ ...MUG, 'Product Type [Non Editable]': type });
  expect(JSON.parse(JSON.stringify({ productType, digitalConfig }))).toEqual(expected);
});

test.each([
  [
    { 'On Sale': 'Yes', 'Sale Price': '9.00' },
    { salePrice: 9, comparePrice: 14.5 },
  ],
  [{ 'On Sale': 'No', 'Sale Price': '9.00' }, { salePrice: 14.5 }],
  [{ 'On Sale': 'Yes', 'Sale Price': '0.00' }, { salePrice: 14.5 }],
  [{ 'On Sale': 'Yes', 'Sale Price': '20.00' }, { salePrice: 14.5 }],
  [{ 'On Sale': 'Yes', 'Sale Price': '' }, { salePrice: 14.5 }],
])('a sale price is used if the product is on sale: %j', (cells, price) => {
  expect(payloadOf({ ...MUG, ...(cells as Cells) }).price).toEqual(price);
  expect(payloadOf(coloured(MUG, 'Red', cells as Cells)).variants).toMatchObject([{ price }]);
});

test('the sale of a further variant is not the price of the product', () => {
  const sale = { 'On Sale': 'Yes', 'Sale Price': '9.00' };
  const payload = payloadOf(coloured(MUG, 'Red'), coloured(FURTHER, 'Blue', sale));
  expect(payload.price).toEqual({ salePrice: 14.5 });
  expect(payload.variants).toMatchObject([{ price: { salePrice: 14.5 } }, { price: { salePrice: 9 } }]);
});

describe('unlimited stock', () => {
  const unlimited = { Stock: 'Unlimited' };

  test('has no number, and is sold without stock', () => {
    const payload = payloadOf({ ...MUG, ...unlimited });
    expect(payload.outStock).toEqual({ disabled: true });
    expect(payload).not.toHaveProperty('quantity');
  });

  test('of all variants holds for the product', () => {
    expect(payloadOf(coloured(MUG, 'Red', unlimited), coloured(FURTHER, 'Blue', unlimited)).outStock).toEqual(
      { disabled: true },
    );
  });

  test.each([
    ['first', unlimited, {}],
    ['last', {}, unlimited],
  ])('of the %s variant only does not hold for the product, and causes a warning', (_which, red, blue) => {
    const { payload, warnings } = mapExport(
      PRESET,
      coloured(MUG, 'Red', red),
      coloured(FURTHER, 'Blue', blue),
    );
    expect(payload).toMatchObject({ outStock: { disabled: false }, quantity: { instock: 3 } });
    expect(messagesOf(warnings)).toEqual([expect.stringContaining('sells on none')]);
  });
});

test('a product that is sold out has a stock of 0', () => {
  expect(payloadOf({ ...MUG, Stock: '0' })).toMatchObject({ quantity: { instock: 0 } });
});

test('images are separated by blanks or line ends', () => {
  const { images } = payloadOf({
    ...MUG,
    'Hosted Image URLs': 'https://a.example/1.jpg https://a.example/2.jpg\r\nhttps://a.example/1.jpg\n',
  });
  expect(images).toEqual([{ src: 'https://a.example/1.jpg' }, { src: 'https://a.example/2.jpg' }]);
});

test('categories lose their first slash, and tags their last comma', () => {
  expect(payloadOf({ ...MUG, Categories: '/cats/toys, /dogs', Tags: 'Wool, Felt,' })).toMatchObject({
    collections: ['cats/toys', 'dogs'],
    tags: ['Wool', 'Felt'],
  });
});

test('weights and measures have no unit, and 0.0 is none', () => {
  expect(payloadOf({ ...MUG, Weight: '0.35', Length: '12.0' }).sizes).toEqual({
    weight: { value: 0.35 },
    dimensions: { depth: 12 },
  });
});

test('a price that is not a number is an issue', () => {
  expect(mapExport(PRESET, { ...MUG, Price: '14,50' }).issues).toMatchObject([
    { code: 'not-a-number', column: 'Price' },
  ]);
});
