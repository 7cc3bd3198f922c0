import { describe, expect, test } from 'vitest';
import { messagesOf } from '../support/map-rows.ts';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'prestashop-products';
const payloadOf = (...rows: Record<string, string>[]) => payloadIn(PRESET, ...rows);

const PLAIN = {
  'Product ID': '1',
  'Name *': 'Rope',
  'Reference #': 'ROPE',
  'Active (0/1)': '1',
  'Tax rules ID': '1',
};

const combination = (attributes: string, values: string, more: Record<string, string> = {}) => ({
  'Product ID*': '1',
  'Attribute (Name:Type:Position)*': attributes,
  'Value (Value:Position)*': values,
  'Impact on price': '0',
  ...more,
});

test('images are split at commas, in order, each once, with their texts, followed by those of combinations', () => {
  const payload = payloadOf(
    {
      ...PLAIN,
      'Image URLs (x,y,z...)':
        'http://img.example.com/b.jpg, http://img.example.com/a.jpg,http://img.example.com/b.jpg',
      'Image alt texts (x,y,z...)': 'Coiled,,Again',
    },
    combination('Length:select:0', '10 m:0', { 'Image URL': 'http://img.example.com/a.jpg' }),
    combination('Length:select:0', '20 m:1', { 'Image URL': 'http://img.example.com/c.jpg' }),
    combination('Length:select:0', '30 m:2', {
      'Image URLs (x,y,z...)': 'http://img.example.com/d.jpg,http://img.example.com/a.jpg',
      'Image alt texts (x,y,z...)': 'Long,Whole',
    }),
  );
  expect(payload.images).toEqual([
    { src: 'http://img.example.com/b.jpg', title: 'Coiled' },
    { src: 'http://img.example.com/a.jpg' },
    { src: 'http://img.example.com/d.jpg', title: 'Long' },
    { src: 'http://img.example.com/c.jpg' },
  ]);
});

test('texts of images are left out if their number differs from that of the images', () => {
  const payload = payloadOf({
    ...PLAIN,
    'Image URLs (x,y,z...)': 'http://img.example.com/a.jpg',
    'Image alt texts (x,y,z...)': 'Rope, coiled',
  });
  expect(payload.images).toEqual([{ src: 'http://img.example.com/a.jpg' }]);
});

test('options are the attributes of all combinations, with their values by name', () => {
  const { options, variants } = payloadOf(
    PLAIN,
    combination('Colour:color:0, Length:select:1', 'Natural:0, 10 m:1'),
    combination('Length:select:0,Colour:color:1', '20 m:0,Natural:1'),
    combination('Colour:color:0, Length:select:1, End:radio:2, Kind:select:3', 'Red:0, 10 m:1, Eye:2, New:3'),
  );
  expect(options).toEqual([
    { name: 'Colour', style: 'COLOR', values: [{ value1: 'Natural' }, { value1: 'Red' }] },
    { name: 'Length', values: [{ value1: '10 m' }, { value1: '20 m' }] },
    { name: 'End', values: [{ value1: 'Eye' }] },
    { name: 'Kind', values: [{ value1: 'New' }] },
  ]);
  expect(variants).toMatchObject([
    { option1: { name: 'Colour', value1: 'Natural' }, option2: { name: 'Length', value1: '10 m' } },
    { option1: { name: 'Colour', value1: 'Natural' }, option2: { name: 'Length', value1: '20 m' } },
    { option3: { name: 'End', value1: 'Eye' } },
  ]);
  expect((variants as object[]).filter((each) => 'option3' in each)).toHaveLength(1);
});

test('a product without combinations has no options', () => {
  expect(payloadOf(PLAIN)).not.toHaveProperty('options');
  expect(payloadOf(PLAIN)).not.toHaveProperty('variants');
});

const sized = (impact: string, more: Record<string, string> = {}) =>
  combination('Length:select:0', '20 m:0', { 'Impact on price': impact, ...more });

