import type * as z from 'zod';
import type { Json } from '../../model/index.ts';

/** Tells what is wrong with a cell; the step then returns undefined, and the record is invalid. */
export type Complain = (code: string, message: string) => undefined;

/** What a step does to one cell's text (or to one part of it, after `split`). Undefined means absent. */
export type Apply = (text: string, complain: Complain) => Json | undefined;

/** One line of a step's documentation, and one case of its test: `out` undefined means absent, `issue` a code. */
export interface StepExample<Args> {
  readonly args: Args;
  readonly in: string;
  readonly out?: Json;
  readonly issue?: string;
}

/**
 * One step of the mapping language. Adding a step is adding a file with one of these and naming it in `index.ts`,
 * in the place of the fixed order where it runs.
 */
export interface Step<Args = unknown> {
  /** The key in a mapping file. */
  readonly name: string;
  readonly doc: string;
  /** Checks the value that stands after the key when the mapping is loaded. */
  readonly args: z.ZodType<Args>;
  /** What it makes of text: decides which fields it fits. `list` is text in parts; `any` is for map and json. */
  readonly makes: 'text' | 'number' | 'boolean' | 'list' | 'any';
  readonly examples: readonly StepExample<Args>[];
  readonly make: (args: Args) => Apply;
}

/** Keeps the type of `args` and `make` together, then forgets it, so that all steps fit one table. */
export function defineStep<Args>(step: Step<Args>): Step {
  return step as unknown as Step;
}
