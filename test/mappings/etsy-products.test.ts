import { describe, expect, test } from 'vitest';
import { mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'etsy-products';
type Cells = Record<string, string>;

const DICE: Cells = {
  TITLE: 'Oak dice, set of six',
  DESCRIPTION: 'Six.\n\n• In a tin',
  PRICE: '12.50',
  CURRENCY_CODE: 'EUR',
  QUANTITY: '15',
  TAGS: 'oak_dice,gift',
  MATERIALS: 'Oak',
  IMAGE1: 'https://shop.example.com/1.jpg',
  IMAGE2: '',
  IMAGE10: 'https://shop.example.com/10.jpg',
  'VARIATION 1 TYPE': '',
  'VARIATION 1 NAME': '',
  'VARIATION 1 VALUES': '',
  'VARIATION 2 TYPE': '',
  'VARIATION 2 NAME': '',
  'VARIATION 2 VALUES': '',
  SKU: 'DICE-6',
};
const payloadOf = (more: Cells = {}) => payloadIn(PRESET, { ...DICE, ...more });

const DICE_PAYLOAD = {
  name: 'Oak dice, set of six',
  reference: 'DICE-6',
  description: 'Six.\n\n• In a tin',
  type: 'simple',
  tags: ['oak dice', 'gift'],
  status: 'PUBLISH',
  price: { salePrice: 12.5 },
  quantity: { instock: 15 },
  images: [{ src: 'https://shop.example.com/1.jpg' }, { src: 'https://shop.example.com/10.jpg' }],
};

test('a listing without variations is simple and published', () => {
  expect(payloadOf()).toEqual(DICE_PAYLOAD);
});

test('the German names give the same payload', () => {
  const german = (name: string) =>
    name
      .replace(/^TITLE$/, 'TITEL')
      .replace(/^DESCRIPTION$/, 'BESCHREIBUNG')
      .replace(/^PRICE$/, 'PREIS')
      .replace(/^CURRENCY_CODE$/, 'WÄHRUNGSCODE')
      .replace(/^QUANTITY$/, 'STÜCKZAHL')
      .replace(/^IMAGE/, 'BILD')
      .replace(/^VARIATION (\d) TYPE$/, 'VARIATIONSTYP $1')
      .replace(/^VARIATION (\d) NAME$/, 'VARIATIONSNAME $1')
      .replace(/^VARIATION (\d) VALUES$/, 'VARIATIONSWERT $1')
      .replace(/^SKU$/, 'BESTANDSEINHEIT');
  const translated = Object.fromEntries(Object.entries(DICE).map(([name, cell]) => [german(name), cell]));
  expect(payloadIn(PRESET, translated)).toEqual(DICE_PAYLOAD);
  expect(payloadIn(PRESET, { ...translated, PREIS: '12,50' })).toEqual(DICE_PAYLOAD);
  const sizes = { 'VARIATIONSNAME 1': 'Größe', 'VARIATIONSWERT 1': 'S,M' };
  expect(payloadIn(PRESET, { ...translated, ...sizes }).options).toEqual([
    { name: 'Größe', values: [{ value1: 'S' }, { value1: 'M' }] },
  ]);
});

test('a price that could be a thousand or not is an issue', () => {
  expect(mapExport(PRESET, { ...DICE, PRICE: '1,299' }).issues).toMatchObject([{ code: 'not-a-number' }]);
});

test.each(['', 'A-1,A-2'])('with "%s" as the stock number, the title is the reference', (sku) => {
  expect(payloadOf({ SKU: sku }).reference).toBe('oak-dice-set-of-six');
});

describe('variations', () => {
  const VARIED: Cells = {
    'VARIATION 1 TYPE': 'Color',
    'VARIATION 1 NAME': 'Primary color',
    'VARIATION 1 VALUES': 'Moss,Forest Green',
    'VARIATION 2 TYPE': 'Size',
    'VARIATION 2 VALUES': 'S,M',
    SKU: 'A-1,A-2,A-3,A-4',
  };

  test('each combination is a variant without a price and a stock of its own', () => {
    const { type, options, variants, price, quantity } = payloadOf(VARIED);
    expect([type, price, quantity]).toEqual(['variable', { salePrice: 12.5 }, { instock: 15 }]);
    expect(options).toEqual([
      { name: 'Primary color', values: [{ value1: 'Moss' }, { value1: 'Forest Green' }] },
      { name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] },
    ]);
    const of = (color: string, size: string) => ({
      name: `${color} - ${size}`,
      option1: { name: 'Primary color', value1: color },
      option2: { name: 'Size', value1: size },
    });
    expect(variants).toEqual([
      of('Moss', 'S'),
      of('Moss', 'M'),
      of('Forest Green', 'S'),
      of('Forest Green', 'M'),
    ]);
  });

  test('a listing with variations is a draft with a warning, since the file has one price for all', () => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...VARIED });
    expect(payload.status).toBe('DRAFT');
    expect(warnings).toHaveLength(1);
  });
});