test('the price of a combination is that of the product plus its impact, both without tax', () => {
  const product = { ...PLAIN, 'Price tax excluded': '0.10', Weight: '0.8', 'Wholesale price': '3' };
  const { price, variants } = payloadOf(
    product,
    sized('0.20', { 'Impact on weight': '-0.05', 'Wholesale price': '7' }),
    sized('', { 'Value (Value:Position)*': '10 m:1' }),
  );
  expect(price).toEqual({ salePrice: 0.1, buyingPrice: 3 });
  expect(variants).toMatchObject([
    { price: { salePrice: 0.3, buyingPrice: 7 }, sizes: { weight: { value: 0.75 } } },
    { price: { salePrice: 0.1 }, sizes: { weight: { value: 0.8 } } },
  ]);
});

test.each(['Price tax included', 'Price tax excluded or Price tax included'])(
  'an impact is never added to a price that may include tax: %s',
  (column) => {
    const { issues } = mapExport(PRESET, { ...PLAIN, [column]: '12' }, sized('3'));
    expect(issues).toMatchObject([
      {
        code: 'expression-failed',
        field: 'variants.0.price',
        message: expect.stringContaining('"Price tax excluded"'),
      },
    ]);
    const same = payloadOf({ ...PLAIN, [column]: '12' }, sized('0'));
    expect(same.variants).toMatchObject([{ price: { salePrice: 12 } }]);
    const untaxed = payloadOf({ ...PLAIN, 'Tax rules ID': '0', [column]: '12' }, sized('3'));
    expect(untaxed.variants).toMatchObject([{ price: { salePrice: 15 } }]);
  },
);

test.each([
  ['a percentage without an end', { 'Discount percent': '10' }, { salePrice: 18, comparePrice: 20 }],
  [
    'a percentage with an empty date as end',
    { 'Discount percent': '10', 'Discount to (yyyy-mm-dd)': '0000-00-00' },
    { salePrice: 18, comparePrice: 20 },
  ],
  [
    'a percentage with an end',
    { 'Discount percent': '10', 'Discount to (yyyy-mm-dd)': '2026-01-31' },
    { salePrice: 20 },
  ],
  ['none', { 'Discount percent': '0' }, { salePrice: 20 }],
  ['an amount', { 'Discount amount': '5' }, { salePrice: 20 }],
])('a discount is used or not: %s', (_, discount, price) => {
  const payload = payloadOf({ ...PLAIN, 'Price tax excluded': '20', ...discount }, sized('0'));
  expect(payload.price).toEqual(price);
  expect((payload.variants as { price: unknown }[]).map((each) => each.price)).toEqual([price]);
});

test('a discount that is left out for its end causes a warning, an ended one does not', () => {
  const cells = { ...PLAIN, 'Price tax excluded': '20', 'Discount percent': '10' };
  const warningsOf = (end: string) =>
    mapExport(PRESET, { ...cells, 'Discount to (yyyy-mm-dd)': end }, sized('0')).warnings;
  expect(warningsOf('2999-01-31')).toEqual([expect.stringContaining('no place for dates')]);
  expect(warningsOf('2001-01-31')).toBeUndefined();
  expect(warningsOf('')).toBeUndefined();
});

test.each(['Price tax excluded', 'Price tax included', 'Price tax excluded or Price tax included'])(
  'a discount is subtracted, whatever the name of the price column: %s',
  (column) => {
    const payload = payloadOf({ ...PLAIN, [column]: '20', 'Discount percent': '25' });
    expect(payload.price).toEqual({ salePrice: 15, comparePrice: 20 });
  },
);

