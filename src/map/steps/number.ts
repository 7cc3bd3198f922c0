import * as z from 'zod';
import { losesDigits } from '../../model/index.ts';
import { type Currency, createCurrencyRemover } from './formats/currency.ts';
import { defineStep, quoted } from './step.ts';

interface Signs {
  readonly decimal: '.' | ',';
  readonly thousands: ',' | '.' | ' ' | "'" | '';
}

/** Number formats, named after languages. */
const FORMATS = {
  plain: { decimal: '.', thousands: '' },
  english: { decimal: '.', thousands: ',' },
  german: { decimal: ',', thousands: '.' },
  french: { decimal: ',', thousands: ' ' },
  swiss: { decimal: '.', thousands: "'" },
} as const satisfies Readonly<Record<string, Signs>>;

const format = z.enum(Object.keys(FORMATS) as [keyof typeof FORMATS]);
const word = z.string().min(1);
const locale = z
  .strictObject({
    format: format.optional(),
    decimal: z.enum(['.', ',']).optional(),
    thousands: z.enum([',', '.', ' ', "'", '']).optional(),
    currency: z.union([z.literal(true), word, z.array(word).min(1)]).optional(),
    decimals: z.int().min(0).max(20).optional(),
  })
  .refine((given) => signsOf(given).decimal !== signsOf(given).thousands);
const args = z.union([z.literal(true), format, locale]);
export type NumberArgs = true | keyof typeof FORMATS | Given;

interface Given {
  readonly format?: keyof typeof FORMATS | undefined;
  readonly decimal?: Signs['decimal'] | undefined;
  readonly thousands?: Signs['thousands'] | undefined;
  readonly currency?: Currency | undefined;
  /** Most digits behind the decimal sign. Default: any number of them. */
  readonly decimals?: number | undefined;
}

function signsOf(given: NumberArgs): Signs {
  if (given === true) return FORMATS.plain;
  if (typeof given === 'string') return FORMATS[given];
  const { decimal, thousands } = FORMATS[given.format ?? 'plain'];
  return { decimal: given.decimal ?? decimal, thousands: given.thousands ?? thousands };
}

/** Characters that people and programs use as a thousands separator. */
const SEPARATORS: Readonly<Record<string, string>> = { ' ': ' \u00a0\u202f', "'": "'\u2019" };

/** The signs in a number of a format, and whether it may have a currency. `thousands` has all characters that it reads as one. */
export function numberSigns(given: NumberArgs): {
  readonly decimal: Signs['decimal'];
  readonly thousands: string;
  readonly hasCurrency: boolean;
} {
  const { decimal, thousands } = signsOf(given);
  const hasCurrency = typeof given === 'object' && given.currency !== undefined;
  return { decimal, thousands: SEPARATORS[thousands] ?? thousands, hasCurrency };
}

/** Most cells are plain numbers, so they are recognised without building anything. */
const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

export const number = defineStep<NumberArgs>({
  name: 'number',
  doc:
    'Reads a number. `true` takes plain ones such as 1234.50; others need the name of a format, `english` (1,234.50), ' +
    "`german` (1.234,50), `french` (1 234,50) or `swiss` (1'234.50), or its signs. `currency: true` takes a currency's " +
    'sign or code away from either end, `currency: "DA"` only this word, and a list each of its words. `decimals` is the most digits behind the decimal sign: with 2, `1.200` is an issue, since it may ' +
    'be 1200. What could be read in two ways is an issue, ' +
    'never a guess.',
  args,
  makes: 'number',
  examples: [
    { args: true, in: '1234.50', out: 1234.5 },
    { args: true, in: '-5', out: -5 },
    { args: true, in: 'abc', issue: 'not-a-number' },
    { args: true, in: '1,299', issue: 'not-a-number' },
    { args: true, in: '1.23E+12', issue: 'not-a-number' },
    { args: true, in: '9007199254740993', issue: 'not-a-number' },
    { args: 'german', in: '1.299,90', out: 1299.9 },
    { args: { decimal: ',', thousands: '.' }, in: '1.2', issue: 'not-a-number' },
    { args: { decimal: '.', thousands: ',' }, in: '12,345.6', out: 12345.6 },
    { args: { currency: true }, in: '€ 12.50', out: 12.5 },
    { args: { format: 'german', currency: true }, in: '-1.299,90 EUR', out: -1299.9 },
    { args: { currency: true }, in: '12.50 cm', issue: 'not-a-number' },
    { args: { currency: 'DA' }, in: '2500 DA', out: 2500 },
    { args: { currency: ['€', 'EUR'] }, in: '12.50 EUR', out: 12.5 },
    { args: { currency: ['€', 'EUR'] }, in: '$12.50', issue: 'not-a-number' },
    { args: { decimals: 2 }, in: '1.25', out: 1.25 },
    { args: { decimals: 2 }, in: '1.200', issue: 'not-a-number' },
  ],
  make: (given) => {
    const { decimal, thousands } = signsOf(given);
    const { currency, decimals = Number.POSITIVE_INFINITY } = typeof given === 'object' ? given : {};
    const withoutCurrency = currency === undefined ? undefined : createCurrencyRemover(currency);
    const separator = new RegExp(`[${SEPARATORS[thousands] ?? thousands}]`, 'g');
    const grouped = thousands === '' ? undefined : groupedPattern(decimal, separator.source);
    const example = `1${thousands}234${decimal}50`;
    return (text, addIssue) => {
      const bare = withoutCurrency ? withoutCurrency(text) : text;
      const ungrouped = grouped?.test(bare) ? bare.replaceAll(separator, '') : bare;
      const plain = decimal === ',' ? swapComma(ungrouped) : ungrouped;
      if (plain === undefined || !PLAIN.test(plain))
        return addIssue('not-a-number', `${quoted(text)} is not a number; write it like ${example}`);
      if (decimalsOf(plain) > decimals)
        return addIssue(
          'not-a-number',
          `${quoted(text)} has ${decimalsOf(plain)} digits behind the decimal sign, and at most ${decimals} are expected`,
        );
      if (!losesDigits(plain)) return Number(plain);
      const fault = Number.isFinite(Number(plain))
        ? 'has more digits than a number can hold'
        : 'is too large for a number';
      return addIssue('not-a-number', `${quoted(text)} ${fault}`);
    };
  },
});

function decimalsOf(plain: string): number {
  const point = plain.indexOf('.');
  return point < 0 ? 0 : plain.length - point - 1;
}

/** Requires groups of exactly three digits after the first: with thousands "." both `1.2` and `0.234` are mistakes. */
function groupedPattern(decimal: string, separator: string): RegExp {
  return new RegExp(`^[+-]?[1-9]\\d{0,2}(${separator}\\d{3})+(\\${decimal}\\d+)?$`);
}

function swapComma(text: string): string | undefined {
  return text.includes('.') ? undefined : text.replace(',', '.');
}
