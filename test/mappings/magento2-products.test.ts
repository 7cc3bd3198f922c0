import { describe, expect, test } from 'vitest';
import { messagesOf } from '../support/map-rows.ts';
import { PLAIN, payloadOf, TEE, variant } from './magento2-rows.ts';
import { gatherExport, mapExport } from './read-export.ts';

test('options are the attributes of the variations, with their labels and the values of variants, in order', () => {
  const payload = payloadOf(
    TEE,
    variant('TEE-S'),
    variant('TEE-M'),
    variant('TEE-X', { product_online: '2' }),
  );
  expect(payload.options).toEqual([
    { name: 'Size', values: [{ value1: 'S' }, { value1: '5,5' }] },
    { name: 'Colour, outside', values: [{ value1: 'Black, matt' }, { value1: 'Red' }] },
  ]);
});

test('a variant has its own values, whatever the order of the rows', () => {
  const { variants } = payloadOf(TEE, variant('TEE-M'), variant('TEE-S'));
  expect(variants).toMatchObject([
    {
      reference: 'TEE-M',
      option1: { name: 'Size', value1: '5,5' },
      option2: { name: 'Colour, outside', value1: 'Red' },
    },
    {
      reference: 'TEE-S',
      option1: { name: 'Size', value1: 'S' },
      option2: { name: 'Colour, outside', value1: 'Black, matt' },
    },
  ]);
  expect((variants as object[]).filter((each) => 'option3' in each)).toEqual([]);
});

test('a third option is in a variant, and a fourth only in the list of options', () => {
  const wide = {
    ...TEE,
    configurable_variations: 'sku=TEE-S,size=S,color=Red,fit=Slim,cut=Short',
    configurable_variation_labels: '',
  };
  const { options, variants } = payloadOf(wide, variant('TEE-S'));
  expect((options as { name: string }[]).map(({ name }) => name)).toEqual(['size', 'color', 'fit', 'cut']);
  expect((variants as object[])[0]).toMatchObject({
    option1: { name: 'size', value1: 'S' },
    option2: { name: 'color', value1: 'Red' },
    option3: { name: 'fit', value1: 'Slim' },
  });
});

test('a sku that begins like another is not confused with it', () => {
  const similar = { ...TEE, configurable_variations: 'sku=TEE-S-2,size=L|sku=TEE-S,size=S' };
  expect(payloadOf(similar, variant('TEE-S')).options).toEqual([{ name: 'Size', values: [{ value1: 'S' }] }]);
});

test('images are those with whole addresses, in order, each once, followed by those of variants', () => {
  const payload = payloadOf(
    {
      ...TEE,
      base_image: 'https://img.example.com/a.jpg',
      base_image_label: 'Front',
      additional_images:
        'https://img.example.com/c.jpg, https://img.example.com/a.jpg,/t/e/tee.jpg,https://img.example.com/b.jpg',
      additional_image_labels: 'Sleeve,,Path,Back',
    },
    variant('TEE-S', { base_image: 'https://img.example.com/s.jpg' }),
    variant('TEE-M', { base_image: 'https://img.example.com/b.jpg' }),
    variant('TEE-X', { base_image: 'https://img.example.com/x.jpg', product_online: '2' }),
  );
  expect(payload.images).toEqual([
    { src: 'https://img.example.com/a.jpg', title: 'Front' },
    { src: 'https://img.example.com/c.jpg', title: 'Sleeve' },
    { src: 'https://img.example.com/b.jpg', title: 'Back' },
    { src: 'https://img.example.com/s.jpg' },
  ]);
});

test('labels are left out if their number differs from that of the images', () => {
  const payload = payloadOf({
    ...PLAIN,
    additional_images: 'https://img.example.com/a.jpg,https://img.example.com/b.jpg',
    additional_image_labels: 'Front, lid open,Back',
  });
  expect(payload.images).toEqual([
    { src: 'https://img.example.com/a.jpg' },
    { src: 'https://img.example.com/b.jpg' },
  ]);
});