test('a value with colons is the same in options and variants', () => {
  const { options, variants } = payloadOf(
    PLAIN,
    combination('Format:select:0, Frame:select:1, Cut:select:2', '16:9:0, 1:1:1, 4:5:2'),
    combination('Format:select:0, Frame:select:1, Cut:select:2', '4:3:1 , Oak: pale:0 , None'),
  );
  expect(options).toEqual([
    { name: 'Format', values: [{ value1: '16:9' }, { value1: '4:3' }] },
    { name: 'Frame', values: [{ value1: '1:1' }, { value1: 'Oak: pale' }] },
    { name: 'Cut', values: [{ value1: '4:5' }, { value1: 'None' }] },
  ]);
  expect(variants).toMatchObject([
    {
      name: '16:9, 1:1, 4:5',
      option1: { value1: '16:9' },
      option2: { value1: '1:1' },
      option3: { value1: '4:5' },
    },
    { option1: { value1: '4:3' }, option2: { value1: 'Oak: pale' }, option3: { value1: 'None' } },
  ]);
});

test.each([
  ['0', '60', 60],
  ['', '60', 60],
  ['0.000000', '60', 60],
  ['70', '60', 70],
  ['0', '', undefined],
  ['0', '0', undefined],
])('a combination with the cost %j has the cost of the product, %j', (own, product, buyingPrice) => {
  const { variants } = payloadOf(
    { ...PLAIN, 'Price tax excluded': '100', 'Wholesale price': product },
    sized('0', { 'Wholesale price': own }),
  );
  expect((variants as { price: object }[])[0]?.price).toEqual(
    buyingPrice === undefined ? { salePrice: 100 } : { salePrice: 100, buyingPrice },
  );
});

test.each([
  [['-4', '3'], 3],
  [['3', '-4', '2'], 5],
  [['-4', '0'], 0],
  [['-4', ''], -4],
  [['', ''], undefined],
])('a negative stock of one combination does not reduce that of the others: %j', (quantities, instock) => {
  const { quantity } = payloadOf(
    { ...PLAIN, Quantity: '' },
    ...quantities.map((Quantity) => sized('0', { Quantity })),
  );
  expect(quantity).toEqual(instock === undefined ? undefined : { instock });
});

test('a product without combinations keeps a negative stock', () => {
  expect(payloadOf({ ...PLAIN, Quantity: '-4' }).quantity).toEqual({ instock: -4 });
});

describe('thirty bees', () => {
  const BEES = {
    'Product ID': '1',
    'Name *': 'Candle',
    'Reference #': 'CANDLE',
    'Active (0/1)': '1',
    'Tax rules ID': '0',
  };

  test('splits lists at semicolons: tags, categories and images', () => {
    const payload = payloadOf({
      ...BEES,
      'Tags (x;y;z...)': 'wax; candle, rolled',
      'Categories (x;y;z...)': 'Home; Candles, small;12',
      'Image URLs (x;y;z...)': 'http://img.example.com/a,1.jpg; http://img.example.com/b.jpg',
      'Image alt texts (x;y;z...)': 'Front, lit;Back',
    });
    expect(payload).toMatchObject({
      tags: ['wax', 'candle, rolled'],
      collections: ['Home', 'Candles, small'],
      images: [
        { src: 'http://img.example.com/a,1.jpg', title: 'Front, lit' },
        { src: 'http://img.example.com/b.jpg', title: 'Back' },
      ],
    });
  });

  test.each([
    ['not for order', { 'Available for order (0 = No; 1 = Yes)': '0' }, 'DRAFT'],
    ['for order', { 'Available for order (0 = No; 1 = Yes)': '1' }, 'PUBLISH'],
    ['not active', { 'Active (0/1)': '', 'Active (0 = No; 1 = Yes)': '0' }, 'DRAFT'],
    ['active', { 'Active (0/1)': '', 'Active (0 = No; 1 = Yes)': '1' }, 'PUBLISH'],
  ])('a product that is %s', (_, cells, status) => {
    const given = { ...BEES, ...cells };
    const row = Object.fromEntries(Object.entries(given).filter(([, cell]) => cell !== ''));
    expect(payloadOf(row).status).toBe(status);
  });

  test('images may have another column name', () => {
    const payload = payloadOf({
      ...BEES,
      'Images (x;y;z...)': 'http://img.example.com/a.jpg;http://img.example.com/b.jpg',
    });
    expect(payload.images).toEqual([
      { src: 'http://img.example.com/a.jpg' },
      { src: 'http://img.example.com/b.jpg' },
    ]);
  });

  test('two attributes separated by a semicolon are two options', () => {
    const { options, variants } = payloadOf(
      BEES,
      combination('Color:color:0; Size:select:1; Scent:select:2', 'Red, dark:0; Small:1; None:2'),
      combination('Color:color:0; Size:select:1; Scent:select:2', 'Blue:0; Large, tall:1; Rose:2'),
    );
    expect(options).toEqual([
      { name: 'Color', style: 'COLOR', values: [{ value1: 'Red, dark' }, { value1: 'Blue' }] },
      { name: 'Size', values: [{ value1: 'Small' }, { value1: 'Large, tall' }] },
      { name: 'Scent', values: [{ value1: 'None' }, { value1: 'Rose' }] },
    ]);
    expect(variants).toMatchObject([
      {
        name: 'Red, dark, Small, None',
        option1: { name: 'Color', value1: 'Red, dark' },
        option2: { name: 'Size', value1: 'Small' },
        option3: { name: 'Scent', value1: 'None' },
      },
      { option1: { value1: 'Blue' }, option2: { value1: 'Large, tall' }, option3: { value1: 'Rose' } },
    ]);
  });
});

