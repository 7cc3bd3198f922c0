import * as z from 'zod';
import type { JsonObject } from '../../model/index.ts';
import { defineStep, quoted } from './step.ts';

const given = z.strictObject({
  between: z.string().min(1).default(','),
  equals: z.string().min(1).default('='),
  key: z.string().min(1).optional(),
});
const args = z.union([z.literal(true), given]);
type Args = z.input<typeof args>;

export const pairs = defineStep<Args>({
  name: 'pairs',
  doc:
    'Reads `name=value` pairs. `between` separates pairs, `equals` separates name and value; a piece without `equals` ' +
    'is joined to the value before it. With `key` it gives the value of that name as text, else all pairs as an object.',
  args: args as unknown as z.ZodType<Args>,
  makes: (args) => (args !== true && args.key !== undefined ? 'text' : 'any'),
  examples: [
    { args: true, in: 'sku=A-XS, size=XS', out: { sku: 'A-XS', size: 'XS' } },
    { args: { key: 'color' }, in: 'size=XS,color=Black,matt', out: 'Black,matt' },
    { args: { key: 'color' }, in: 'size=XS' },
    {
      args: { between: ', ', equals: ': ' },
      in: 'Name: Shirts, Path: Men/Shirts',
      out: { Name: 'Shirts', Path: 'Men/Shirts' },
    },
    { args: true, in: 'XS', issue: 'not-pairs' },
    { args: true, in: '__proto__=1', issue: 'not-pairs' },
  ],
  make(args) {
    const { between, equals, key } = given.parse(args === true ? {} : args);
    return (text, addIssue) => {
      const found = new Map<string, string>();
      let last: string | undefined;
      for (const piece of text.split(between)) {
        const at = piece.indexOf(equals);
        const name = at < 0 ? last : piece.slice(0, at).trim();
        if (name === undefined || name === '' || name === '__proto__')
          return addIssue('not-pairs', `${quoted(piece)} has no name; write it like name${equals}value`);
        const before = at < 0 ? `${found.get(name)}${between}` : '';
        found.set(name, before + piece.slice(at < 0 ? 0 : at + equals.length));
        last = name;
      }
      if (key !== undefined) return found.get(key)?.trim() || undefined;
      return Object.fromEntries([...found].map(([name, value]) => [name, value.trim()])) as JsonObject;
    };
  },
});
