import * as z from 'zod';
import { defineStep } from './step.ts';

const separator = z.string().min(1);
const args = z.union([
  separator,
  z.strictObject({
    by: separator,
    escape: z.string().length(1).optional(),
    repeated: z.boolean().optional(),
  }),
]);
type Args = z.infer<typeof args>;

export const split = defineStep<Args>({
  name: 'split',
  doc:
    'Cuts a cell into a list at a separator; parts are trimmed, empty ones are dropped, and so are repeated ' +
    'ones, unless `repeated: true` keeps them. After the `escape` a separator is part of the text.',
  args,
  makes: 'list',
  examples: [
    { args: ',', in: 'mens, t-shirt,,mens', out: ['mens', 't-shirt'] },
    { args: '|', in: ' | ' },
    { args: { by: ',', escape: '\\' }, in: 'Salt\\, fine, Pepper', out: ['Salt, fine', 'Pepper'] },
    { args: { by: ';', repeated: true }, in: 'S;M;S', out: ['S', 'M', 'S'] },
  ],
  make(given) {
    const { by, escape: sign, repeated = false } = typeof given === 'string' ? { by: given } : given;
    return (text) => {
      const parts: string[] = [];
      for (const part of sign === undefined ? text.split(by) : cut(text, by, sign)) {
        const trimmed = part.trim();
        if (trimmed !== '') parts.push(trimmed);
      }
      if (parts.length === 0) return undefined;
      return repeated ? parts : [...new Set(parts)];
    };
  },
});

/** True if equal parts stay in the list, including parts that later steps make equal. */
export function keepsRepeated(given: unknown): boolean {
  return (given as { repeated?: boolean } | undefined)?.repeated === true;
}

/** Splits text with an escape. Before anything but a separator or another escape, an escape is an ordinary letter. */
function cut(text: string, by: string, sign: string): string[] {
  const parts: string[] = [];
  let part = '';
  let at = 0;
  while (at < text.length) {
    const escaped = text[at] === sign ? [by, sign].find((each) => text.startsWith(each, at + 1)) : undefined;
    if (escaped !== undefined) {
      part += escaped;
      at += 1 + escaped.length;
    } else if (text.startsWith(by, at)) {
      parts.push(part);
      part = '';
      at += by.length;
    } else part += text[at++];
  }
  return [...parts, part];
}
