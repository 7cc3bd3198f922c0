import * as z from 'zod';
import { defineStep } from './step.ts';

const args = z.enum(['upper', 'lower']);

export const caseStep = defineStep<z.infer<typeof args>>({
  name: 'case',
  doc: 'Writes text in `upper` or `lower` case.',
  args,
  makes: 'text',
  examples: [
    { args: 'upper', in: 'straße', out: 'STRASSE' },
    { args: 'lower', in: 'USD', out: 'usd' },
  ],
  make: (to) => (text) => (to === 'upper' ? text.toUpperCase() : text.toLowerCase()),
});
