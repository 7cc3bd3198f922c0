import { expect, test } from 'vitest';
import { ConfigError } from '../../src/model/index.ts';
import { runSuggest } from '../../src/pipeline/suggest/index.ts';
import { RESOURCES } from '../../src/resources/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { foldWord } from '../../src/suggest/names/tokens.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import { columnsOfProject, evidenceFor, type Languages } from '../score/evidence.ts';
import { takeOut } from '../score/take-out.ts';
import { sample } from '../support/run.ts';

const columns = columnsOfProject();
const evidence = evidenceFor(LANGUAGES, columns);
const platforms = [...columns.keys()].filter((platform) => platform !== 'native');
const products = RESOURCES.filter(({ name }) => name === 'products');

function suggestionFor(file: string, languages?: Languages) {
  const dictionary = languages && createDictionary(languages);
  return runSuggest({ file: sample(file), resources: products, read: {}, dictionary });
}

test.each(platforms)('words that only %s shows are gone, and no other platform shows them', (platform) => {
  const { languages, words } = takeOut(LANGUAGES, evidence, platform);
  const { phrasesFrom } = createDictionary(languages);
  const known = words.filter((entry) =>
    phrasesFrom(entry.split(' ')[0] ?? '').some((phrase) => phrase.words.join(' ') === entry),
  );
  expect(known).toEqual([]);
  const others = [...columns].filter(([name]) => name !== platform).flatMap(([, names]) => [...names]);
  const shown = new Set(others.map((name) => foldWord(name.trim())));
  expect(words.filter((entry) => shown.has(entry))).toEqual([]);
});

test('a suggestion without the words of a platform does not find the columns that only they name', async () => {
  const { languages, words } = takeOut(LANGUAGES, evidence, 'tiendanube');
  expect(words).toEqual(expect.arrayContaining(['profundidad', 'ancho', 'alto']));
  const fieldsOf = async (given: Languages) => {
    const { draft } = await suggestionFor('tiendanube-products.csv', given);
    return draft.fields.map(({ field }) => field);
  };
  expect(await fieldsOf(LANGUAGES)).toContain('sizes.dimensions.depth');
  expect(await fieldsOf(languages)).not.toContain('sizes.dimensions.depth');
});

test('nothing is suggested without any words', async () => {
  await expect(suggestionFor('spree-products.csv', {})).rejects.toThrow(ConfigError);
});

test.each(['spree-products.csv', 'etsy-products-german.csv', 'thelia-products.csv'])(
  'the suggestion for %s with nothing taken out is the one of the command',
  async (file) => {
    const { languages, words } = takeOut(LANGUAGES, evidence, 'a platform without columns');
    expect(words).toEqual([]);
    expect(languages).toEqual(LANGUAGES);
    expect(await suggestionFor(file, languages)).toEqual(await suggestionFor(file));
  },
);

test('a word of two platforms stays, and so does a word of none and the name of a concept', () => {
  const lists: Languages = { en: { brand: 'brand, maker, label, marque de fabrique' } };
  const shown = new Map([
    ['one', new Set(['Brand', 'Maker', 'Label'])],
    ['other', new Set(['LABEL'])],
  ]);
  expect(takeOut(lists, evidenceFor(lists, shown), 'one')).toEqual({
    languages: { en: { brand: 'brand, label, marque de fabrique' } },
    words: ['maker'],
  });
});

test('a part of a compound is evidence for its word', () => {
  const lists: Languages = { de: { stock: 'lager, bestand' } };
  const shown = new Map([
    ['one', new Set(['Lagerbestand'])],
    ['other', new Set(['Bestand'])],
  ]);
  expect(takeOut(lists, evidenceFor(lists, shown), 'one').words).toEqual(['lager']);
});
