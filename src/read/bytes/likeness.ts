import type { Language, ManyLetters } from './languages.ts';

/** How likely it is that somebody wrote a decoded text. */
export interface Likeness {
  /** Sum of the log likelihoods of each non-ASCII character, and of the language. */
  readonly sum: number;
  /** Mean for each non-ASCII byte, without the language, to compare with a threshold. */
  readonly mean: number;
}

/** Enough to identify a language; a stretch of text may have ten times as many. */
const MOST_CHARACTERS = 3000;

/** Likelihood of a letter that the language does not have, as in a name. */
const FOREIGN = 0.0015;
const SIGNS = new Set('«»“”„‘’‚–—…•™®©°€£½¼¾¹²³×ºª¿¡·′″±µ§\u00a0');
const SIGN = 0.03;
/** Likelihood of signs that hardly anybody types, such as ¤ ¦ ¬ ¨ ¸ ˇ. */
const ODD_SIGN = 0.001;
/** Signs that occur between letters: `l’été`, `col·legi`, and blanks. */
const INSIDE_WORDS = new Set('’‘·\u00a0–—…');

/** Rates text in a single-byte encoding by the language that fits best. */
export function likenessOf(text: string, languages: readonly Language[]): Likeness | undefined {
  const characters = [...charactersOf(text)];
  if (characters.length === 0) return undefined;
  const sums = languages.map(({ share, letters }) => {
    let sum = 0;
    for (const { character, factor, places } of characters)
      sum += Math.log(
        factor * (places ? letterLikeness(character, places, letters) : signLikeness(character)),
      );
    return { sum: sum + Math.log(share / 100), mean: sum / characters.length };
  });
  return sums.reduce((best, each) => (each.sum > best.sum ? each : best));
}

function letterLikeness(letter: string, places: readonly string[], letters: Language['letters']): number {
  for (const place of places) {
    const found = letters.get(place);
    if (found !== undefined) return found;
  }
  return letters.get(letter) ?? FOREIGN;
}

function signLikeness(character: string): number {
  return SIGNS.has(character) || character === 'ø' ? SIGN : ODD_SIGN;
}

interface Character {
  /** In lower case. */
  readonly character: string;
  /** For a letter: the letter with its neighbours, as the languages name places in a word. */
  readonly places?: readonly string[] | undefined;
  /** Likelihood by its neighbours, independent of the language. */
  readonly factor: number;
}

function* charactersOf(text: string): Generator<Character> {
  let count = 0;
  for (const { index, 0: found } of text.matchAll(/[^\x00-\x7f]/g)) {
    if (count++ === MOST_CHARACTERS) return;
    const [before = '', after = ''] = [text[index - 1], text[index + 1]];
    const isDiameter = found === 'Ø' && !LETTER.test(before) && !LETTER.test(after);
    const isLetter = LETTER.test(found) && !SIGNS.has(found) && !isDiameter;
    const factor = isLetter ? besideLetter(found, before, after) : besideSign(found, before, after);
    const character = found.toLowerCase();
    yield { character, factor, places: isLetter ? placesOf(character, before, after) : undefined };
  }
}

function placesOf(letter: string, before: string, after: string): string[] {
  if (!LETTER.test(after)) return [`${letter}$`];
  return LETTER.test(before) ? [letter + after.toLowerCase()] : [`^${letter}`];
}

const LETTER = /\p{L}/u;
const LATIN = /\p{Script=Latin}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;

function besideLetter(letter: string, before: string, after: string): number {
  let factor = UPPER.test(letter) ? 0.2 : 1;
  const isLatin = LATIN.test(letter);
  for (const beside of [before, after]) {
    // No word has letters of two scripts.
    if (LETTER.test(beside) && LATIN.test(beside) !== isLatin) factor *= 0.001;
    else if (/\d/.test(beside)) factor *= 0.2;
  }
  if (UPPER.test(letter) && LOWER.test(before)) factor *= 0.02;
  if (LOWER.test(letter) && UPPER.test(before) && UPPER.test(after)) factor *= 0.05;
  // Words in Latin script have accents on some letters only.
  if (isLatin && before > '\x7f' && LETTER.test(before)) factor *= 0.25;
  return factor;
}

/** Signs that follow the word or number they belong to. */
const BEHIND = new Set('™®©²³ª');

function besideSign(sign: string, before: string, after: string): number {
  // m³ is a unit, but z³ is “zł” in another encoding.
  if ('²³¹'.includes(sign) && LETTER.test(before) && !/m/i.test(before)) return 0.05;
  if (BEHIND.has(sign) && !LETTER.test(before) && LETTER.test(after)) return 0.02;
  return LETTER.test(before) && LETTER.test(after) && !INSIDE_WORDS.has(sign) ? 0.002 : 1;
}

/** Share of files in such an encoding. */
const SHARE = 0.05;
/** Log likelihoods of a multi-byte character. */
const KANA = -3.5;
const COMMON = -4.6;
const EVERYDAY = -6.5;
const MARK = -4.5;
const RARE = -10;
/** A letter of another script, or one for private use. */
const STRANGE = -14;
/** A single such letter among Latin letters, which no word has. */
const ALONE = -6;
const HALF_WIDTH = -6;

/** Rates text in a multi-byte encoding. `firstByte` returns the first byte of a character in the encoding. */
export function likenessOfMany(
  text: string,
  { common, everyday, hasKana, hasHangul }: ManyLetters,
  firstByte: (character: string) => number,
): Likeness | undefined {
  let sum = 0;
  let bytes = 0;
  let count = 0;
  for (const { index, 0: found } of text.matchAll(/[^\x00-\x7f]/gu)) {
    if (count++ === MOST_CHARACTERS) break;
    const isHalf = /[\uff61-\uff9f]/.test(found);
    bytes += isHalf ? 1 : 2;
    sum += likely(found);
    const [before = '', after = ''] = [text[index - 1], text[index + found.length]];
    const isAmongLatin = /[a-z]/i.test(before) || /[a-z]/i.test(after);
    if (isAmongLatin && !(before > '\x7f' || after > '\x7f')) sum += ALONE;

    function likely(character: string): number {
      if (isHalf) return HALF_WIDTH;
      if (/[\u3001-\u3015\uff01-\uff5e\u3000\u30fb\u30fc]/.test(character)) return MARK;
      if (/[\u3041-\u30fe]/.test(character)) return hasKana ? KANA : RARE;
      if (common.has(character)) return COMMON;
      if (/[\uac00-\ud7a3]/.test(character)) return hasHangul ? EVERYDAY : STRANGE;
      if (!/\p{Script=Han}/u.test(character)) return STRANGE;
      // Modern Korean text hardly uses Han characters.
      if (hasHangul) return STRANGE;
      const first = firstByte(character);
      return first >= everyday[0] && first <= everyday[1] ? EVERYDAY : RARE;
    }
  }
  return bytes === 0 ? undefined : { sum: sum + Math.log(SHARE), mean: sum / bytes };
}
