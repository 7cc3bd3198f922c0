import * as z from 'zod';
import { defineStep } from './step.ts';

const args = z.enum(['upper', 'lower', 'title', 'sentence']);
type To = z.infer<typeof args>;

/** First letter of a word: no letter, number, mark or apostrophe precedes it. */
const FIRST_OF_WORD = /(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu;
const FIRST = /\p{L}/u;

const WRITERS: Readonly<Record<To, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) => text.toLowerCase().replace(FIRST_OF_WORD, (letter) => letter.toUpperCase()),
  sentence: (text) => text.toLowerCase().replace(FIRST, (letter) => letter.toUpperCase()),
};

export const caseStep = defineStep<To>({
  name: 'case',
  doc:
    'Writes text in `upper` or `lower` case; with `title` each word begins with a capital, with `sentence` the first word ' +
    'only, and all other letters are small.',
  args,
  makes: 'text',
  examples: [
    { args: 'upper', in: 'straße', out: 'STRASSE' },
    { args: 'lower', in: 'USD', out: 'usd' },
    { args: 'title', in: "MEN'S t-shirts", out: "Men's T-Shirts" },
    { args: 'sentence', in: 'BLUE INK', out: 'Blue ink' },
  ],
  make: (to) => WRITERS[to],
});