test.each([
  ['without an end is used', {}, { salePrice: 15, comparePrice: 20 }],
  [
    'that has begun is used',
    { special_price_from_date: '1/5/20, 12:00 AM' },
    { salePrice: 15, comparePrice: 20 },
  ],
  ['that begins later is not used', { special_price_from_date: '12/5/98' }, { salePrice: 20 }],
  [
    'that begins later, year first, is not used',
    { special_price_from_date: '2999-01-05 00:00:00' },
    { salePrice: 20 },
  ],
  ['with an end is not used', { special_price_to_date: '2026-01-31' }, { salePrice: 20 }],
  ['of a bundle, a percentage, is not used', { product_type: 'bundle' }, { salePrice: 20 }],
])('a special price %s', (_, more, price) => {
  const sold = { ...PLAIN, price: '20', special_price: '15', special_price_to_date: '', ...more };
  expect(payloadOf(sold).price).toEqual(price);
});

test.each([{ special_price_from_date: '2999-01-01' }, { special_price_to_date: '2999-01-01' }])(
  'a special price that is left out for its dates causes a warning, also of a variant: %j',
  (dates) => {
    const cells = { price: '20', special_price: '15', special_price_to_date: '', ...dates };
    const about = [expect.stringContaining('no place for dates')];
    const [preset, bundle] = ['magento2-products', { product_type: 'bundle' }];
    expect(mapExport(preset, { ...PLAIN, ...cells }).warnings).toEqual(about);
    const { warnings } = mapExport(preset, TEE, variant('TEE-S', cells), variant('TEE-M'));
    expect([...new Set(messagesOf(warnings))]).toEqual(about);
    expect(mapExport(preset, { ...PLAIN, ...cells, ...bundle }).warnings).toBeUndefined();
    expect(mapExport(preset, { ...PLAIN, ...cells, special_price: '25' }).warnings).toBeUndefined();
    const over = { special_price_from_date: '', special_price_to_date: '2001-01-01' };
    expect(mapExport(preset, { ...PLAIN, ...cells, ...over }).warnings).toBeUndefined();
  },
);

test('a special price of a variant is used for that variant only', () => {
  const { price, variants } = payloadOf(
    { ...TEE, price: '' },
    variant('TEE-S', { special_price: '9', special_price_to_date: '2026-01-31' }),
    variant('TEE-M', { special_price: '12', special_price_to_date: '' }),
  );
  expect(price).toEqual({ salePrice: 19 });
  expect(variants).toMatchObject([
    { price: { salePrice: 19 } },
    { price: { salePrice: 12, comparePrice: 19 } },
  ]);
});

test('the manufacturer is the brand', () => {
  const attributes = 'material=Iron|Clay,manufacturer=Fonte, Whitby,new=No';
  expect(payloadOf({ ...PLAIN, additional_attributes: attributes }).brand).toEqual({ name: 'Fonte, Whitby' });
});

test('an empty cell of a configurable product is not filled from its variants', () => {
  const hidden = { visibility: 'Not Visible Individually', short_description: 'Small' };
  const payload = payloadOf({ ...TEE, visibility: '', short_description: '' }, variant('TEE-S', hidden));
  expect(payload).toMatchObject({ status: 'PUBLISH' });
  expect(payload).not.toHaveProperty('description');
});

test.each([
  ['goods', ['simple', 'simple'], 'PHYSICAL', undefined],
  ['virtual', ['virtual', 'virtual'], 'DIGITAL', undefined],
  ['downloads', ['downloadable', 'virtual'], 'DIGITAL', { downloadable: true }],
  ['partly goods', ['downloadable', 'simple'], 'PHYSICAL', undefined],
])('a configurable product has the type of its variants: %s', (_, types, productType, digitalConfig) => {
  const payload = payloadOf(TEE, ...types.map((product_type, n) => variant(`TEE-${n}`, { product_type })));
  expect([payload.productType, payload.digitalConfig]).toEqual([productType, digitalConfig]);
});

