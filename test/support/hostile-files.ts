import { diceOf } from './hostile/dice.ts';
import { FORMATS } from './hostile/formats.ts';
import { hostileOptions } from './hostile/options.ts';

/** A file that may break a command, and the options to read it with. The same for each number. */
export interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly resource: string;
  /** Files of the project to join with it. */
  readonly beside: readonly string[];
  readonly options: readonly string[];
  readonly isImport: boolean;
  /** True to suggest a mapping first and to use it. */
  readonly isSuggested: boolean;
}

const WEIGHTS = Object.fromEntries(Object.entries(FORMATS).map(([ending, { weight }]) => [ending, weight]));

export async function hostileFile(number: number): Promise<HostileFile> {
  const dice = diceOf(number);
  const ending = dice.weighted(WEIGHTS);
  const { bytes, resource, beside } = await (FORMATS[ending] as (typeof FORMATS)[string]).make(dice);
  return {
    name: `hostile.${ending}`,
    ...{ bytes, resource, beside },
    options: hostileOptions(dice),
    isImport: dice.chance(0.33),
    isSuggested: dice.chance(0.04),
  };
}
