import { expect, test } from 'vitest';
import { variantFaults } from '../../src/suspect/index.ts';
import { messagesOf } from '../support/map-rows.ts';
import { mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'woocommerce-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

const MUG: Cells = { Type: 'simple', SKU: 'MUG', Name: 'Enamel mug', Published: '1', 'Regular price': '9' };
const SCARF: Cells = { Type: 'variable', SKU: 'SCARF', Name: 'Scarf', Published: '1', Parent: '' };
const GREY: Cells = {
  Type: 'variation',
  SKU: 'GREY',
  Name: 'Scarf - Grey',
  Published: '1',
  Parent: 'SCARF',
  'Regular price': '35',
};
const BLUE: Cells = { ...GREY, SKU: 'BLUE', Name: 'Scarf - Blue' };

/** Attributes as `[name, values]`. */
function attributes(...pairs: [name: string, values: string][]): Cells {
  return Object.fromEntries(
    pairs.flatMap(([name, values], index) => [
      [`Attribute ${index + 1} name`, name],
      [`Attribute ${index + 1} value(s)`, values],
    ]),
  );
}

const values = (...names: string[]) => names.map((value1) => ({ value1 }));

test.each(['kg', 'g', 'lbs', 'oz'])('a weight in %s has the unit of the header', (unit) => {
  const { sizes } = payloadOf({ ...MUG, [`Weight (${unit})`]: '.5' });
  expect(sizes).toEqual({ weight: { value: 0.5, unit } });
});

test('a product without weight and dimensions has no units', () => {
  const cells = { 'Weight (kg)': '', 'Length (in)': '', 'Width (in)': '', 'Height (in)': '' };
  expect(payloadOf({ ...MUG, ...cells })).not.toHaveProperty('sizes');
});

test('dimensions are all of one row, with the unit of the header', () => {
  const { sizes, variants } = payloadOf(
    { ...SCARF, 'Length (in)': '', 'Width (in)': '', 'Height (in)': '' },
    { ...GREY, 'Length (in)': '30', 'Width (in)': '20', 'Height (in)': '' },
    { ...BLUE, 'Length (in)': '40', 'Width (in)': '25', 'Height (in)': '4' },
  );
  expect(sizes).toEqual({ dimensions: { depth: 30, width: 20, unit: 'in' } });
  expect(variants).toMatchObject([
    { sizes: { dimensions: { depth: 30, width: 20, unit: 'in' } } },
    { sizes: { dimensions: { depth: 40, width: 25, height: 4, unit: 'in' } } },
  ]);
});

test('images keep their order, the main one first, followed by those of variations', () => {
  const { images } = payloadOf(
    { ...SCARF, Images: 'https://a.example/z.jpg, https://a.example/a.jpg,https://a.example/b\\,c.jpg' },
    { ...GREY, Images: 'https://a.example/grey.jpg' },
    { ...BLUE, Images: 'https://a.example/a.jpg' },
    { ...BLUE, SKU: 'RED', Published: '0', Images: 'https://a.example/red.jpg' },
  );
  expect(images).toEqual(
    ['z.jpg', 'a.jpg', 'b,c.jpg', 'grey.jpg'].map((name) => ({ src: `https://a.example/${name}` })),
  );
});

test('file names are not images, and do not invalidate the product', () => {
  expect(payloadOf({ ...MUG, Images: 'mug front.png, mug (2).png' })).not.toHaveProperty('images');
});

test('a comma after a backslash is part of a tag, a category or a value', () => {
  const attribute = attributes(['Colour', 'Grey\\, light, Blue']);
  const payload = payloadOf(
    { ...SCARF, Tags: 'soft\\, warm, wool', Categories: 'Hats\\, scarves, Wool > Men', ...attribute },
    { ...GREY, ...attributes(['Colour', 'Grey\\, light']) },
  );
  expect(payload).toMatchObject({
    tags: ['soft, warm', 'wool'],
    collections: ['Hats, scarves', 'Wool > Men'],
    options: [{ name: 'Colour', values: values('Grey, light', 'Blue') }],
    variants: [{ name: 'Grey, light', option1: { name: 'Colour', value1: 'Grey, light' } }],
  });
});

test('an option has all values of the product, in order, whatever number it has in variations', () => {
  const { options } = payloadOf(
    { ...SCARF, ...attributes(['Wool', 'Merino'], ['Size', 'S, M, L']) },
    { ...GREY, ...attributes(['Size', 'L']) },
    { ...BLUE, ...attributes(['Size', 'S']) },
  );
  expect(options).toEqual([{ name: 'Size', values: values('S', 'M', 'L') }]);
});

test('a variation for any value has no value for that option', () => {
  const { options, variants } = payloadOf(
    { ...SCARF, ...attributes(['Size', 'S, M'], ['Colour', 'Grey, Blue']) },
    { ...GREY, ...attributes(['Size', 'S'], ['Colour', '']) },
  );
  expect(options).toEqual([
    { name: 'Size', values: values('S', 'M') },
    { name: 'Colour', values: values('Grey', 'Blue') },
  ]);
  expect(variants).toEqual([
    { name: 'S', reference: 'GREY', option1: { name: 'Size', value1: 'S' }, price: { salePrice: 35 } },
  ]);
});

test('values that the product does not list are those of its variations', () => {
  const { options } = payloadOf(
    { ...SCARF, ...attributes(['Size', '']) },
    { ...GREY, ...attributes(['Size', 'S']) },
    { ...BLUE, ...attributes(['Size', 'M']) },
  );
  expect(options).toEqual([{ name: 'Size', values: values('S', 'M') }]);
});

test('attributes are read with the capitals of older headers', () => {
  const older = (cells: Cells) =>
    Object.fromEntries(
      Object.entries(cells).map(([name, cell]) => [
        name.replace('name', 'Name').replace('value', 'Value'),
        cell,
      ]),
    );
  const { options } = payloadOf(
    { ...SCARF, ...older(attributes(['Size', 'S, M'])) },
    { ...GREY, ...older(attributes(['Size', 'M'])) },
  );
  expect(options).toEqual([{ name: 'Size', values: values('S', 'M') }]);
});

test('attributes of a product without variations are not options', () => {
  expect(payloadOf({ ...MUG, ...attributes(['Colour', 'Blue']) })).not.toHaveProperty('options');
});

const counted = (stock: string, inStock = '1') => ({ Stock: stock, 'In stock?': inStock });

test.each([
  ['all variations are counted', counted('3'), counted('0', '0'), undefined],
  ['none is counted', counted(''), counted(''), { disabled: true }],
  ['one is not counted', counted('0', '0'), counted(''), { disabled: false }],
  ['one is sold out and the other not counted', counted('', '0'), counted(''), { disabled: false }],
  ['one is not counted, and is sold out', counted('3'), counted('', '0'), undefined],
  ['the product counts for them', counted('parent'), counted('parent'), undefined],
  [
    'all may be oversold',
    { ...counted('3'), 'Backorders allowed?': '1' },
    { ...counted('1'), 'Backorders allowed?': 'notify' },
    { disabled: true },
  ],
  [
    'one may be oversold',
    { ...counted('3'), 'Backorders allowed?': '1' },
    { ...counted('1'), 'Backorders allowed?': '0' },
    { disabled: false },
  ],
])('a variable product sells without stock, or not: %s', (_case, grey, blue, outStock) => {
  const payload = payloadOf(
    { ...SCARF, ...counted('') },
    { ...GREY, ...grey },
    { ...BLUE, ...blue },
    { ...BLUE, SKU: 'RED', Published: '0', ...counted('') },
  );
  expect(payload.outStock).toEqual(outStock);
});

test('the short description is text, and the long one is HTML with its line breaks', () => {
  const { description, html } = payloadOf({
    ...MUG,
    'Short description': '<p>Oak &amp; brass.</p>\\n<p>By hand.</p>',
    Description: '<p>One.</p>\r\n\\n<p>Two.</p>\\n<p>Three.</p>',
  });
  expect(description).toBe('Oak & brass.\nBy hand.');
  expect(html).toBe('<p>One.</p>\n<p>Two.</p>\n<p>Three.</p>');
});

test('a product with two weight columns is refused', () => {
  expect(() => mapExport(PRESET, { ...MUG, 'Weight (kg)': '1', 'Weight (lbs)': '2' })).toThrow(/Weight/);
});

test.each([
  ["'-12", '-12'],
  ["'=SUM", '=SUM'],
  ["'0017", '0017'],
  ["'n-17", "'n-17"],
])('the SKU %s is %s', (SKU, reference) => {
  expect(payloadOf({ ...MUG, SKU }).reference).toBe(reference);
});

test.each([
  ["'-1", 'DRAFT'],
  ['-1', 'DRAFT'],
  ['2', 'DRAFT'],
  ['0', 'DRAFT'],
  ['TRUE', 'PUBLISH'],
  ['FALSE', 'DRAFT'],
])('published %s is %s', (Published, status) => {
  expect(payloadOf({ ...MUG, Published }).status).toBe(status);
});

test.each([
  ['an apostrophe before the minus is not part of the number', [{ ...MUG, Stock: "'-5" }], -5],
  [
    'a negative stock of one does not reduce that of others',
    [SCARF, { ...GREY, Stock: "'-4" }, { ...BLUE, Stock: '3' }],
    3,
  ],
  [
    'if all are negative, the stock is negative',
    [SCARF, { ...GREY, Stock: '-4' }, { ...BLUE, Stock: '-1' }],
    -4,
  ],
  [
    'the product counts for its variations',
    [
      { ...SCARF, Stock: '8' },
      { ...GREY, Stock: 'parent' },
    ],
    8,
  ],
])('stock: %s', (_case, rows, instock) => {
  expect(payloadOf(...rows).quantity).toEqual({ instock });
});

test.each([
  ['a product on backorder', [{ ...MUG, ...counted('', 'backorder') }]],
  [
    'a product with all variations on backorder',
    [SCARF, { ...GREY, ...counted('0', 'backorder') }, { ...BLUE, ...counted('0', 'backorder') }],
  ],
  [
    'a product that counts for its variations and may be oversold',
    [
      { ...SCARF, Stock: '2', 'Backorders allowed?': '1' },
      { ...GREY, Stock: 'parent', 'Backorders allowed?': '0' },
    ],
  ],
  ['a product in stock, in a file that does not count', [{ ...MUG, 'In stock?': '1' }]],
])('%s sells without stock', (_case, rows) => {
  expect(payloadOf(...rows).outStock).toEqual({ disabled: true });
});

test.each([
  [{ 'Sale price': '7' }, { salePrice: 7, comparePrice: 9 }],
  [
    { 'Sale price': '6,50', 'Regular price': '9,00' },
    { salePrice: 6.5, comparePrice: 9 },
  ],
  [{ 'Sale price': '9' }, { salePrice: 9 }],
  [{ 'Sale price': '12' }, { salePrice: 9 }],
  [{ 'Sale price': '7', 'Date sale price ends': '2026-12-31' }, { salePrice: 9 }],
  [
    { 'Sale price': '7', 'Date sale price ends': '' },
    { salePrice: 7, comparePrice: 9 },
  ],
  [{ 'Sale price': '7', 'Date sale price starts': '2999-01-31 00:00:00' }, { salePrice: 9 }],
  [
    { 'Sale price': '7', 'Date sale price starts': '2020-01-31' },
    { salePrice: 7, comparePrice: 9 },
  ],
  [
    { 'Sale price': '7', 'Date sale price starts': '' },
    { salePrice: 7, comparePrice: 9 },
  ],
])('a sale price is used if it is lower, has begun and has no end: %j', (cells, price) => {
  expect(payloadOf({ ...MUG, ...(cells as Cells) }).price).toEqual(price);
  const { variants } = payloadOf(SCARF, { ...GREY, 'Regular price': '9', ...(cells as Cells) });
  expect(variants).toMatchObject([{ price }]);
});

test('a sale price that is not a number is an issue', () => {
  const { issues } = mapExport(PRESET, { ...MUG, 'Sale price': 'half' });
  expect(issues).toMatchObject([{ code: 'not-a-number', column: 'Sale price' }]);
});

test('the cost of goods is the buying price', () => {
  expect(payloadOf({ ...MUG, 'Cost of goods': '4,20' }).price).toEqual({ salePrice: 9, buyingPrice: 4.2 });
});

test('one variation that may be oversold does not allow it for the others, and causes a warning', () => {
  const { payload, warnings } = mapExport(
    PRESET,
    SCARF,
    { ...GREY, ...counted('0', 'backorder') },
    { ...BLUE, ...counted('3') },
  );
  expect(payload).toMatchObject({ outStock: { disabled: false }, quantity: { instock: 3 } });
  expect(messagesOf(warnings)).toEqual([expect.stringContaining('sells on none')]);
});

const OFF = { Published: '0' };

test.each([
  ['an external product', [{ ...MUG, Type: 'external' }], 'another shop'],
  ['a grouped product', [{ ...MUG, Type: 'grouped', 'Regular price': '' }], 'no price of its own'],
  ['a product without a price', [{ ...MUG, 'Regular price': '' }], 'without a price'],
  ['a sale price alone', [{ ...MUG, 'Regular price': '', 'Sale price': '5' }], 'without a price'],
  ['variations without a price', [SCARF, { ...GREY, 'Regular price': '' }], 'without a price'],
  [
    'a variation without a price beside one that is disabled',
    [SCARF, { ...GREY, 'Regular price': '' }, { ...BLUE, ...OFF }],
    'without a price',
  ],
  ['variations that are all disabled', [SCARF, { ...GREY, ...OFF }, { ...BLUE, ...OFF }], 'switched on'],
  ['a variable product without variations', [SCARF], 'switched on'],
])('%s becomes a draft, with a warning', (_case, rows, words) => {
  const { payload, warnings } = mapExport(PRESET, ...(rows as Cells[]));
  expect(payload.status).toBe('DRAFT');
  expect(messagesOf(warnings)).toEqual([expect.stringContaining(words)]);
});

test.each([
  ['an external draft', { Type: 'external', Published: '-1' }],
  ['a hidden product without a price', { 'Regular price': '', 'Visibility in catalog': 'hidden' }],
])('%s is a draft already, without a warning', (_case, cells) => {
  const { payload, warnings } = mapExport(PRESET, { ...MUG, ...(cells as Cells) });
  expect(payload.status).toBe('DRAFT');
  expect(warnings).toBeUndefined();
});

test('a file without price columns causes no warning about prices', () => {
  const { 'Regular price': _, ...cells } = MUG;
  const { payload, warnings } = mapExport(PRESET, cells);
  expect(payload.status).toBe('PUBLISH');
  expect(warnings).toBeUndefined();
});

test('the stock of disabled variations does not count', () => {
  const off = { ...OFF, ...counted('5') };
  const { payload } = mapExport(
    PRESET,
    { ...SCARF, ...counted('') },
    { ...GREY, ...off },
    { ...BLUE, ...off },
  );
  expect(payload).not.toHaveProperty('quantity');
  expect(payload).not.toHaveProperty('variants');
});

test('a variation without a price is named if others have one', () => {
  const { payload, warnings } = mapExport(PRESET, SCARF, GREY, { ...BLUE, 'Regular price': '' });
  expect(payload.status).toBe('PUBLISH');
  expect(messagesOf(warnings)).toEqual([expect.stringContaining('a variation without a price')]);
});

const kinds = (...types: string[]) =>
  types.map((Type, index) => ({ ...GREY, Type, SKU: `V${index}`, Published: Type === '' ? '0' : '1' }));

test.each([
  [['variation, virtual', 'variation, virtual'], 'DIGITAL', undefined],
  [['variation, downloadable, virtual', 'variation, downloadable'], 'DIGITAL', { downloadable: true }],
  [['variation, downloadable, virtual', 'variation, virtual'], 'DIGITAL', undefined],
  [['variation, virtual', 'variation'], 'PHYSICAL', undefined],
  [['variation', 'variation'], 'PHYSICAL', undefined],
])('a product with the variations %j is %s', (types, productType, digitalConfig) => {
  const payload = payloadOf(SCARF, ...kinds(...(types as string[])));
  expect(payload.productType).toBe(productType);
  expect(payload.digitalConfig).toEqual(digitalConfig);
});

test('a disabled variation does not make its product a shipped one', () => {
  const [virtual = {}] = kinds('variation, virtual');
  expect(payloadOf(SCARF, virtual, { ...BLUE, ...OFF }).productType).toBe('DIGITAL');
});

test('two variations with the same options are both kept, with their SKU, and are found', () => {
  const size = attributes(['Size', 'M']);
  const { payload } = mapExport(PRESET, SCARF, { ...GREY, ...size }, { ...BLUE, ...size, SKU: 'GREY' });
  expect(payload.variants).toMatchObject([{ reference: 'GREY' }, { reference: 'GREY' }]);
  const found = variantFaults(payload, false).map(({ code, field, before }) => [code, field, before]);
  expect(found).toEqual([
    ['same-sku', 'variants.1.reference', 'variants.0.reference'],
    ['same-options', 'variants.1.option1.value1', 'variants.0.option1.value1'],
  ]);
  const other = mapExport(PRESET, SCARF, { ...GREY, ...size }, { ...BLUE, ...attributes(['Size', 'L']) });
  expect(variantFaults(other.payload, false)).toEqual([]);
});

test('a value that only a variation has is a value of the option, behind those of the product', () => {
  const product = { ...SCARF, ...attributes(['Size', 'S, M']) };
  const [small, huge] = [attributes(['Size', 'S']), attributes(['Size', 'XL\\, wide'])];
  const { options, variants } = payloadOf(product, { ...GREY, ...small }, { ...BLUE, ...huge });
  expect(options).toEqual([
    { name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }, { value1: 'XL, wide' }] },
  ]);
  expect(variants).toMatchObject([{ option1: { value1: 'S' } }, { option1: { value1: 'XL, wide' } }]);
});

test.each([{ 'Date sale price starts': '2999-01-01' }, { 'Date sale price ends': '2999-01-01' }])(
  'a sale price that is left out for its dates causes a warning: %j',
  (dates) => {
    const cells = { 'Regular price': '9', 'Sale price': '7', ...dates };
    const about = [expect.stringContaining('no place for dates')];
    expect(mapExport(PRESET, { ...MUG, ...(cells as Cells) }).warnings).toEqual(about);
    const { warnings } = mapExport(PRESET, SCARF, { ...GREY, ...(cells as Cells) });
    expect([...new Set(messagesOf(warnings))]).toEqual(about);
  },
);

test('a sale that has ended causes no warning', () => {
  const cells = {
    'Sale price': '7',
    'Date sale price starts': '2001-01-01',
    'Date sale price ends': '2001-02-01',
  };
  const { payload, warnings } = mapExport(PRESET, { ...MUG, ...cells });
  expect(payload.price).toEqual({ salePrice: 9 });
  expect(warnings).toBeUndefined();
});
