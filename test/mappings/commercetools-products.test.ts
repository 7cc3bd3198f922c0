import { describe, expect, test } from 'vitest';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'commercetools-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

const DICE: Cells = {
  _published: 'true',
  productType: 'goods',
  variantId: '1',
  sku: 'DICE-6',
  prices: 'EUR 1250',
  categories: 'Games>Dice;Gifts',
  images: 'https://shop.example.com/1.jpg;//shop.example.com/2.jpg',
  'name.en': 'Oak dice',
  'description.en': '<p>Six.</p>',
  'slug.en': 'oak-dice',
  'name.de': 'Würfel',
  'description.de': '',
  'slug.de': 'wuerfel',
};

const further = (id: number, more: Cells = {}): Cells => ({
  variantId: String(id),
  sku: `DICE-${id}`,
  ...more,
});

test('a product with one variant is simple, with its other language as a translation', () => {
  expect(payloadOf(DICE)).toEqual({
    name: 'Oak dice',
    reference: 'oak-dice',
    html: '<p>Six.</p>',
    model: 'DICE-6',
    type: 'simple',
    collections: ['Games>Dice', 'Gifts'],
    status: 'PUBLISH',
    price: { salePrice: 12.5 },
    images: [{ src: 'https://shop.example.com/1.jpg' }, { src: 'https://shop.example.com/2.jpg' }],
    translates: [
      {
        language: 'en',
        properties: [
          { name: 'name', value: 'Oak dice' },
          { name: 'html', value: '<p>Six.</p>' },
        ],
      },
      { language: 'de', properties: [{ name: 'name', value: 'Würfel' }] },
    ],
  });
});

test('a file without English texts is read in its own language', () => {
  const german = Object.fromEntries(Object.entries(DICE).filter(([name]) => !name.endsWith('.en')));
  expect(payloadOf(german)).toMatchObject({ name: 'Würfel', reference: 'wuerfel' });
});

describe('prices', () => {
  const priceOf = (prices: string) => payloadOf({ ...DICE, prices }).price;

  test.each([
    ['EUR 899', 8.99],
    ['CH-EUR 999 B2B;EUR 899;USD 19900 #retailerA;DE-EUR 1000 B2C#wareHouse1', 8.99],
    ['EUR 899 B2B;EUR 900#shop; EUR 901', 9.01],
    ['JPY 4500;EUR 3000', 4500],
    ['KWD 12345', 12.345],
    ['EUR 10', 0.1],
  ])('%s costs %d for everyone', (prices, amount) => {
    expect(priceOf(prices)).toEqual({ salePrice: amount });
  });

  test.each(['CH-EUR 999', 'EUR 799 B2B', 'DE-EUR 1000;EUR 3240#vienna'])(
    'with "%s" a product is a draft without a price',
    (prices) => {
      const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, prices });
      expect([payload.price, payload.status, warnings.length]).toEqual([undefined, 'DRAFT', 1]);
    },
  );

  test.each(['EUR 9.99', 'cheap', 'EUR'])('"%s" is an issue', (prices) => {
    expect(mapExport(PRESET, { ...DICE, prices }).issues[0]).toMatchObject({ field: 'price.salePrice' });
  });
});

describe('status', () => {
  test('a product that is not published is a draft', () => {
    expect(payloadOf({ ...DICE, _published: 'false' }).status).toBe('DRAFT');
  });

  test('a file that does not say whether products are published makes drafts with a warning', () => {
    const { _published, ...rest } = DICE;
    const { payload, warnings = [] } = mapExport(PRESET, rest);
    expect([payload.status, warnings.length]).toEqual(['DRAFT', 1]);
  });
});

describe('variants', () => {
  test('rows without a product type are variants of the product above', async () => {
    const basket = { ...DICE, 'slug.en': 'basket', 'name.en': 'Basket', sku: 'BSK' };
    const records = await gatherExport(PRESET, DICE, further(2, { prices: 'EUR 1500' }), basket);
    expect(records.map(({ payload }) => payload.reference)).toEqual(['oak-dice', 'basket']);
    expect(records[0]?.payload).toMatchObject({
      type: 'variable',
      price: { salePrice: 12.5 },
      variants: [
        { name: 'DICE-6', reference: 'DICE-6', price: { salePrice: 12.5 } },
        { name: 'DICE-2', reference: 'DICE-2', price: { salePrice: 15 } },
      ],
    });
    expect(records[1]?.payload.variants).toBeUndefined();
  });

  test('a product with variants is a draft with a warning, and has the images of all', () => {
    const rows = [DICE, further(2, { images: 'https://shop.example.com/3.jpg' })] as const;
    const { payload, warnings = [] } = mapExport(PRESET, ...rows);
    expect([payload.status, payload.model, warnings.length]).toEqual(['DRAFT', undefined, 1]);
    expect(payload.images).toHaveLength(3);
  });
});
