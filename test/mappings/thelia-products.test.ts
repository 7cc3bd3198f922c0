import { expect, test } from 'vitest';
import { mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'thelia-products';
type Cells = Record<string, string>;

const BENCH: Cells = {
  REF: 'BENCH',
  'TITRE UK': 'Garden bench',
  'CHAPO UK': 'A bench for two',
  'CHAPO FR': 'Un banc pour deux',
  'DESCRIPTIF UK': '<p>Oak.</p>',
  'DESCRIPTIF FR': '<p>Chêne.</p>',
  PRIX: '240',
  PRIX2: '',
  PHOTO: 'https://a.example/1.jpg;https://a.example/2.jpg;',
  BRAND: 'Oakworks',
  'COULEUR UK': '',
  CATEGORIE: 'Garden; Benches',
};
const payloadOf = (more: Cells = {}) => payloadIn(PRESET, { ...BENCH, ...more });

test('a row is a product, with the texts of other languages as translations', () => {
  expect(payloadOf()).toEqual({
    name: 'Garden bench',
    reference: 'BENCH',
    html: '<p>Oak.</p>',
    description: 'A bench for two',
    type: 'simple',
    collections: ['Garden', 'Benches'],
    status: 'PUBLISH',
    price: { salePrice: 240 },
    brand: { name: 'Oakworks' },
    images: [{ src: 'https://a.example/1.jpg' }, { src: 'https://a.example/2.jpg' }],
    translates: [
      {
        language: 'en',
        properties: [
          { name: 'name', value: 'Garden bench' },
          { name: 'html', value: '<p>Oak.</p>' },
          { name: 'description', value: 'A bench for two' },
        ],
      },
      {
        language: 'fr',
        properties: [
          { name: 'html', value: '<p>Chêne.</p>' },
          { name: 'description', value: 'Un banc pour deux' },
        ],
      },
    ],
  });
});

test('a file in French only has French texts', () => {
  const { 'TITRE UK': title = '', 'CHAPO UK': _chapo, 'DESCRIPTIF UK': _text, ...rest } = BENCH;
  expect(payloadIn(PRESET, { ...rest, 'TITRE FR': title })).toMatchObject({
    name: title,
    html: '<p>Chêne.</p>',
    description: 'Un banc pour deux',
  });
});

test.each([
  [
    'a lower price of a promotion has the regular one beside it',
    '199.50',
    { salePrice: 199.5, comparePrice: 240 },
  ],
  ['a price of a promotion that is not lower is left out', '250', { salePrice: 240 }],
  ['a price of 0 is no promotion', '0', { salePrice: 240 }],
])('%s', (_what, PRIX2, price) => {
  expect(payloadOf({ PRIX2 }).price).toEqual(price);
});

test('a product without a price is a draft with a warning', () => {
  const { payload, warnings = [] } = mapExport(PRESET, { ...BENCH, PRIX: '' });
  expect([payload.status, payload.price, warnings.length]).toEqual(['DRAFT', undefined, 1]);
});

test('each color is a variant at the price of the product', () => {
  expect(payloadOf({ 'COULEUR UK': 'green;white;', PRIX2: '199' })).toMatchObject({
    type: 'variable',
    options: [{ name: 'Colour', values: [{ value1: 'green' }, { value1: 'white' }] }],
    variants: [
      {
        name: 'green',
        option1: { name: 'Colour', value1: 'green' },
        price: { salePrice: 199, comparePrice: 240 },
      },
      { name: 'white', option1: { name: 'Colour', value1: 'white' } },
    ],
  });
});
