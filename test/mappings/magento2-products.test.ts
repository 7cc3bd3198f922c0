import { expect, test } from 'vitest';
import { payloadOf as payloadIn } from './read-export.ts';

const payloadOf = (...rows: Record<string, string>[]) => payloadIn('magento2-products', ...rows);

const PLAIN = {
  sku: 'POT',
  store_view_code: '',
  product_type: 'simple',
  name: 'Tea pot',
  product_online: '1',
};

/** A configurable product, as the shop writes it: the variations name their attributes, the labels name these. */
const TEE = {
  ...PLAIN,
  sku: 'TEE',
  product_type: 'configurable',
  name: 'T-shirt',
  configurable_variations:
    'sku=TEE-S,size=S,color=Black, matt|sku=TEE-M,size=5,5,color=Red|sku=TEE-X,size=X,color=Red',
  configurable_variation_labels: 'color=Colour, outside,size=Size',
};
const variant = (sku: string, more: Record<string, string> = {}) => ({
  ...PLAIN,
  sku,
  name: sku,
  price: '19',
  ...more,
});

test('options are the attributes of the variations, by their labels, in order and with what is sold', () => {
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

test('a variant names its own values, whatever the order of the rows', () => {
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

test('a third option has its place, and a fourth is only in the list', () => {
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

test('an sku that begins like another is not taken for it', () => {
  const similar = { ...TEE, configurable_variations: 'sku=TEE-S-2,size=L|sku=TEE-S,size=S' };
  expect(payloadOf(similar, variant('TEE-S')).options).toEqual([{ name: 'Size', values: [{ value1: 'S' }] }]);
});

test('images are those with whole addresses, in order, each once, and then those of variants', () => {
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

test('labels that are not as many as the images are nobody can say whose', () => {
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
  ['without an end', {}, { salePrice: 15, comparePrice: 20 }],
  ['from a day on', { special_price_from_date: '2026-01-01' }, { salePrice: 15, comparePrice: 20 }],
  ['with an end', { special_price_to_date: '2026-01-31' }, { salePrice: 20 }],
  ['of a bundle, a percentage', { product_type: 'bundle' }, { salePrice: 20 }],
])('a special price %s', (_, more, price) => {
  const sold = { ...PLAIN, price: '20', special_price: '15', special_price_to_date: '', ...more };
  expect(payloadOf(sold).price).toEqual(price);
});

test('a special price of a variant holds for itself only', () => {
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
