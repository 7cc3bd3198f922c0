import { isUtf8 } from 'node:buffer';
import type Iconv from 'iconv-lite';
import { wholeCharacters } from './utf8.ts';

/** The superset that Windows writes, where a name stands for less: what it has besides is never meant otherwise. */
const WIDER: Readonly<Record<string, string>> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-9': 'windows-1254',
};
const WESTERN = 'windows-1252';
/** Of other Latin letters, in the order of likeness. */
const LATIN: ReadonlySet<string> = new Set(['windows-1250', 'windows-1254', 'windows-1257', 'ISO-8859-2']);
const MULTI_BYTE: ReadonlySet<string> = new Set(['Shift_JIS', 'EUC-JP', 'EUC-KR', 'Big5', 'GB18030']);
const OTHER_SCRIPT: ReadonlySet<string> = new Set([
  'windows-1251',
  'KOI8-R',
  'ISO-8859-5',
  'ISO-8859-6',
  'ISO-8859-7',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
]);

/** From which confidence on chardet is believed; texts of a shop are short, and mixed with English. */
const SURE = { multiByte: 50, latin: 20, otherScript: 15 } as const;

/**
 * The encoding of text that is not UTF-8, from a stretch of it; undefined where nothing fits. chardet counts letters, which
 * says little for a few words: its guess is only taken where the text then looks like text.
 */
export async function guessEncoding(bytes: Buffer): Promise<string | undefined> {
  if (isMostlyUtf8(bytes)) return 'UTF-8';
  const { default: chardet } = await import('chardet');
  const { default: iconv } = await import('iconv-lite');
  const guesses = chardet
    .analyse(bytes)
    .map(({ name, confidence }) => ({ name: WIDER[name] ?? (name as string), confidence }));
  const western = guesses.find(({ name }) => name === WESTERN)?.confidence ?? 0;
  for (const { name, confidence } of guesses) {
    const text = decodeStrictly(iconv, bytes, name);
    if (text === undefined) continue;
    if (MULTI_BYTE.has(name) && confidence >= SURE.multiByte) return name;
    if (OTHER_SCRIPT.has(name) && confidence >= SURE.otherScript) return name;
    // Its letters are told from Western ones by statistics alone, so they have to be clearly ahead.
    const ahead = confidence >= SURE.latin && confidence * 0.9 > western;
    if (LATIN.has(name) && ahead && looksLatin(text)) return name;
    if (name === WESTERN && looksLatin(text)) return name;
  }
  return looksLatin(iconv.decode(bytes, WESTERN)) ? WESTERN : undefined;
}

/** UTF-8 that is cut off, or has a broken byte here and there: other text hardly ever is valid UTF-8 by chance. */
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

/** Undefined where bytes have no meaning in the encoding, or mean control characters. */
function decodeStrictly(iconv: typeof Iconv, bytes: Buffer, name: string): string | undefined {
  if (!iconv.encodingExists(name)) return undefined;
  // The stretch may end within a character.
  const text = iconv.decode(bytes, name).slice(0, -1);
  return /[\uFFFD\x80-\x9f]/.test(text) ? undefined : text;
}

/** Words of Latin letters have accents on some letters, not on all. */
function looksLatin(text: string): boolean {
  const words = (text.match(/\p{L}+/gu) ?? []).filter((word) => /[^\x00-\x7f]/.test(word));
  return words.filter((word) => word.length >= 3 && !/[a-z]/i.test(word)).length * 2 <= words.length;
}