test.each([
  ['simple', 'PHYSICAL', undefined],
  ['virtual', 'DIGITAL', undefined],
  ['downloadable', 'DIGITAL', { downloadable: true }],
  ['grouped', 'PHYSICAL', undefined],
  ['bundle', 'PHYSICAL', undefined],
  ['configurable', 'PHYSICAL', undefined],
])('a %s product by itself is %s', (product_type, productType, digitalConfig) => {
  const payload = payloadOf({ ...PLAIN, product_type });
  expect([payload.productType, payload.digitalConfig]).toEqual([productType, digitalConfig]);
});

test.each([
  ['a dynamic bundle', { product_type: 'bundle', bundle_price_type: 'dynamic', price: '0.000000' }, {}],
  [
    'a dynamic bundle, whatever its price cell has',
    { product_type: 'bundle', bundle_price_type: 'dynamic', price: '14' },
    {},
  ],
  [
    'a bundle without a price',
    { product_type: 'bundle', bundle_price_type: 'fixed', price: '0.00' },
    { price: { salePrice: 0 } },
  ],
  ['a grouped product', { product_type: 'grouped', price: '' }, {}],
  ['a gift card', { product_type: 'giftcard', price: '20' }, { price: { salePrice: 20 } }],
])('%s is never published, and causes a warning', (_, cells, price) => {
  const { payload, warnings } = mapExport('magento2-products', { ...PLAIN, ...cells });
  expect(payload.status).toBe('DRAFT');
  expect(payload).toMatchObject(price);
  if (!('price' in price)) expect(payload).not.toHaveProperty('price');
  expect(warnings).toHaveLength(1);
});

test.each([
  ['a fixed bundle', { product_type: 'bundle', bundle_price_type: 'fixed', price: '14' }],
  ['a free product', { price: '0' }],
])('%s is published with its price', (_, cells) => {
  const { payload, warnings } = mapExport('magento2-products', { ...PLAIN, ...cells });
  expect(payload).toMatchObject({ status: 'PUBLISH', price: { salePrice: Number(cells.price) } });
  expect(warnings).toBeUndefined();
});

describe('translations', () => {
  const inFrench = (sku: string, name: string, more: Record<string, string> = {}) => ({
    sku,
    store_view_code: 'fr',
    name,
    ...more,
  });
  const french = (name: string) => ({ language: 'fr', properties: [{ name: 'name', value: name }] });

  test('of a product are those of its own rows, and not of its variants', () => {
    const payload = payloadOf(
      TEE,
      variant('TEE-S'),
      inFrench('TEE-S', 'Chemise S'),
      inFrench('TEE', 'Chemise'),
    );
    expect(payload.translates).toEqual([french('Chemise')]);
  });

  test('of variants are not those of the product', () => {
    const payload = payloadOf(TEE, variant('TEE-S'), inFrench('TEE-S', 'Chemise S'));
    expect(payload).not.toHaveProperty('translates');
  });

  test('are in several languages, with the fields of each', () => {
    const payload = payloadOf(
      PLAIN,
      inFrench('POT', 'Théière', { description: '<p>Pour le thé</p>', short_description: 'Thé' }),
      { sku: 'POT', store_view_code: 'de', description: 'Für Tee' },
      { sku: 'POT', store_view_code: 'en' },
    );
    expect(payload.translates).toEqual([
      {
        language: 'fr',
        properties: [
          { name: 'name', value: 'Théière' },
          { name: 'html', value: '<p>Pour le thé</p>' },
          { name: 'description', value: 'Thé' },
        ],
      },
      { language: 'de', properties: [{ name: 'html', value: 'Für Tee' }] },
      { language: 'en' },
    ]);
  });
});

test.each([
  ['lower', '8.50', { salePrice: 8.5, comparePrice: 10 }],
  ['lower as a number, not as a text', '9', { salePrice: 9, comparePrice: 10 }],
  ['higher', '12', { salePrice: 10 }],
  ['equal', '10.0000', { salePrice: 10 }],
])('a special price that is %s', (_, special_price, price) => {
  const cells = { price: '10', special_price, special_price_to_date: '' };
  expect(payloadOf({ ...PLAIN, ...cells }).price).toEqual(price);
  const tee = payloadOf({ ...TEE, price: '' }, variant('TEE-S', cells));
  expect(tee.price).toEqual(price);
  expect((tee.variants as { price: object }[])[0]?.price).toEqual(price);
});

