import * as z from 'zod';
import { compilePattern, patternProblem } from '../expression/patterns.ts';
import { defineStep } from './step.ts';

const oneReplacement = z
  .strictObject({ match: z.string().min(1), with: z.string().default('') })
  .superRefine((given, context) => {
    const problem = patternProblem(given.match) ?? groupProblem(given.match, given.with);
    if (problem !== undefined) context.addIssue(problem);
  });

/** One replacement, or several in their order. */
export const replacements = z.union([oneReplacement, z.array(oneReplacement).min(1)]);
type Replacements = z.infer<typeof replacements>;

/** Replaces in a text whatever the patterns match. */
export function createReplacer(given: Replacements): (text: string) => string {
  const all = [given]
    .flat()
    .map(({ match, with: replacement }) => ({ pattern: compilePattern(match), replacement }));
  return (text) =>
    all.reduce((read, { pattern, replacement }) => pattern.replaceAll(read, replacement), text);
}

/** Describes a group in the replacement that the pattern does not have; undefined if there is none. */
function groupProblem(match: string, replacement: string): string | undefined {
  const asked = [...replacement.replaceAll('$$', '').matchAll(/\$(\d{1,2})/g)].map(([, number]) =>
    Number(number),
  );
  if (asked.length === 0) return undefined;
  const { groups } = compilePattern(match);
  const missing = asked.find((number) => number > groups);
  return missing === undefined
    ? undefined
    : `$${missing} stands for a group that ${JSON.stringify(match)} does not have; a dollar sign is written $$.`;
}

export const replace = defineStep<Replacements>({
  name: 'replace',
  doc:
    'Replaces whatever a regular expression matches; `$1` stands for its first group. A list replaces one after the other. Patterns ' +
    'that look ahead or behind, or repeat what a group found, are refused: all others take time linear in the text.',
  args: replacements,
  makes: 'text',
  examples: [
    { args: { match: "^'", with: '' }, in: "'0017", out: '0017' },
    { args: { match: '(\\d+) cm', with: '$1' }, in: '12 cm', out: '12' },
    { args: { match: '.*', with: '' }, in: 'gone' },
    {
      args: [
        { match: '^lbs?$', with: 'pound' },
        { match: '^oz$', with: 'ounce' },
      ],
      in: 'oz',
      out: 'ounce',
    },
    { args: { match: '^(a+)+$', with: 'x' }, in: `${'a'.repeat(40)}!`, out: `${'a'.repeat(40)}!` },
  ],
  make(given) {
    const replaceAll = createReplacer(given);
    return (text) => replaceAll(text) || undefined;
  },
});
