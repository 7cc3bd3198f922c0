import { boolean } from './boolean.ts';
import { caseStep } from './case.ts';
import { date } from './date.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { lookup } from './lookup.ts';
import { map } from './map.ts';
import { number } from './number.ts';
import { pairs } from './pairs.ts';
import { replace } from './replace.ts';
import { slug } from './slug.ts';
import { split } from './split.ts';
import type { LookupResolver, ResultKind, Step } from './step.ts';
import { url } from './url.ts';

/**
 * Every step, in the order in which they run whatever their order in the file: first a cell is cut and the part that is
 * meant is taken out, then its text is cleaned, then it is read as what it says, and at last translated. Cells are
 * trimmed before, and `default` and `required` come after. Steps behind `split` work on each part.
 */
export const STEPS: readonly Step[] = [
  split,
  pairs,
  html,
  replace,
  caseStep,
  slug,
  url,
  number,
  boolean,
  date,
  map,
  lookup,
  json,
];

export function stepNamed(name: string): Step {
  const found = STEPS.find((step) => step.name === name);
  if (!found) throw new Error(`there is no step ${name}`);
  return found;
}

/** What a step with these arguments, which are known to be good, makes of text. */
export function kindMade({ makes }: Step, args: unknown): ResultKind {
  return typeof makes === 'function' ? makes(args) : makes;
}

/** Where no table is at hand, no key is in one. */
export const NO_LOOKUPS: LookupResolver = { find: () => ({ lacks: 'unknown' }) };

export { chain } from './chain.ts';
export { tableOf } from './lookup.ts';
export { quoted } from './quoted.ts';
export { keepsRepeated } from './split.ts';
export type { Apply, Complain, LookupResolver, LookupResult, LookupTable, ResultKind, Step } from './step.ts';
