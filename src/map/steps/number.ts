import * as z from 'zod';
import { defineStep } from './step.ts';

const locale = z
  .strictObject({
    decimal: z.enum(['.', ',']).default('.'),
    thousands: z.enum([',', '.', ' ', "'", '']).default(''),
  })
  .refine(({ decimal, thousands }) => decimal !== thousands);
const args = z.union([z.literal(true), locale]);

/** What people and programs write for a separator of thousands. */
const SEPARATORS: Readonly<Record<string, string>> = { ' ': ' \u00a0\u202f', "'": "'\u2019" };

/** Plain numbers are most cells there are: told apart without building anything. */
const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

export const number = defineStep<z.infer<typeof args>>({
  name: 'number',
  doc:
    'Reads a number. `true` takes plain ones such as 1234.50; `{ decimal: ",", thousands: "." }` says how others ' +
    'are written. What could be read in two ways is an issue, never a guess.',
  args,
  makes: 'number',
  examples: [
    { args: true, in: '1234.50', out: 1234.5 },
    { args: true, in: '-5', out: -5 },
    { args: true, in: 'abc', issue: 'not-a-number' },
    { args: true, in: '1,299', issue: 'not-a-number' },
    { args: true, in: '1.23E+12', issue: 'not-a-number' },
    { args: { decimal: ',', thousands: '.' }, in: '1.299,90', out: 1299.9 },
    { args: { decimal: ',', thousands: '.' }, in: '1.2', issue: 'not-a-number' },
    { args: { decimal: '.', thousands: ',' }, in: '12,345.6', out: 12345.6 },
  ],
  make: (given) => {
    const { decimal, thousands } = given === true ? locale.parse({}) : given;
    const separator = new RegExp(`[${SEPARATORS[thousands] ?? thousands}]`, 'g');
    const grouped = thousands === '' ? undefined : groupedPattern(decimal, separator.source);
    const example = `1${thousands}234${decimal}50`;
    return (text, complain) => {
      const ungrouped = grouped?.test(text) ? text.replaceAll(separator, '') : text;
      const plain = decimal === ',' ? swapComma(ungrouped) : ungrouped;
      if (plain !== undefined && PLAIN.test(plain))
        return finite(Number(plain)) ?? complain('not-a-number', `${quoted(text)} is too large for a number`);
      return complain('not-a-number', `${quoted(text)} is not a number; write it like ${example}`);
    };
  },
});

/** Groups of exactly three digits behind a first one: with thousands "." both `1.2` and `0.234` are slips. */
function groupedPattern(decimal: string, separator: string): RegExp {
  return new RegExp(`^[+-]?[1-9]\\d{0,2}(${separator}\\d{3})+(\\${decimal}\\d+)?$`);
}

function swapComma(text: string): string | undefined {
  return text.includes('.') ? undefined : text.replace(',', '.');
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}
