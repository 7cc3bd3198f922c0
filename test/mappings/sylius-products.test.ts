import { describe, expect, test } from 'vitest';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'sylius-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

const DICE: Cells = {
  Code: 'oak_dice',
  Locale: 'en_GB',
  Name: 'Oak dice',
  Description: 'Six.',
  Short_description: 'Dice',
  Meta_description: 'Six dice of oak.',
  Meta_keywords: 'dice, oak',
  Main_taxon: 'games',
  Taxons: 'games|gifts',
  Channels: 'WEB',
  Enabled: '1',
  Price: '1250',
  Images_main: 'https://shop.example.com/1.jpg',
  Images_detail: 'https://shop.example.com/2.jpg',
};

test('a row is a product with its price in units', () => {
  expect(payloadOf(DICE)).toEqual({
    name: 'Oak dice',
    reference: 'oak_dice',
    html: 'Six.',
    description: 'Dice',
    type: 'simple',
    collections: ['games', 'gifts'],
    seo: { description: 'Six dice of oak.', keywords: ['dice', 'oak'] },
    status: 'PUBLISH',
    price: { salePrice: 12.5 },
    images: [{ src: 'https://shop.example.com/1.jpg' }, { src: 'https://shop.example.com/2.jpg' }],
  });
});

test('rows of one code are translations of the first', async () => {
  const french = { ...DICE, Locale: 'fr_FR', Name: 'Dés', Description: '', Short_description: 'Jeu' };
  const records = await gatherExport(PRESET, DICE, french, { ...DICE, Code: 'cap' });
  expect(records.map(({ payload }) => payload.reference)).toEqual(['oak_dice', 'cap']);
  expect(records[0]?.payload).toMatchObject({
    name: 'Oak dice',
    translates: [
      {
        language: 'fr_FR',
        properties: [
          { name: 'name', value: 'Dés' },
          { name: 'description', value: 'Jeu' },
        ],
      },
    ],
  });
  expect(records[1]?.payload.translates).toBeUndefined();
});

test.each(['12.50', '12,50'])('the price "%s" is an issue', (Price) => {
  expect(mapExport(PRESET, { ...DICE, Price }).issues[0]).toMatchObject({ field: 'price.salePrice' });
});

test.each(['abc', '1250 EUR'])('the price "%s" is no number', (Price) => {
  expect(mapExport(PRESET, { ...DICE, Price }).issues).toMatchObject([{ code: 'not-a-number' }]);
});

describe('status', () => {
  test.each([
    ['a disabled product', { Enabled: '0' }, 0],
    ['a product without a price', { Price: '' }, 1],
    ['a product that may be enabled or not', { Enabled: '' }, 1],
  ])('%s is a draft', (_what, more: Cells, warned) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...more });
    expect([payload.status, warnings.length]).toEqual(['DRAFT', warned]);
  });
});
