import * as z from 'zod';
import { defineStep } from './step.ts';

export const split = defineStep<string>({
  name: 'split',
  doc: 'Cuts a cell into a list at a separator; parts are trimmed, empty and repeated ones are dropped.',
  args: z.string().min(1),
  makes: 'list',
  examples: [
    { args: ',', in: 'mens, t-shirt,,mens', out: ['mens', 't-shirt'] },
    { args: '|', in: ' | ' },
  ],
  make: (separator) => (text) => {
    const parts = new Set<string>();
    for (const part of text.split(separator)) {
      const trimmed = part.trim();
      if (trimmed !== '') parts.add(trimmed);
    }
    return parts.size > 0 ? [...parts] : undefined;
  },
});
