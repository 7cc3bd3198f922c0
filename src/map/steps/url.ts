import * as z from 'zod';
import { wholeAddress } from './formats/whole-address.ts';
import { defineStep } from './step.ts';

const base = z.string().refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
  error: 'base takes an address that begins with http:// or https://',
});
const args = z.union([z.literal(true), z.strictObject({ base })]);
type Args = z.infer<typeof args>;

export const url = defineStep<Args>({
  name: 'url',
  doc:
    'Turns a path into a web address. The folder is `base`, or the value of the option `--image-base`; without either, the path is ' +
    'left out, and the end of the run counts such paths. Keeps a value that has a host, without quotes around it.',
  args,
  makes: 'text',
  importsOnly: true,
  examples: [
    {
      args: { base: 'https://shop.example.com/media/' },
      in: '/o/i/oil lamp.jpg',
      out: 'https://shop.example.com/media/o/i/oil%20lamp.jpg',
    },
    { args: { base: 'https://shop.example.com' }, in: 'mug.png', out: 'https://shop.example.com/mug.png' },
    { args: true, in: 'http://img.example.com/mug.png', out: 'http://img.example.com/mug.png' },
    { args: true, in: '//img.example.com/mug.png', out: 'https://img.example.com/mug.png' },
    { args: true, in: '"https://img.example.com/mug.png"', out: 'https://img.example.com/mug.png' },
    { args: true, in: 'mug.png' },
  ],
  make: (given) => {
    const own = given === true ? undefined : given.base;
    return (text, _addIssue, lookups) => {
      const whole = wholeAddress(text, own ?? lookups.imageBase);
      if (whole === undefined) lookups.onLeftOut?.(text);
      return whole;
    };
  },
});
