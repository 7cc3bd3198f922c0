import * as z from 'zod';
import { defineStep } from './step.ts';

const args = z.strictObject({
  match: z
    .string()
    .min(1)
    .refine(isPattern, { params: { expected: 'a regular expression' } }),
  with: z.string().default(''),
});

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'gu');
    return true;
  } catch {
    return false;
  }
}

export const replace = defineStep<z.infer<typeof args>>({
  name: 'replace',
  doc: 'Replaces whatever a regular expression matches; `$1` stands for its first group.',
  args,
  makes: 'text',
  examples: [
    { args: { match: "^'", with: '' }, in: "'0017", out: '0017' },
    { args: { match: '(\\d+) cm', with: '$1' }, in: '12 cm', out: '12' },
    { args: { match: '.*', with: '' }, in: 'gone' },
  ],
  make: ({ match, with: replacement }) => {
    const pattern = new RegExp(match, 'gu');
    return (text) => text.replace(pattern, replacement) || undefined;
  },
});
