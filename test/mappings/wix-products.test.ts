import { describe, expect, test } from 'vitest';
import { messagesOf } from '../support/map-rows.ts';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'wix-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

const DICE: Cells = {
  handleId: 'product_1',
  fieldType: 'Product',
  name: 'Oak dice',
  sku: 'DICE',
  price: '12.5',
  surcharge: '',
  visible: 'true',
  discountMode: 'PERCENT',
  discountValue: '0.0',
  inventory: '15',
  weight: '',
  productOptionName1: '',
  productOptionType1: '',
  productOptionDescription1: '',
};

const JACKET: Cells = {
  ...DICE,
  name: 'Jacket',
  sku: '',
  price: '100.0',
  inventory: '0',
  productOptionName1: 'Size',
  productOptionType1: 'DROP_DOWN',
  productOptionDescription1: 'S;M',
};

const variant = (size: string, cells: Cells = {}): Cells => ({
  handleId: 'product_1',
  fieldType: 'Variant',
  visible: 'true',
  inventory: '3',
  productOptionDescription1: size,
  ...cells,
});

test('a product without options is simple, and its SKU is its model', () => {
  expect(payloadOf(DICE)).toEqual({
    name: 'Oak dice',
    reference: 'product_1',
    model: 'DICE',
    type: 'simple',
    status: 'PUBLISH',
    price: { salePrice: 12.5 },
    quantity: { instock: 15 },
  });
});

test('rows with the same handle are variants of one product, wherever the row of the product is', async () => {
  const [mapped] = await gatherExport(
    PRESET,
    variant('S', { sku: 'J-S' }),
    JACKET,
    variant('M', { sku: 'J-M' }),
  );
  expect(mapped?.payload).toMatchObject({
    name: 'Jacket',
    type: 'variable',
    quantity: { instock: 6 },
    options: [{ name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] }],
    variants: [
      { name: 'S', reference: 'J-S', option1: { name: 'Size', value1: 'S' }, price: { salePrice: 100 } },
      { name: 'M', reference: 'J-M', option1: { name: 'Size', value1: 'M' }, price: { salePrice: 100 } },
    ],
  });
});

test('a variant without an SKU has no reference: that of its product is not its own', () => {
  expect(payloadOf(JACKET, variant('S')).variants).toEqual([
    expect.not.objectContaining({ reference: expect.anything() }),
  ]);
});

test.each(['#B81616:Red', 'rgb(184,22,22):Red', 'rgb(184, 22, 22):Red', '#b81:Red', 'Red'])(
  'the color %s is called Red',
  (color) => {
    const colors = {
      productOptionName1: 'Color',
      productOptionType1: 'COLOR',
      productOptionDescription1: color,
    };
    expect(payloadOf({ ...JACKET, ...colors }, variant(color))).toMatchObject({
      options: [{ name: 'Color', style: 'COLOR', values: [{ value1: 'Red' }] }],
      variants: [{ name: 'Red', option1: { value1: 'Red' } }],
    });
  },
);

test('codes of colors are in no part of the name of a variant', () => {
  const two = {
    productOptionName2: 'Color',
    productOptionType2: 'COLOR',
    productOptionDescription2: '#FFFFFF:White',
  };
  const { variants } = payloadOf(
    { ...JACKET, ...two },
    variant('S', { productOptionDescription2: '#FFFFFF:White' }),
  );
  expect(variants).toMatchObject([{ name: 'S - White', option2: { name: 'Color', value1: 'White' } }]);
});

describe('a discount', () => {
  test.each([
    ['PERCENT', '25.0', { salePrice: 9.38, comparePrice: 12.5 }],
    ['AMOUNT', '2.5', { salePrice: 10, comparePrice: 12.5 }],
    ['PERCENT', '0.0', { salePrice: 12.5 }],
    ['PERCENT', '', { salePrice: 12.5 }],
  ])('of %s %s', (discountMode, discountValue, price) => {
    expect(payloadOf({ ...DICE, discountMode, discountValue }).price).toEqual(price);
  });

  test('is subtracted from the price and the surcharge of a variant', () => {
    const payload = payloadOf(
      { ...JACKET, discountValue: '20.0' },
      variant('S', { surcharge: '5.0' }),
      variant('M', { surcharge: '-10.0' }),
    );
    const small = { salePrice: 84, comparePrice: 105 };
    expect(payload.price).toEqual(small);
    expect(payload.variants).toMatchObject([
      { price: small },
      { price: { salePrice: 72, comparePrice: 90 } },
    ]);
  });
});

test('a product that costs nothing without its surcharges has the price of its first variant', () => {
  expect(payloadOf({ ...JACKET, price: '0.0' }, variant('S', { surcharge: '75.0' })).price).toEqual({
    salePrice: 75,
  });
});

test('what a product costs the shop is not what it is sold for', () => {
  expect(payloadOf({ ...DICE, cost: '4.1' }).price).toEqual({ salePrice: 12.5, buyingPrice: 4.1 });
});

