import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readText } from '../../support/read-text.ts';
import { ENCODINGS, PHRASES } from './phrases.ts';

/** Phrases so short that their bytes are also words of another language, with the result. */
const MISREAD: Readonly<Record<string, string>> = {
  'Korean euc-kr 녹색 컵': 'refused',
  'Turkish windows-1254 İstanbul hatırası': 'windows-1252',
  'Turkish iso-8859-9 İstanbul hatırası': 'windows-1252',
};

/** Returns `right`, `refused`, or the encoding that was guessed. */
async function guessFor(text: string, encoding: string): Promise<string> {
  const bytes = iconv.encode(text, encoding);
  if (iconv.decode(bytes, encoding) !== text) return 'not in it';
  try {
    const { header, cells, source } = await readText(bytes);
    const isRight = [header, ...cells].map((row) => row.join()).join('\n') === text.trimEnd();
    return isRight ? 'right' : source.reading().encoding;
  } catch (error) {
    expect(error).toHaveProperty('message', expect.stringContaining('does not show which encoding'));
    return 'refused';
  }
}

const PAIRS = Object.entries(ENCODINGS).flatMap(([language, encodings]) =>
  ['utf-8', 'utf-16le', ...encodings].map((encoding) => [language, encoding] as const),
);

/** Returns `[phrase, guessed encoding]` of the phrases that are not read right. */
async function wrongOf(language: string, encoding: string, tableOf: (phrase: string) => string) {
  const wrong: string[][] = [];
  for (const phrase of PHRASES[language] ?? []) {
    const found = await guessFor(tableOf(phrase.replaceAll(',', ' ')), encoding);
    if (found !== 'right' && found !== 'not in it') wrong.push([phrase, found]);
  }
  return wrong;
}

describe.each(PAIRS)('%s in %s', (language, encoding) => {
  const expected = (PHRASES[language] ?? []).flatMap((phrase) => {
    const expectedGuess = MISREAD[`${language} ${encoding} ${phrase}`];
    return expectedGuess === undefined ? [] : [[phrase, expectedGuess]];
  });

  test('a single phrase is read as written', async () => {
    expect(await wrongOf(language, encoding, (phrase) => `name,price\n${phrase},3\n`)).toEqual(expected);
  });

  test('a phrase is read as written after much ASCII', async () => {
    const late = (phrase: string) => `name,price\n${'mug,3\n'.repeat(200)}${phrase},4\n`;
    expect(await wrongOf(language, encoding, late)).toEqual(expected);
  });

  test('a whole file is read as written', async () => {
    const inIt = (PHRASES[language] ?? []).filter(
      (phrase) => iconv.decode(iconv.encode(phrase, encoding), encoding) === phrase,
    );
    const rows = inIt.map((phrase, at) => `${phrase.replaceAll(',', ' ')},${at}\n`).join('');
    expect(await guessFor(`name,price\n${rows.repeat(3)}`, encoding)).toBe('right');
  });
});

test('an encoding that fits nearly as well is named as rival, unless it gives the same text', async () => {
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
])('signs are read as signs: %s', async (text, encoding) => {
  expect(await guessFor(`name,price\n${text.replaceAll(',', '')},3\n`, encoding)).toBe('right');
});
