import * as z from 'zod';
import { losesDigits } from '../../model/index.ts';
import { exactProduct } from '../expression/decimals.ts';
import { number } from './number.ts';
import { defineStep, quoted } from './step.ts';

const args = z.number().refine((factor) => factor !== 0, {
  error: 'multiply takes another number than 0, which would make every value 0.',
});

/** A small number as the `number` step leaves it. Spreadsheets write a capital E. */
const SMALL = /^-?\d(\.\d+)?e-\d+$/;

export const multiply = defineStep<z.infer<typeof args>>({
  name: 'multiply',
  doc:
    'Multiplies a number, such as an amount in cents. The result is exact: it is computed with decimal digits, and not ' +
    'rounded. Numbers that are not plain need `number` beside it.',
  args,
  makes: 'number',
  examples: [
    { args: 0.01, in: '1999', out: 19.99 },
    { args: 1.1, in: '1.1', out: 1.21 },
    { args: 1000, in: '0.0125', out: 12.5 },
    { args: 0.01, in: '19,99', issue: 'not-a-number' },
    { args: 3, in: '9007199254740991', issue: 'not-a-number' },
  ],
  make(factor) {
    const read = number.make(true);
    return (text, addIssue, lookups) => {
      const value = SMALL.test(text) ? Number(text) : read(text, addIssue, lookups);
      if (typeof value !== 'number') return undefined;
      const product = exactProduct(value, factor);
      return losesDigits(product)
        ? addIssue('not-a-number', `${quoted(text)} times ${factor} has more digits than a number can hold`)
        : Number(product);
    };
  },
});
