import { roll } from '../random.ts';
import { concerns, InvalidValue, type Read, type RequestKind, scoped } from './values.ts';

/** Selects requests of a kind. Requests count from 1, in order of arrival. */
type RequestSelection =
  | { readonly from: number; readonly to: number }
  /** Each request begins a burst of `length` requests with this chance. */
  | { readonly chance: number; readonly length: number };

interface TimingRule {
  readonly value: RequestSelection;
  readonly kind: RequestKind | undefined;
}

/** Requests with a fault: those that match any of the rules. */
export type FaultTiming = readonly TimingRule[];

export const TIMING_FORM =
  'a share such as 2%, a burst such as 0.5%x10, or places such as #3 or #3-7, with @create and the like';

const readSelection: Read<RequestSelection> = (text) => {
  const [, from, to = from] = /^#([1-9]\d{0,9})(?:-([1-9]\d{0,9}))?$/.exec(text) ?? [];
  if (from !== undefined && Number(from) <= Number(to)) return { from: Number(from), to: Number(to) };
  const [, percent, length = '1'] = /^(\d{1,3}(?:\.\d+)?)%(?:x([1-9]\d{0,9}))?$/.exec(text) ?? [];
  if (percent === undefined || Number(percent) > 100) return new InvalidValue(TIMING_FORM);
  return { chance: Number(percent) / 100, length: Number(length) };
};

/** Reads `2%`, `0.5%x10@create`, `#3-7@update`, or several of these, separated by commas. */
export const readTiming: Read<FaultTiming> = (text) => {
  const rules = text.split(',').map(scoped(readSelection));
  return rules.find((rule) => rule instanceof InvalidValue) ?? (rules as TimingRule[]);
};

/** Returns a salt for the random decisions of one fault, independent of all others: FNV-1a of its name. */
export function saltOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 0x01000193);
  return hash >>> 0;
}

/**
 * Returns a function that decides whether a request has the fault. It depends only on the seed, the salt and the order
 * of arrival. Call it exactly once for each request.
 */
export function striking(rules: FaultTiming, seed: number, salt: number): (kind: RequestKind) => boolean {
  const states = rules.map((rule, index) => ({ ...rule, salt: salt * 16 + index, seen: 0, left: 0 }));
  return (kind) => {
    let strikes = false;
    for (const state of states) {
      if (!concerns(state.kind, kind)) continue;
      state.seen += 1;
      const { value } = state;
      if ('from' in value) {
        if (state.seen >= value.from && state.seen <= value.to) strikes = true;
      } else {
        if (state.left === 0 && roll(seed, state.seen, state.salt) < value.chance) state.left = value.length;
        if (state.left > 0) {
          state.left -= 1;
          strikes = true;
        }
      }
    }
    return strikes;
  };
}
