import { type LookupResolver, type LookupResult, STEPS } from '../../../src/map/index.ts';
import type { Json } from '../../../src/model/index.ts';

/** Tables of the lookups in the examples. */
const TABLES: Readonly<Record<string, Readonly<Record<string, LookupResult>>>> = {
  'brands.csv': { 'Quiet Inkwell': { value: 'QI' }, Twice: { missing: 'ambiguous' } },
  suppliers: { 'Tidewater Mill': { value: '66c0ffee0000000000000001' }, Asked: { missing: 'in-doubt' } },
};

export const OUTSIDE: LookupResolver = {
  find: (table, key) => TABLES['file' in table ? table.file : table.from]?.[key] ?? { missing: 'unknown' },
};

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
  const addIssue = (code: string, message: string) => {
    codes.push(code);
    messages.push(message);
    return undefined;
  };
  const value = step.make(step.args.parse(args))(text, addIssue, OUTSIDE);
  return { value, codes, messages };
}

export function accepts(name: string, args: unknown): boolean {
  return STEPS.find((each) => each.name === name)?.args.safeParse(args).success === true;
}
