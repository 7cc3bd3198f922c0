import * as z from 'zod';
import { quoted } from './number.ts';
import { defineStep } from './step.ts';

/** How platforms and people write yes and no, in lower case. */
const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  vrai: true,
  wahr: true,
  verdadero: true,
  verdadeiro: true,
  vero: true,
  yes: true,
  y: true,
  '1': true,
  on: true,
  oui: true,
  si: true,
  sí: true,
  sì: true,
  ja: true,
  sim: true,
  نعم: true,
  false: false,
  faux: false,
  falsch: false,
  falso: false,
  no: false,
  n: false,
  '0': false,
  off: false,
  non: false,
  nein: false,
  não: false,
  nao: false,
  لا: false,
};
const TABLE = new Map(Object.entries(WORDS));

export const boolean = defineStep<true>({
  name: 'boolean',
  doc: 'Reads yes or no: TRUE/FALSE, yes/no, y/n, 1/0, on/off, and the words of other languages.',
  args: z.literal(true),
  makes: 'boolean',
  examples: [
    { args: true, in: 'TRUE', out: true },
    { args: true, in: 'no', out: false },
    { args: true, in: 'Oui', out: true },
    { args: true, in: '0', out: false },
    { args: true, in: 'maybe', issue: 'not-yes-or-no' },
  ],
  make: () => (text, complain) =>
    TABLE.get(text.toLowerCase()) ??
    complain('not-yes-or-no', `${quoted(text)} is neither yes nor no; write TRUE or FALSE`),
});
