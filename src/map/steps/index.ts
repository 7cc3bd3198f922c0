import { boolean } from './boolean.ts';
import { caseStep } from './case.ts';
import { json } from './json.ts';
import { map } from './map.ts';
import { number } from './number.ts';
import { replace } from './replace.ts';
import { split } from './split.ts';
import type { Step } from './step.ts';

/**
 * Every step, in the order in which they run whatever their order in the file. Cells are trimmed before, and
 * `default` and `required` come after. Steps behind `split` work on each part.
 */
export const STEPS: readonly Step[] = [split, replace, caseStep, number, boolean, map, json];

export { chain } from './chain.ts';
export { quoted } from './number.ts';
export type { Apply, Complain, Step } from './step.ts';