test('the value of a single attribute is not split, whatever its text', () => {
  const { options, variants } = payloadOf(PLAIN, combination('Weight:select:0', '0,5 kg; net:0'));
  expect(options).toEqual([{ name: 'Weight', values: [{ value1: '0,5 kg; net' }] }]);
  expect(variants).toMatchObject([
    { name: '0,5 kg; net', option1: { name: 'Weight', value1: '0,5 kg; net' } },
  ]);
});

test.each([
  ['Summary', { Summary: 'Short.' }, { description: 'Short.' }],
  ['Out of stock action', { 'Out of stock action': '1' }, { outStock: { disabled: true } }],
  ['Action when out of stock', { 'Action when out of stock': '1' }, { outStock: { disabled: true } }],
  ['Virtual product', { 'Virtual product': '1' }, { productType: 'DIGITAL' }],
  [
    'Virtual product (0 = No, 1 = Yes)',
    { 'Virtual product (0 = No, 1 = Yes)': '1' },
    { productType: 'DIGITAL' },
  ],
  ['Virtual product, which it is not', { 'Virtual product': '0' }, { productType: 'PHYSICAL' }],
  [
    'File URL',
    { 'Virtual product': '1', 'File URL': 'http://img.example.com/a.pdf' },
    { productType: 'DIGITAL', digitalConfig: { downloadable: true } },
  ],
  [
    'Brand and Cost price',
    { Brand: 'Foo', 'Cost price': '3' },
    { brand: { name: 'Foo' }, price: { buyingPrice: 3 } },
  ],
])('column names of newer versions: %s', (_, cells, expected) => {
  expect(payloadOf({ ...PLAIN, ...cells })).toMatchObject(expected);
});

test('the column names of the import page are those of the samples', () => {
  const row = { ID: '1', Name: 'Rope', 'Reference #': 'ROPE', 'Active (0/1)': '1', Summary: 'Short.' };
  expect(payloadOf(row)).toMatchObject({ name: 'Rope', reference: 'ROPE', status: 'PUBLISH' });
});

test.each([
  ['its number', { 'Product ID*': '1' }],
  ['its reference', { 'Product Reference': 'ROPE' }],
  ['its reference, with the number 0', { 'Product ID*': '0', 'Product Reference': 'ROPE' }],
  ['its number in the column of the import page', { 'Product ID': '1' }],
])('a combination is linked to its product by %s', async (_, by) => {
  const records = await gatherExport(
    PRESET,
    PLAIN,
    { ...PLAIN, 'Product ID': '2', 'Reference #': 'LINE' },
    { ...combination('Length:select:0', '10 m:0'), 'Product ID*': '', ...by },
  );
  expect(records).toMatchObject([
    { issues: [], payload: { reference: 'ROPE', type: 'variable', variants: [{ name: '10 m' }] } },
    { issues: [], payload: { reference: 'LINE', type: 'simple' } },
  ]);
});

