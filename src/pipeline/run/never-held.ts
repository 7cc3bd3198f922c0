import { MISSED, type RuleUse } from '../../model/index.ts';

/** A rule of the user's mapping that applied to no record of a run, though it was asked. */
export type NeverHeld = Omit<RuleUse, 'use'>;

/** `files`: the rules of each, the same in all; one of which nothing is known may have had what they are for. */
export function neverHeldIn(files: readonly { readonly rules?: readonly RuleUse[] }[]): NeverHeld[] {
  if (files.some(({ rules }) => rules === undefined)) return [];
  const [first] = files;
  return (first?.rules ?? []).flatMap(({ use: _, ...rule }, index) => {
    const use = files.reduce((bits, { rules }) => bits | (rules?.[index]?.use ?? 0), 0);
    return use === MISSED ? [rule] : [];
  });
}
