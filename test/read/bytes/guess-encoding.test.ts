import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readText } from '../../support/read-text.ts';
import { ENCODINGS, PHRASES } from './phrases.ts';

/** Phrases that are so short that their bytes are words of another language too: what is made of them, and what is said. */
const NOT_TOLD: Readonly<Record<string, string>> = {
  'Korean euc-kr 녹색 컵': 'refused',
  'Turkish windows-1254 İstanbul hatırası': 'windows-1252',
  'Turkish iso-8859-9 İstanbul hatırası': 'windows-1252',
};

/** `right`, `refused`, or the encoding that a text was taken for. */
async function takenFor(text: string, encoding: string): Promise<string> {
  const bytes = iconv.encode(text, encoding);
  if (iconv.decode(bytes, encoding) !== text) return 'not in it';
  try {
    const { header, cells, source } = await readText(bytes);
    const isRight = [header, ...cells].map((row) => row.join()).join('\n') === text.trimEnd();
    return isRight ? 'right' : source.reading().encoding;
  } catch (error) {
    expect(error).toHaveProperty('message', expect.stringContaining('cannot be told from its text'));
    return 'refused';
  }
}

const PAIRS = Object.entries(ENCODINGS).flatMap(([language, encodings]) =>
  ['utf-8', 'utf-16le', ...encodings].map((encoding) => [language, encoding] as const),
);

/** `[language, encoding, phrase, what it is taken for]`, of those that are not right. */
async function wrongOf(language: string, encoding: string, tableOf: (phrase: string) => string) {
  const wrong: string[][] = [];
  for (const phrase of PHRASES[language] ?? []) {
    const found = await takenFor(tableOf(phrase.replaceAll(',', ' ')), encoding);
    if (found !== 'right' && found !== 'not in it') wrong.push([phrase, found]);
  }
  return wrong;
}

describe.each(PAIRS)('%s in %s', (language, encoding) => {
  const expected = (PHRASES[language] ?? []).flatMap((phrase) => {
    const told = NOT_TOLD[`${language} ${encoding} ${phrase}`];
    return told === undefined ? [] : [[phrase, told]];
  });

  test('a single phrase is read as it was written', async () => {
    expect(await wrongOf(language, encoding, (phrase) => `name,price\n${phrase},3\n`)).toEqual(expected);
  });

  test('also where it comes after much ASCII', async () => {
    const late = (phrase: string) => `name,price\n${'mug,3\n'.repeat(200)}${phrase},4\n`;
    expect(await wrongOf(language, encoding, late)).toEqual(expected);
  });

  test('a whole file is', async () => {
    const inIt = (PHRASES[language] ?? []).filter(
      (phrase) => iconv.decode(iconv.encode(phrase, encoding), encoding) === phrase,
    );
    const rows = inIt.map((phrase, at) => `${phrase.replaceAll(',', ' ')},${at}\n`).join('');
    expect(await takenFor(`name,price\n${rows.repeat(3)}`, encoding)).toBe('right');
  });
});

test('what fits nearly as well is named, and what makes the same text is not', async () => {
  const readingOf = async (text: string, encoding: string) =>
    (await readText(iconv.encode(text, encoding))).source.reading();
  // ê in Windows-1252, ę in Windows-1250.
  expect(await readingOf('name,price\nSprzęt,3\n', 'windows-1250')).toMatchObject({
    encoding: 'windows-1252',
    guessed: true,
    rival: 'windows-1250',
  });
  expect(await readingOf('name,price\nThé glacé,3\n', 'windows-1252')).not.toHaveProperty('rival');
});

test.each([
  ['3 °C to 40 °C, ± 1 µm', 'windows-1252'],
  ['Ø 32 mm – 1½ m³', 'windows-1252'],
  ['Mug™ and “Cup”® © 2026', 'windows-1252'],
  ['sœur, cœur, 3 €', 'iso-8859-15'],
  ['JACK & JONES 19.90 €', 'windows-1252'],
])('signs are signs: %s', async (text, encoding) => {
  expect(await takenFor(`name,price\n${text.replaceAll(',', '')},3\n`, encoding)).toBe('right');
});
