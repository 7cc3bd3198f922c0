import type * as z from 'zod';
import type { Json } from '../../model/index.ts';
import { HELD, MISSED } from '../../model/index.ts';

/** Tells what is wrong with a cell; the step then returns undefined, and the record is invalid. */
export type Complain = (code: string, message: string) => undefined;

/** What a step does to one cell's text (or to one part of it, after `split`). Undefined means absent. */
export type Apply = (text: string, complain: Complain, outside: LookupResolver) => Json | undefined;

/** What steps may ask of the world beyond the cell. Given when a record is mapped, not when the mapping is read. */
export interface LookupResolver {
  /** What stands for a key in another table; see `Answer`. */
  find(table: LookupTable, key: string): LookupResult;
  /** Bits for each rule of `Mapping.watched`: whether it applied in this file. Left out, nobody counts. */
  held?: Uint8Array | undefined;
  /** Web address of the folder in which images lie that have a path only. */
  readonly imageBase?: string | undefined;
  /** Called with each path that was left out for want of that. */
  readonly onLeftOut?: ((path: string) => void) | undefined;
}

/** Where a lookup looks: in a file beside the mapping, or among the records that earlier runs made. */
export type LookupTable =
  | { readonly file: string; readonly key: string; readonly value: string }
  | { readonly from: string };

/** `value` or, where there is none, why: no such key, several of them, or one of which only the store knows. */
export type LookupResult =
  | { readonly value: string }
  | { readonly lacks: 'unknown' | 'ambiguous' | 'in-doubt' };

/** One line of a step's documentation, and one case of its test: `out` undefined means absent, `issue` a code. */
export interface StepExample<Args> {
  readonly args: Args;
  readonly in: string;
  readonly out?: Json;
  readonly issue?: string;
}

/** What a step makes of text: decides which fields it fits. `list` is text in parts; `any` is what a cell decides. */
export type ResultKind = 'text' | 'number' | 'boolean' | 'list' | 'any';

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
  readonly makes: ResultKind | ((args: Args) => ResultKind);
  readonly examples: readonly StepExample<Args>[];
  /** `watch`: the step's number in `Mapping.watched`. */
  readonly make: (args: Args, watch?: number) => Apply;
  /** For mappings that read files only. */
  readonly importsOnly?: true;
}

/** Keeps the type of `args` and `make` together, then forgets it, so that all steps fit one table. */
export function defineStep<Args>(step: Step<Args>): Step {
  return step as unknown as Step;
}

/** Notes that a rule applied, or that it did not. */
export function noteUse(
  { held }: Pick<LookupResolver, 'held'>,
  watch: number | undefined,
  applied: boolean,
): void {
  if (held && watch !== undefined) held[watch] = (held[watch] ?? 0) | (applied ? HELD : MISSED);
}
