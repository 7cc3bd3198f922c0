import * as z from 'zod';
import { compilePattern, patternProblem } from '../expression/patterns.ts';
import { distinct } from './distinct.ts';
import { createReplacer, replacements } from './replace.ts';
import { defineStep } from './step.ts';

const separator = z.string().min(1);
const more = { replace: replacements.optional(), repeated: z.boolean().optional() };
const match = z
  .string()
  .min(1)
  .superRefine((source, context) => {
    const problem = patternProblem(source) ?? emptyProblem(source);
    if (problem !== undefined) context.addIssue(problem);
  });
const args = z.union([
  separator,
  z.strictObject({ by: separator, escape: z.string().length(1).optional(), ...more }),
  z.strictObject({ match, ...more }),
]);
type Args = z.infer<typeof args>;

/** Reports a pattern that finds something between any two letters. */
function emptyProblem(source: string): string | undefined {
  return compilePattern(source).test('')
    ? `${JSON.stringify(source)} matches an empty text, so it would cut between all letters.`
    : undefined;
}

export const split = defineStep<Args>({
  name: 'split',
  doc:
    'Cuts a cell into a list at a separator, or wherever a regular expression matches; parts are trimmed, empty ones are ' +
    'dropped, and so are repeated ones, unless `repeated: true` keeps them. After the `escape` a separator is part of the text. A ' +
    '`replace` in `split` works on the whole cell, before it is cut.',
  args,
  makes: 'list',
  examples: [
    { args: ',', in: 'mens, t-shirt,,mens', out: ['mens', 't-shirt'] },
    { args: '|', in: ' | ' },
    { args: { match: '[;,/]| and ' }, in: 'red, green and blue', out: ['red', 'green', 'blue'] },
    { args: { by: ',', escape: '\\' }, in: 'Salt\\, fine, Pepper', out: ['Salt, fine', 'Pepper'] },
    { args: { by: ';', repeated: true }, in: 'S;M;S', out: ['S', 'M', 'S'] },
    {
      args: { by: ',', replace: { match: '^\\[|\\]$', with: '' } },
      in: '[red, green]',
      out: ['red', 'green'],
    },
  ],
  make(given) {
    const { replace, repeated = false, ...way } = typeof given === 'string' ? { by: given } : given;
    const replaced = replace && createReplacer(replace);
    const cut = cutter(way);
    return (text) => {
      const parts: string[] = [];
      for (const part of cut(replaced ? replaced(text) : text)) {
        const trimmed = part.trim();
        if (trimmed !== '') parts.push(trimmed);
      }
      if (parts.length === 0) return undefined;
      return repeated ? parts : distinct(parts);
    };
  },
});

/** The text or the pattern at which a cell is cut. */
type Separator = { readonly by: string; readonly escape?: string | undefined } | { readonly match: string };

function cutter(way: Separator): (text: string) => string[] {
  if ('match' in way) return compilePattern(way.match).split;
  const { by, escape: sign } = way;
  return sign === undefined ? (text) => text.split(by) : (text) => splitEscaped(text, by, sign);
}

/** True if equal parts stay in the list, including parts that later steps make equal. */
export function keepsRepeated(given: unknown): boolean {
  return (given as { repeated?: boolean } | undefined)?.repeated === true;
}

/** Splits text with an escape. Before anything but a separator or another escape, an escape is an ordinary letter. */
function splitEscaped(text: string, by: string, sign: string): string[] {
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
