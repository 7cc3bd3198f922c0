import * as z from 'zod';
import type { Json } from '../../model/index.ts';
import { defineStep, noteUse, quoted } from './step.ts';

const plain = z.union([z.string(), z.number(), z.boolean()]);

/** In a mapping file, `else` is a key beside `map`; the parser passes both together. */
const args = z.strictObject({ words: z.record(z.string(), plain), else: plain.optional() });

export const map = defineStep<z.infer<typeof args>>({
  name: 'map',
  doc:
    'Translates words, without regard to case. A word that is not listed becomes `else`; without `else` it is ' +
    'an issue that lists the known ones.',
  args,
  makes: 'any',
  examples: [
    { args: { words: { active: 'PUBLISH', draft: 'DRAFT' } }, in: 'Active', out: 'PUBLISH' },
    { args: { words: { active: 'PUBLISH' } }, in: 'sold', issue: 'unknown-word' },
    { args: { words: { active: 'PUBLISH' }, else: 'DRAFT' }, in: 'sold', out: 'DRAFT' },
  ],
  make: ({ words, else: otherwise }, watch) => {
    const table = new Map<string, Json>(
      Object.entries(words).map(([word, value]) => [word.toLowerCase(), value]),
    );
    const known = Object.keys(words).join(', ');
    return (text, addIssue, lookups) => {
      const value = table.get(text.toLowerCase());
      noteUse(lookups, watch, value !== undefined);
      return (
        value ??
        otherwise ??
        addIssue('unknown-word', `${quoted(text)} is not known here; use one of: ${known}`)
      );
    };
  },
});