describe('a combination without an attribute', () => {
  const nameless = (Quantity: string) => combination('', '', { Quantity });

  test('is not a variant; its product is simple, has its stock, and causes a warning', () => {
    const { payload, warnings } = mapExport(PRESET, PLAIN, nameless('4'), nameless('5'));
    expect(payload).toMatchObject({ type: 'simple', quantity: { instock: 9 } });
    expect(payload).not.toHaveProperty('variants');
    expect(payload).not.toHaveProperty('options');
    expect(messagesOf(warnings)).toEqual([expect.stringContaining('without an attribute is no variant')]);
  });

  test('is left out with a warning if others have one', () => {
    const { payload, warnings } = mapExport(
      PRESET,
      PLAIN,
      combination('Length:select:0', '10 m:0'),
      nameless('4'),
    );
    expect(payload).toMatchObject({ type: 'variable', variants: [{ name: '10 m' }] });
    expect(messagesOf(warnings)).toEqual([expect.stringContaining('without an attribute is no variant')]);
    const byReference = { ...nameless('4'), 'Product ID*': '', 'Product Reference': 'ROPE' };
    expect(mapExport(PRESET, PLAIN, byReference).warnings).toHaveLength(1);
  });

  test('does not count if the product has a stock of its own, or combinations with one', () => {
    const own = mapExport(PRESET, { ...PLAIN, Quantity: '3' }, nameless('4'));
    expect(own.payload.quantity).toEqual({ instock: 3 });
    const beside = payloadOf(
      PLAIN,
      combination('Length:select:0', '10 m:0', { Quantity: '2' }),
      nameless('4'),
    );
    expect(beside).toMatchObject({
      type: 'variable',
      quantity: { instock: 2 },
      variants: [{ name: '10 m' }],
    });
  });

  test('causes no warning if there is none', () => {
    expect(mapExport(PRESET, PLAIN).warnings).toBeUndefined();
    expect(mapExport(PRESET, PLAIN, combination('Length:select:0', '10 m:0')).warnings).toBeUndefined();
  });
});

test('commas are decimal commas, as PrestaShop reads them', () => {
  const product = {
    ...PLAIN,
    'Price tax excluded': '19,90',
    'Wholesale price': '8,5',
    Weight: '0,125',
    'Discount percent': '10,0%',
  };
  const more = { 'Impact on price': '-2,40', 'Impact on weight': '0,025', 'Wholesale price': '7,25' };
  const { price, sizes, variants } = payloadOf(product, combination('Length:select:0', '10 m:0', more));
  expect(price).toEqual({ salePrice: 17.91, comparePrice: 19.9, buyingPrice: 8.5 });
  expect(sizes).toEqual({ weight: { value: 0.125 } });
  expect(variants).toMatchObject([
    {
      price: { salePrice: 15.75, comparePrice: 17.5, buyingPrice: 7.25 },
      sizes: { weight: { value: 0.15 } },
    },
  ]);
});

test.each([
  ['a thousand or one and a quarter', '1,250', 'not-a-number'],
  ['a thousand with both signs', '1.250,00', 'not-a-number'],
])('a price that may be %s is an issue', (_, price, code) => {
  expect(mapExport(PRESET, { ...PLAIN, 'Price tax excluded': price }).issues).toMatchObject([{ code }]);
});

test('an impact that may be a thousand is an issue', () => {
  const product = { ...PLAIN, 'Price tax excluded': '10' };
  expect(mapExport(PRESET, product, sized('1,250')).issues).toMatchObject([{ code: 'expression-failed' }]);
});

test('of two price columns the filled one is used', () => {
  const cells = { 'Price tax excluded': '', 'Price tax included': '12' };
  expect(payloadOf({ ...PLAIN, ...cells }).price).toEqual({ salePrice: 12 });
});
