import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import { COUNTRY_CODES, contactKey, countryCode, countryNamed, phoneKey } from '../../../src/model/index.ts';
import { anyText } from '../../support/any-text.ts';
import { scaledRuns } from '../../support/property-tests.ts';

/** A number of some country, which differs from the example of that country in its last digits. */
const number = fc
  .tuple(fc.constantFrom(...getCountries()), fc.integer({ min: 0, max: 999 }))
  .map(([country, end]) => {
    const example = getExampleNumber(country, examples)?.number ?? '';
    return { country, e164: example.slice(0, -3) + String(end).padStart(3, '0') };
  })
  .filter(({ country, e164 }) => parsePhoneNumberFromString(e164)?.country === country);

const mark = fc.constantFrom('', '', '', ' ', '-', '.', '/', ' - ', '\u00a0', '\u2011', '\u200e');

/** Writes a number with marks between its digits. */
const spelled = (digits: string) =>
  fc
    .array(mark, { minLength: digits.length - 1, maxLength: digits.length - 1 })
    .map((marks) => [...digits].map((digit, at) => digit + (marks[at] ?? '')).join(''));

/** A number in two spellings, and the country in which the second is dialled. */
const international = number.chain(({ country, e164 }) => {
  const digits = e164.slice(1);
  const code = digits.slice(
    0,
    digits.length - (parsePhoneNumberFromString(e164)?.nationalNumber.length ?? 0),
  );
  return fc.record({
    e164: fc.constant(e164),
    country: fc.constant(country),
    text: fc.oneof(
      spelled(digits).map((text) => `+${text}`),
      spelled(digits).map((text) => `00${text}`),
      spelled(digits).map((text) => `00 ${text}`),
      spelled(digits.slice(code.length)).map((text) => `(+${code}) ${text}`),
      fc.constant(parsePhoneNumberFromString(e164)?.formatInternational() ?? ''),
    ),
  });
});

const national = number.chain(({ country, e164 }) => {
  const parsed = parsePhoneNumberFromString(e164);
  return fc.record({
    e164: fc.constant(e164),
    country: fc.constant(country),
    text: fc.constant(parsed?.formatNational() ?? ''),
  });
});

describe('the key of a phone number', () => {
  test('international spellings of one number have one key', () => {
    fc.assert(
      fc.property(international, ({ e164, text }) => contactKey(text) === e164),
      { numRuns: scaledRuns(1000) },
    );
  });

  test('a number with the code of its country has the same key in every import', () => {
    fc.assert(
      fc.property(international, fc.constantFrom(...COUNTRY_CODES), ({ e164, text }, country) => {
        return contactKey(text, country) === e164;
      }),
      { numRuns: scaledRuns(1000) },
    );
  });

  test('a national spelling has the key of the number if its country is known', () => {
    fc.assert(
      fc.property(national, ({ e164, country, text }) => contactKey(text, country) === e164),
      { numRuns: scaledRuns(1000) },
    );
  });

  test('different numbers have different keys', () => {
    fc.assert(
      fc.property(international, international, (one, other) => {
        return (contactKey(one.text) === contactKey(other.text)) === (one.e164 === other.e164);
      }),
      { numRuns: scaledRuns(1000) },
    );
  });

  test('a national number without a country is its own key', () => {
    fc.assert(
      fc.property(national, ({ text }) => contactKey(text) === text.normalize('NFC').trim()),
      { numRuns: scaledRuns(1000) },
    );
  });

  test('the key of a key is the key, whatever the text and the country', () => {
    const text = fc.oneof(
      anyText(),
      fc.string({ unit: fc.constantFrom(...'+00123456789 ()-./x٣۴'), maxLength: 24 }),
      international.map((each) => each.text),
    );
    const country = fc.option(fc.constantFrom(...COUNTRY_CODES), { nil: undefined });
    fc.assert(
      fc.property(text, country, (each, at) => {
        const key = contactKey(each, at);
        return contactKey(key, at) === key && contactKey(key) === key;
      }),
      { numRuns: scaledRuns(2000) },
    );
  });

  test.each([
    ['+4', 'too short'],
    ['+49', 'only a country'],
    ['+1 415 555', 'too short for its country'],
    ['+1 415 555 1234 5678 90', 'too long for its country'],
    ['+999 123 456 789', 'the code of no country'],
    ['+1 415 555 1234 x5', 'with an extension'],
    ['+1 800 FLOWERS', 'with letters'],
    ['+49 30 123456; +49 30 123457', 'two numbers'],
    ['0049', 'only a prefix'],
    ['C-17', 'another text'],
  ])('%j stays as it is: %s', (text) => {
    expect(phoneKey(text)).toBeUndefined();
    expect(phoneKey(text, 'DE')).toBeUndefined();
    expect(contactKey(` ${text} `)).toBe(text);
  });

  test.each([
    ['0664 1234567', 'AT', '+436641234567'],
    ['0664 1234567', 'DE', '+496641234567'],
    ['(415) 555-1234', 'US', '+14155551234'],
    ['1-415-555-1234', 'US', '+14155551234'],
    ['011 49 30 123456', 'US', '+4930123456'],
    ['06 12345678', 'IT', '+390612345678'],
    ['8 (916) 123-45-67', 'RU', '+79161234567'],
    ['٠٥٠ ١٢٣ ٤٥٦٧', 'AE', '+971501234567'],
  ])('%j in %s is %s', (text, country, expected) => {
    expect(contactKey(text, country)).toBe(expected);
  });

  test('a mail address that looks like a number has the key of a mail address', () => {
    expect(contactKey('+14155551234@SMS.example', 'US')).toBe('+14155551234@sms.example');
  });
});

test('every country of the library is a country of the option, and no other', () => {
  expect([...COUNTRY_CODES].sort()).toEqual((getCountries() as CountryCode[]).sort());
});

test.each([
  ['de', 'DE'],
  [' DE ', 'DE'],
  ['UK', undefined],
  ['DEU', undefined],
  ['', undefined],
])('the code in %j is %j', (text, code) => {
  expect(countryCode(text)).toBe(code);
});

test.each([
  ['fr', 'FR'],
  ['Deutschland', 'DE'],
  ['  ÖSTERREICH ', 'AT'],
  ['United States of America', 'US'],
  ['UK', 'GB'],
  ['Czech Republic', 'CZ'],
  ['España', 'ES'],
  ['Kongo', undefined],
  ['Atlantis', undefined],
  ['constructor', undefined],
])('the country %j is %j', (text, code) => {
  expect(countryNamed(text)).toBe(code);
});
