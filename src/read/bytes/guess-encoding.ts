import { isUtf8 } from 'node:buffer';
import type Iconv from 'iconv-lite';
import { wholeCharacters } from './bytes.ts';
import { MULTI_BYTE, SINGLE_BYTE } from './languages.ts';
import { type Likeness, likenessOf, likenessOfMany } from './likeness.ts';

/** The probable encoding of bytes. */
export interface Guess {
  readonly name: string;
  /** Another encoding that fits nearly as well, and decodes the bytes to other text. */
  readonly rival?: string;
}

const WESTERN = 'windows-1252';
/** Encodings detected by chardet, since the tables here do not have their languages. */
const OTHERS: Readonly<Record<string, string>> = {
  'ISO-8859-6': 'ISO-8859-6',
  'windows-874': 'windows-874',
};
/** Minimum confidence of chardet: texts of a shop are short, and mixed with English. */
const SURE = 15;

/**
 * Thresholds of the mean likeness of a byte: above the first it is text; above the second it may be, if nothing else
 * fits.
 */
const IS_TEXT = -4;
const MAY_BE_TEXT = -5.5;
/** Minimum number of letters for a guess in a script other than Latin: two words could be any. */
const ENOUGH_LETTERS = 11;
const LATIN = new Set([
  'windows-1252',
  'ISO-8859-15',
  'windows-1250',
  'ISO-8859-2',
  'windows-1254',
  'windows-1257',
]);
/** Difference of logarithms below which the best guess has a rival. */
const SURELY_AHEAD = 3;

interface Candidate extends Likeness {
  readonly name: string;
  readonly text: string;
}

/**
 * Guesses the encoding of a stretch of text that is not UTF-8; undefined if none fits. Weighs the result of each
 * encoding by letters that are frequent in a language, and by words of one script and one case. `context` is ASCII that
 * precedes the stretch.
 */
export async function guessEncoding(
  stretch: Buffer,
  context: Buffer = Buffer.alloc(0),
): Promise<Guess | undefined> {
  if (isMostlyUtf8(stretch)) return { name: 'UTF-8' };
  const bytes = Buffer.concat([context, stretch]);
  const { default: iconv } = await import('iconv-lite');
  const [best, ...others] = candidatesFor(iconv, bytes);
  const rival = best && rivalOf(best, others);
  const isText = best !== undefined && best.mean >= IS_TEXT;
  if (isText && isEnough(best, rival)) return { name: best.name, ...rival };
  const other = await otherScript(iconv, bytes);
  if (other !== undefined) return { name: other };
  const latin = others.find(({ name }) => LATIN.has(name));
  // Words of another script, but too few to detect it.
  if (isText && !(latin && best.sum - latin.sum < 2 * SURELY_AHEAD)) return undefined;
  if (isText && latin) return { name: latin.name, rival: best.name };
  if (best && best.mean >= MAY_BE_TEXT && isEnough(best, rival) && looksLatin(best.text))
    return { name: best.name, ...rival };
  return looksLatin(iconv.decode(bytes, WESTERN)) ? { name: WESTERN } : undefined;
}

/** Returns the candidates, the most likely first. */
function candidatesFor(iconv: typeof Iconv, bytes: Buffer): Candidate[] {
  const candidates: Candidate[] = [];
  const add = (name: string, text: string | undefined, likeness: Likeness | undefined) => {
    const isSame = candidates.some((other) => other.text === text);
    if (text !== undefined && likeness && !isSame) candidates.push({ name, text, ...likeness });
  };
  for (const [name, languages] of SINGLE_BYTE) {
    const text = decodeStrictly(iconv, bytes, name);
    add(name, text, text === undefined ? undefined : likenessOf(text, languages));
  }
  for (const many of MULTI_BYTE) {
    const text = decodeStrictly(iconv, bytes, many.encoding);
    const firstByte = (character: string) => iconv.encode(character, many.encoding)[0] ?? 0;
    add(many.encoding, text, text === undefined ? undefined : likenessOfMany(text, many, firstByte));
  }
  return candidates.sort((a, b) => b.sum - a.sum);
}

function rivalOf(best: Candidate, [second]: readonly Candidate[]): Pick<Guess, 'rival'> {
  return second && best.sum - second.sum < SURELY_AHEAD ? { rival: second.name } : {};
}

/**
 * True if there is enough text for a guess. A wrong script would change every letter, so a few words do not suffice.
 */
function isEnough({ name, text }: Candidate, { rival }: Pick<Guess, 'rival'> = {}): boolean {
  if (MULTI_BYTE.some(({ encoding }) => encoding === name)) return rival === undefined;
  const letters =
    text.match(/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/gu)?.length ?? 0;
  return letters === 0 || letters >= ENOUGH_LETTERS;
}

async function otherScript(iconv: typeof Iconv, bytes: Buffer): Promise<string | undefined> {
  const { default: chardet } = await import('chardet');
  for (const { name, confidence } of chardet.analyse(bytes)) {
    const other = confidence >= SURE ? OTHERS[name] : undefined;
    const text = other && decodeStrictly(iconv, bytes, other);
    if (text !== undefined && !MIXED.test(text)) return other;
  }
  return undefined;
}

/** A word of two scripts. */
const MIXED = /[a-z][\p{Script=Arabic}\p{Script=Thai}]|[\p{Script=Arabic}\p{Script=Thai}][a-z]/iu;

/**
 * True for UTF-8 that is cut off or has a few broken bytes: text in another encoding is hardly ever valid UTF-8 by
 * chance.
 */
function isMostlyUtf8(bytes: Buffer): boolean {
  const whole = wholeCharacters(bytes);
  if (bytes.length - whole.length > 1 && isUtf8(whole)) return true;
  let sound = 0;
  let broken = 0;
  for (const [character] of bytes.toString('utf8').matchAll(/[^\x00-\x7f]/gu)) {
    if (character === '\uFFFD') broken++;
    else sound++;
  }
  return sound > broken;
}

/** Undefined if bytes have no meaning in the encoding, or mean control characters. */
function decodeStrictly(iconv: typeof Iconv, bytes: Buffer, name: string): string | undefined {
  if (!iconv.encodingExists(name)) return undefined;
  // The stretch may end within a character.
  const text = iconv.decode(bytes, name).slice(0, -1);
  return /[\uFFFD\x80-\x9f]/.test(text) ? undefined : text;
}

/** True if words have accents on some letters, not on all, as words in Latin script do. */
function looksLatin(text: string): boolean {
  const words = (text.match(/\p{L}+/gu) ?? []).filter((word) => /[^\x00-\x7f]/.test(word));
  return words.filter((word) => word.length >= 3 && !/[a-z]/i.test(word)).length * 2 <= words.length;
}
