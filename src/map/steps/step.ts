import type * as z from 'zod';
import { HELD, type Json, MISSED } from '../../model/index.ts';

/** Reports a problem with a cell. The step then returns undefined, and the record is invalid. */
export type AddIssue = (code: string, message: string) => undefined;

/** Applies a step to the text of a cell, or of one part after `split`. undefined means absent. */
export type Apply = (text: string, addIssue: AddIssue, lookups: LookupResolver) => Json | undefined;

/** Access of steps to data outside the cell. Passed when a record is mapped, not when the mapping is parsed. */
export interface LookupResolver {
  /** Looks up a key in another table; see `LookupResult`. */
  find(table: LookupTable, key: string): LookupResult;
  /** Bits for each rule of `Mapping.watchedRules` that record its use in this file. If absent, use is not counted. */
  ruleUse?: Uint8Array | undefined;
  /** Web address of the folder for images that are given as a path. */
  readonly imageBase?: string | undefined;
  /** Called with each path that was left out because `imageBase` is missing. */
  readonly onLeftOut?: ((path: string) => void) | undefined;
}

/** The table of a lookup: a file beside the mapping, or the records that earlier runs created. */
export type LookupTable =
  | { readonly file: string; readonly key: string; readonly value: string }
  | { readonly from: string };

/** `value`, or the reason why there is none: unknown key, several values, or a record that is in doubt. */
export type LookupResult =
  | { readonly value: string }
  | {
      readonly missing: 'unknown' | 'ambiguous' | 'in-doubt';
      /** Completes the message of an unknown key after the key, if more is known than that it is not there. */
      readonly says?: string;
    };

/** An example in a step's documentation and a case of its test. `out` undefined means absent, `issue` is a code. */
export interface StepExample<Args> {
  readonly args: Args;
  readonly in: string;
  readonly out?: Json;
  readonly issue?: string;
}

/** The kind of value that a step makes; it must fit the field. `list` is text in parts, `any` depends on the cell. */
export type ResultKind = 'text' | 'number' | 'boolean' | 'list' | 'any';

/**
 * One step of the mapping language. To add a step, add a file with one of these and name it in `index.ts`, at its place
 * in the fixed order.
 */
export interface Step<Args = unknown> {
  /** The key in a mapping file. */
  readonly name: string;
  readonly doc: string;
  /** Checks the value of the key when the mapping is parsed. */
  readonly args: z.ZodType<Args>;
  readonly makes: ResultKind | ((args: Args) => ResultKind);
  readonly examples: readonly StepExample<Args>[];
  /** `watch` is the step's index in `Mapping.watchedRules`. */
  readonly make: (args: Args, watch?: number) => Apply;
  /** Only for mappings that read files. */
  readonly importsOnly?: true;
}

/** Checks that `args` and `make` agree in type, then erases the type, so that all steps fit one table. */
export function defineStep<Args>(step: Step<Args>): Step {
  return step as unknown as Step;
}

/** Records that a rule applied, or that it did not. */
export function noteUse(
  { ruleUse }: Pick<LookupResolver, 'ruleUse'>,
  watch: number | undefined,
  applied: boolean,
): void {
  if (ruleUse && watch !== undefined) ruleUse[watch] = (ruleUse[watch] ?? 0) | (applied ? HELD : MISSED);
}

/** A cell as messages show it. */
export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}
