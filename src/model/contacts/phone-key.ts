import { createRequire } from 'node:module';

/** Loaded on first use and at once: most imports compare no phone number, and keys are compared synchronously. */
const load = createRequire(import.meta.url);
const library = () => load('libphonenumber-js/min') as typeof import('libphonenumber-js/min');

/** Digits of any script that has phones, between the marks that people put there. No letters: `x5` is an extension. */
const NUMBER = /^[\d\u0660-\u0669\u06f0-\u06f9\s()[\]./+\u2010-\u2015\u2212-]+$/;
const INTERNATIONAL = /^[([]?\s*(?:\+|00)/;
const DIGIT = /[\d\u0660-\u0669\u06f0-\u06f9]/g;

/** E.164 has at most 15 digits. A prefix such as 00 comes before them, and `+49 (0)30` has a zero within them. */
const MAX_DIGITS = 19;

/** Numbers whose keys are remembered: a record's number is asked for several times while it is prepared. */
const MAX_REMEMBERED = 4096;
const remembered = new Map<string, string | undefined>();

/**
 * The key of a phone number in E.164, the same for all its spellings. `country`: code of the country in which a number is
 * dialled that does not begin with + or 00. Undefined for a number of no known country, of a length that its country does
 * not have, or with an extension: such a text is compared as it is.
 */
export function phoneKey(text: string, country?: string): string | undefined {
  const plain = plainNumber(text);
  if (!NUMBER.test(plain)) return undefined;
  const isAbroad = INTERNATIONAL.test(plain);
  if ((!isAbroad && country === undefined) || plain.lastIndexOf('+') > (isAbroad ? 2 : -1)) return undefined;
  const digits = plain.match(DIGIT)?.map(asciiDigit).join('') ?? '';
  if (digits.length > MAX_DIGITS) return undefined;
  const dialled = isAbroad ? `+${plain.includes('+') ? digits : digits.slice(2)}` : digits;
  const entry = isAbroad ? dialled : `${country} ${dialled}`;
  if (remembered.has(entry)) return remembered.get(entry);
  if (remembered.size === MAX_REMEMBERED) remembered.clear();
  const key = parsedNumber(dialled, isAbroad ? undefined : country);
  remembered.set(entry, key);
  return key;
}

/** True for a text that `phoneKey` reads without a country. */
export function isInternational(text: string): boolean {
  return INTERNATIONAL.test(plainNumber(text));
}

/** Without invisible characters, which address books write around numbers, and with ordinary plus signs and digits. */
function plainNumber(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .trim();
}

/** The zero of each script has a code that is a multiple of 16. */
function asciiDigit(digit: string): string {
  return String(digit.charCodeAt(0) & 0xf);
}

function parsedNumber(dialled: string, country: string | undefined): string | undefined {
  const { parsePhoneNumberFromString: parse } = library();
  const found = parse(dialled, country as Parameters<typeof parse>[1]);
  if (!found?.isPossible()) return undefined;
  // A key must be its own key: after several zeros, the library removes one at a time.
  const { number } = found;
  return number === dialled || parse(number)?.number === number ? number : undefined;
}