test.each([
  ['special_price', { price: '10', special_price: '1,000' }],
  ['price', { price: '1,000', special_price: '10' }],
])('a %s that is not a number is an issue of its cell', (column, cells) => {
  const wrong = { ...cells, special_price_to_date: '' };
  const issue = { code: 'not-a-number', column };
  expect(mapExport('magento2-products', { ...PLAIN, ...wrong }).issues).toMatchObject([issue]);
  const ofVariant = mapExport('magento2-products', { ...TEE, price: '5' }, variant('TEE-S', wrong));
  expect(ofVariant.issues).toMatchObject([issue]);
});

test.each([
  ['in quotes', 'material="Iron"|"Clay",manufacturer="Foo, Inc",new="No"', 'Foo, Inc'],
  ['in capitals', 'Manufacturer="Foo",new="No"', 'Foo'],
  ['in quotes at the end', 'manufacturer="Foo"', 'Foo'],
  ['with quotes and pairs in it', 'manufacturer="Foo ""& Sons"", size=L",new="No"', 'Foo "& Sons", size=L'],
  ['in the text of another attribute', 'note="see, manufacturer=""Bar"", there",manufacturer="Foo"', 'Foo'],
  ['that begins with a word in quotes', 'manufacturer="Foo" Ltd,new=No', '"Foo" Ltd'],
])('a manufacturer %s is read from additional_attributes', (_, additional_attributes, name) => {
  expect(payloadOf({ ...PLAIN, additional_attributes }).brand).toEqual({ name });
});

test('a slash in the name of a category does not separate categories', () => {
  const categories = 'Default Category/Women\\/Girls,Shop\\/Main/Men/Tops\\/Shirts,Default Category';
  expect(payloadOf({ ...PLAIN, categories }).collections).toEqual(['Women/Girls', 'Men/Tops/Shirts']);
});

test('a product with only disabled variants has no options', () => {
  const disabled = { product_online: '2' };
  const payload = payloadOf(TEE, variant('TEE-S', disabled), variant('TEE-M', disabled));
  expect(payload).not.toHaveProperty('options');
  expect(payload).not.toHaveProperty('variants');
});

test('a simple product of two configurable ones is a variant of both', async () => {
  const tee = (sku: string, sizes: string) => ({ ...TEE, sku, configurable_variations: sizes });
  const records = await gatherExport(
    'magento2-products',
    variant('S'),
    tee('TEE', 'sku=S,size=S|sku=M,size=M'),
    variant('M'),
    tee('SET', 'sku=S,size=Small'),
  );
  expect(records).toMatchObject([
    { issues: [], payload: { reference: 'TEE', variants: [{ reference: 'S' }, { reference: 'M' }] } },
    {
      issues: [],
      payload: {
        reference: 'SET',
        variants: [{ reference: 'S', option1: { name: 'Size', value1: 'Small' } }],
      },
    },
  ]);
  expect(records).toHaveLength(2);
});

test('the sku of a variation may be anywhere in it, and is not an option', () => {
  const tee = {
    ...TEE,
    configurable_variations: 'size=S,sku=TEE-S,color=Black, matt|size=5,5,color=Red,sku=TEE-M',
    configurable_variation_labels: '',
  };
  const { options, variants } = payloadOf(tee, variant('TEE-S'), variant('TEE-M'));
  expect(options).toEqual([
    { name: 'size', values: [{ value1: 'S' }, { value1: '5,5' }] },
    { name: 'color', values: [{ value1: 'Black, matt' }, { value1: 'Red' }] },
  ]);
  expect(variants).toMatchObject([
    { option1: { name: 'size', value1: 'S' }, option2: { name: 'color', value1: 'Black, matt' } },
    { option1: { name: 'size', value1: '5,5' }, option2: { name: 'color', value1: 'Red' } },
  ]);
  expect((variants as object[]).filter((each) => 'option3' in each)).toEqual([]);
});
