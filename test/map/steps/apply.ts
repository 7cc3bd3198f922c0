import { STEPS } from '../../../src/map/index.ts';
import type { Json } from '../../../src/model/index.ts';

export interface Applied {
  readonly value: Json | undefined;
  readonly codes: readonly string[];
  readonly messages: readonly string[];
}

/** Runs one step on the text of one cell, with arguments as a mapping gives them. */
export function apply(name: string, args: unknown, text: string): Applied {
  const step = STEPS.find((each) => each.name === name);
  if (!step) throw new Error(`there is no step ${name}`);
  const codes: string[] = [];
  const messages: string[] = [];
  const value = step.make(step.args.parse(args))(text, (code, message) => {
    codes.push(code);
    messages.push(message);
    return undefined;
  });
  return { value, codes, messages };
}

export function accepts(name: string, args: unknown): boolean {
  return STEPS.find((each) => each.name === name)?.args.safeParse(args).success === true;
}
