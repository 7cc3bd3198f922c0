import * as z from 'zod';
import { parseItem } from '../../model/index.ts';
import { defineStep, quoted } from './step.ts';

export const json = defineStep<true>({
  name: 'json',
  doc: 'Reads a cell of JSON, such as [{"src":"https://example.com/a.png"}].',
  args: z.literal(true),
  makes: 'any',
  examples: [
    { args: true, in: '{"value":2.5,"unit":"kg"}', out: { value: 2.5, unit: 'kg' } },
    { args: true, in: '{"id":9007199254740993}', out: { id: '9007199254740993' } },
    { args: true, in: '[1,', issue: 'not-json' },
    { args: true, in: '{"__proto__":{"a":1}}', issue: 'not-json' },
  ],
  make: () => (text, addIssue) => {
    try {
      return parseItem(text, refusePrototype);
    } catch (error) {
      return addIssue('not-json', `${quoted(text)} is not JSON: ${(error as Error).message}`);
    }
  },
});

/** As a key, `__proto__` would change the prototype of objects that copy it later. It is never shop data. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new Error('the name __proto__ is not allowed');
  return value;
}
