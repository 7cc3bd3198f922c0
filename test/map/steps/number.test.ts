import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accepts, apply } from './apply.ts';

/** Digits before and after the decimal sign, at most as many as a number holds exactly. */
const parts = fc.record({
  sign: fc.constantFrom('', '-', '+'),
  whole: fc.integer({ min: 0, max: 999_999_999 }),
  decimals: fc.option(fc.stringMatching(/^\d{1,5}$/), { nil: undefined }),
});

const LOCALES = [
  { decimal: '.', thousands: ',' },
  { decimal: '.', thousands: "'" },
  { decimal: '.', thousands: ' ' },
  { decimal: '.', thousands: '' },
  { decimal: ',', thousands: '.' },
  { decimal: ',', thousands: ' ' },
  { decimal: ',', thousands: "'" },
  { decimal: ',', thousands: '' },
] as const;

function numberOf(args: unknown, text: string) {
  return apply('number', args, text).value;
}

describe('plain numbers', () => {
  test('any plain decimal text is read exactly', () => {
    fc.assert(
      fc.property(parts, ({ sign, whole, decimals }) => {
        const text = `${sign}${whole}${decimals === undefined ? '' : `.${decimals}`}`;
        expect(numberOf(true, text)).toBe(Number(text));
      }),
    );
  });

  test('any finite number written without an exponent survives a round trip', () => {
    const plain = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((value) => !String(value).includes('e'));
    fc.assert(
      fc.property(plain, (value) => {
        expect(numberOf(true, String(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '1e5',
    '0x10',
    'Infinity',
    'NaN',
    '1_000',
    '--1',
    '1.2.3',
    '٣',
    '€ 5',
    '-',
    '.',
  ])('%j is an issue', (text) => {
    expect(apply('number', true, text)).toMatchObject({ value: undefined, codes: ['not-a-number'] });
  });

  test('the message shows how to write a number', () => {
    expect(apply('number', true, 'abc').messages).toEqual(['"abc" is not a number; write it like 1234.50']);
    expect(apply('number', { decimal: ',', thousands: '.' }, 'abc').messages).toEqual([
      '"abc" is not a number; write it like 1.234,50',
    ]);
  });

  test.each([true, { thousands: ',' }])('400 digits are too many, not infinity (%j)', (args) => {
    const digits = args === true ? '9'.repeat(400) : `999${',999'.repeat(200)}`;
    expect(apply('number', args, digits)).toMatchObject({ value: undefined, codes: ['not-a-number'] });
    expect(apply('number', args, digits).messages[0]).toMatch(/^"9.{56}…" is too large for a number$/);
  });
});

describe.each(LOCALES)('numbers with %j', ({ decimal, thousands }) => {
  const args = { decimal, thousands };

  function grouped(whole: number): string {
    return String(whole).replaceAll(/\B(?=(\d{3})+$)/g, thousands);
  }

  test('survive a round trip, with groups and without', () => {
    fc.assert(
      fc.property(parts, ({ sign, whole, decimals }) => {
        const end = decimals === undefined ? '' : `${decimal}${decimals}`;
        const expected = Number(`${sign}${whole}${decimals === undefined ? '' : `.${decimals}`}`);
        expect(numberOf(args, `${sign}${grouped(whole)}${end}`)).toBe(expected);
        expect(numberOf(args, `${sign}${whole}${end}`)).toBe(expected);
      }),
    );
  });

  test('are never read with the two separators swapped', () => {
    const other = decimal === '.' ? ',' : '.';
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), fc.stringMatching(/^\d{1,5}$/), (whole, decimals) => {
        // Three digits after the thousands separator are a group, unless no digit group could precede them.
        fc.pre(other !== thousands || decimals.length !== 3 || whole === 0 || whole > 999);
        expect(apply('number', args, `${whole}${other}${decimals}`)).toMatchObject({
          value: undefined,
          codes: ['not-a-number'],
        });
      }),
    );
  });
});

describe('groups of thousands', () => {
  test.each([
    ["'", '1\u2019234\u2019567.5'],
    ["'", "1'234\u2019567.5"],
    [' ', '1\u00a0234\u202f567.5'],
  ])('separated by %j may be typeset: %j', (thousands, text) => {
    expect(numberOf({ thousands }, text)).toBe(1234567.5);
  });

  test.each([
    [{ thousands: ',' }, '1,29'],
    [{ thousands: ',' }, '1,2999'],
    [{ thousands: ',' }, '1234,567'],
    [{ thousands: ',' }, '12,34,567'],
    [{ thousands: ',' }, ',123'],
    [{ thousands: ',' }, '1,,234'],
    [{ thousands: ',' }, '1,234,'],
    [{ thousands: ',' }, '1.234,567'],
    [{ decimal: ',', thousands: '.' }, '0.234'],
    [{ decimal: ',', thousands: '.' }, '1.299.90'],
    [{ decimal: ',', thousands: '.' }, '2.976.8466'],
    [{ decimal: ',', thousands: ' ' }, '1.299'],
  ])('with %j, %j is ambiguous, so it is an issue', (args, text) => {
    expect(apply('number', args, text)).toMatchObject({ value: undefined, codes: ['not-a-number'] });
  });

  test.each([
    ['de-DE', { decimal: ',', thousands: '.' }],
    ['en-US', { decimal: '.', thousands: ',' }],
    ['fr-FR', { decimal: ',', thousands: ' ' }],
    ['pl-PL', { decimal: ',', thousands: ' ' }],
    ['de-CH', { decimal: '.', thousands: "'" }],
  ] as const)('as %s writes them are read, with its own blanks and apostrophes', (locale, args) => {
    const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (cents) => {
        expect(numberOf(args, format.format(cents / 100))).toBe(cents / 100);
      }),
    );
  });
});

test.each([{ decimal: ',', thousands: ',' }, { thousands: '.' }, { decimal: ';' }, { decimals: ',' }, false])(
  'a mapping with number: %j is refused',
  (args) => {
    expect(accepts('number', args)).toBe(false);
  },
);
