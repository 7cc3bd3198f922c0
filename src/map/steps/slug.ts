import * as z from 'zod';
import { defineStep } from './step.ts';

/** Letters that Unicode does not decompose into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

export const slug = defineStep<true>({
  name: 'slug',
  doc:
    'Makes a name for an address: small letters and digits with `-` between the words, Latin letters without their marks. ' +
    'Other alphabets stay as they are.',
  args: z.literal(true),
  makes: 'text',
  examples: [
    { args: true, in: 'Crème Brûlée (2 × 100 g)', out: 'creme-brulee-2-100-g' },
    { args: true, in: 'قلم حبر', out: 'قلم-حبر' },
    { args: true, in: '!!!' },
  ],
  make: () => (text) =>
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
      .split(/[^\p{L}\p{N}\p{M}]/u)
      .filter((word) => word !== '')
      .join('-') || undefined,
});
