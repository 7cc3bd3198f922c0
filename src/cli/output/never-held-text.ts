import type { Summary } from '../../pipeline/index.ts';

type NeverHeld = NonNullable<Summary['never_held']>[number];

const MOST = 8;

/** What each kind of rule did for all records. */
const WORDS: Readonly<Record<NeverHeld['kind'], (text: string) => string>> = {
  condition: (text) => `the condition ${text} never held`,
  map: (text) => `no cell has a word of map: ${text}; all took else`,
  lookup: (text) => `lookup: ${text} found no cell; all took else`,
};

/** Rules of the user's mapping that never applied: what they are for reached no record. */
export function neverHeldLines(rules: readonly NeverHeld[] = [], mapping: string): string[] {
  if (rules.length === 0) return [];
  const lines = rules
    .slice(0, MOST)
    .map(({ field, kind, text, line }) => `  ${field} (line ${line}): ${WORDS[kind](text)}.`);
  const more = rules.length - MOST;
  return [
    `Warning: rules of ${mapping} applied to no record. Check them against the cells of the file:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more, in summary.json`] : []),
  ];
}