describe('a hidden', () => {
  test.each(['false', 'FALSE', ''])('product (visible: %j) is a draft', (visible) => {
    expect(payloadOf({ ...DICE, visible }).status).toBe('DRAFT');
  });

  test('variant is left out, with its stock and its price', () => {
    const hidden = variant('S', { visible: 'FALSE', surcharge: '50.0', inventory: '9' });
    const payload = payloadOf(JACKET, hidden, variant('M'));
    expect(payload).toMatchObject({ status: 'PUBLISH', price: { salePrice: 100 }, quantity: { instock: 3 } });
    expect(payload.variants).toMatchObject([{ name: 'M' }]);
  });

  test('variant beside no other makes its product a draft, with a warning', () => {
    const { payload, warnings } = mapExport(PRESET, JACKET, variant('S', { visible: 'false' }));
    expect(payload.status).toBe('DRAFT');
    expect(payload).not.toHaveProperty('variants');
    expect(messagesOf(warnings)).toEqual([expect.stringContaining('all hidden')]);
  });

  test('product with hidden variants is a draft without a warning', () => {
    const hidden = { ...JACKET, visible: 'false' };
    expect(mapExport(PRESET, hidden, variant('S', { visible: 'false' })).warnings).toBeUndefined();
  });
});

describe('stock', () => {
  test.each([
    ['15', { quantity: { instock: 15 } }],
    ['0', { quantity: { instock: 0 } }],
    ['OutOfStock', { quantity: { instock: 0 } }],
    ['InStock', { outStock: { disabled: true } }],
  ])('of a product: %s', (inventory, expected) => {
    const { quantity, outStock } = payloadOf({ ...DICE, inventory });
    expect(JSON.parse(JSON.stringify({ quantity, outStock }))).toEqual(expected);
  });

  test.each([
    ['InStock', 'InStock', { outStock: { disabled: true } }],
    ['OutOfStock', 'OutOfStock', { quantity: { instock: 0 } }],
    ['OutOfStock', '4', { quantity: { instock: 4 } }],
    ['OutOfStock', 'InStock', { outStock: { disabled: false } }],
    ['InStock', '4', { quantity: { instock: 4 }, outStock: { disabled: false } }],
  ])('of variants: %s and %s', (first, second, expected) => {
    const { payload, warnings } = mapExport(
      PRESET,
      { ...JACKET, inventory: 'InStock' },
      variant('S', { inventory: first }),
      variant('M', { inventory: second }),
    );
    const { quantity, outStock } = payload;
    expect(JSON.parse(JSON.stringify({ quantity, outStock }))).toEqual(expected);
    expect(warnings !== undefined).toBe((outStock as { disabled?: boolean } | undefined)?.disabled === false);
  });

  test('of a product is not counted again beside that of its variants', () => {
    const payload = payloadOf({ ...JACKET, inventory: '7' }, variant('S', { inventory: 'InStock' }));
    expect(payload).not.toHaveProperty('quantity');
  });
});

test('a text that buyers must write causes a warning', () => {
  const { payload, warnings } = mapExport(PRESET, { ...DICE, customTextMandatory1: 'true' });
  expect(payload.status).toBe('PUBLISH');
  expect(warnings).toEqual([expect.stringContaining('must write')]);
});

test('names of files are addresses in the media storage of Wix', () => {
  const productImageUrl = 'a1_b2~mv2.jpg;https://cdn.example.com/x.png;a1_b2~mv2.jpg';
  expect(payloadOf({ ...DICE, productImageUrl }).images).toEqual([
    { src: 'https://static.wixstatic.com/media/a1_b2~mv2.jpg' },
    { src: 'https://cdn.example.com/x.png' },
  ]);
});

test('sections follow the description, with their titles as text', () => {
  const cells = {
    description: '<p>Six.</p>',
    additionalInfoTitle1: 'Care & <use>',
    additionalInfoDescription1: '<p>Wipe.</p>',
    additionalInfoTitle2: 'Empty',
    additionalInfoDescription2: '',
    additionalInfoTitle3: '',
    additionalInfoDescription3: '<p>By hand.</p>',
  };
  expect(payloadOf({ ...DICE, ...cells }).html).toBe(
    '<p>Six.</p>\n<h3>Care &amp; &lt;use></h3>\n<p>Wipe.</p>\n<p>By hand.</p>',
  );
});

test('collections are separated by semicolons', () => {
  expect(payloadOf({ ...DICE, collection: 'Games;Gifts, small' }).collections).toEqual([
    'Games',
    'Gifts, small',
  ]);
});

test('a weight has no unit, and 0.0 is none', () => {
  expect(payloadOf({ ...DICE, weight: '0.2' }).sizes).toEqual({ weight: { value: 0.2 } });
  expect(payloadOf({ ...DICE, weight: '0.0' })).not.toHaveProperty('sizes');
});

test.each([
  [{ price: '12,50' }, {}, 'price'],
  [{ discountValue: '20%' }, {}, 'discountValue'],
  [{}, { surcharge: 'five' }, 'surcharge'],
])('a number that is none is an issue with its cell: %j %j', (product, of, column) => {
  const { issues } = mapExport(PRESET, { ...JACKET, ...(product as Cells) }, variant('S', of as Cells));
  expect(issues[0]).toMatchObject({ code: 'not-a-number', column });
});
