import { describe, expect, test } from 'vitest';
import { createDictionary } from '../../../src/suggest/names/dictionary.ts';
import { readName } from '../../../src/suggest/names/read-name.ts';
import { wordsIn } from '../../../src/suggest/names/tokens.ts';

const dictionary = createDictionary({
  en: {
    price: 'price',
    product: 'product',
    name: 'name',
    image: 'image',
    url: 'url, urls',
    stock: 'stock, in stock',
    net: 'excl tax',
  },
  de: {
    price: 'preis',
    sale: 'angebot',
    stock: 'lager, bestand',
    description: 'beschreibung',
    short: 'kurz',
  },
  fr: { price: 'prix', first: 'prénom', last: 'nom de famille' },
  ja: { product: '商品', name: '名', price: '価格' },
});

const conceptsOf = (name: string) => readName(name, dictionary).terms.flat();

test.each([
  ['ProductName', ['product', 'name']],
  ['product_name', ['product', 'name']],
  ['Image URLs', ['image', 'urls']],
  ['URLKey', ['url', 'key']],
  ['Option1 Value', ['option', '1', 'value']],
  ['PRÉNOM', ['prenom']],
  ['Größe (cm)', ['grosse', 'cm']],
  ['商品名', ['商品名']],
  ['データ', ['データ']],
])('the name %s has the words %j', (name, words) => {
  expect(wordsIn(name)).toEqual(words);
});

describe('a name is read as concepts', () => {
  test.each([
    ['Product Name', ['product', 'name']],
    ['productname', ['product', 'name']],
    ['Angebotspreis', ['sale', 'price']],
    ['Lagerbestand', ['stock', 'stock']],
    ['Kurzbeschreibung', ['short', 'description']],
    ['Prénom', ['first']],
    ['Nom de famille', ['last']],
    ['商品名', ['product', 'name']],
    ['In stock', ['stock']],
    ['Price (excl. tax)', ['price', 'net']],
  ])('%s', (name, concepts) => {
    expect(conceptsOf(name)).toEqual(concepts);
    expect(readName(name, dictionary).unknown).toEqual([]);
  });

  test('words that no language has are kept apart', () => {
    expect(readName('Price per furlong', dictionary)).toMatchObject({
      terms: [['price']],
      unknown: ['furlong'],
    });
  });

  test('unknown words in brackets explain and make nothing uncertain', () => {
    expect(readName('Price (x,y,z...)', dictionary).unknown).toEqual([]);
  });

  test.each(['Prices', 'Product images', 'Lagers'])('%s has the plural of a known word', (name) => {
    expect(readName(name, dictionary).unknown).toEqual([]);
  });

  test('a plural in ies is read as its singular in y, and a short word is not cut', () => {
    const { cut } = createDictionary({ en: { category: 'category', color: 'hue' } });
    expect(cut('categories')).toEqual(['category']);
    expect(cut('hues')).toBeUndefined();
  });

  test('numbers are kept apart from words', () => {
    expect(readName('Image 2 URL', dictionary).numbers).toEqual([2]);
  });
});
