import { boolean } from './boolean.ts';
import { caseStep } from './case.ts';
import { date } from './date.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { lookup } from './lookup.ts';
import { map } from './map.ts';
import { multiply } from './multiply.ts';
import { number } from './number.ts';
import { pairs } from './pairs.ts';
import { person } from './person.ts';
import { replace } from './replace.ts';
import { slug } from './slug.ts';
import { split } from './split.ts';
import type { LookupResolver, ResultKind, Step } from './step.ts';
import { url } from './url.ts';

/**
 * All steps, in the order in which they run, whatever their order in the mapping: split a cell and extract the relevant
 * part, clean the text, parse it, and translate it last. Cells are trimmed before; `default` and `required` apply
 * after. Steps after `split` run on each part.
 */
export const STEPS: readonly Step[] = [
  split,
  pairs,
  html,
  replace,
  person,
  caseStep,
  slug,
  url,
  number,
  multiply,
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

/** The kind of value that a step makes of text. `args` must be valid. */
export function kindMade({ makes }: Step, args: unknown): ResultKind {
  return typeof makes === 'function' ? makes(args) : makes;
}

/** Resolver without tables: it finds no key. */
export const NO_LOOKUPS: LookupResolver = { find: () => ({ missing: 'unknown' }) };

export { chain } from './chain.ts';
export { tableOf } from './lookup.ts';
export { keepsRepeated } from './split.ts';
export {
  type AddIssue,
  type Apply,
  type LookupResolver,
  type LookupResult,
  type LookupTable,
  quoted,
  type ResultKind,
  type Step,
} from './step.ts';
