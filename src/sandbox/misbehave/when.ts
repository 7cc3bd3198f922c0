import { roll } from '../random.ts';
import { concerns, type FaultValueKind, type Read, scoped, Wrong } from './values.ts';

/** Which of the requests of a kind a fault strikes. Requests count from 1, in order of arrival. */
type Choice =
  | { readonly from: number; readonly to: number }
  /** Each with this chance, and then the next ones too, `length` in all. */
  | { readonly chance: number; readonly length: number };

interface Rule {
  readonly value: Choice;
  readonly kind: FaultValueKind | undefined;
}

/** When a fault strikes: any of its rules is enough. */
export type When = readonly Rule[];

export const WHEN =
  'a share such as 2%, a burst such as 0.5%x10, or places such as #3 or #3-7, with @create and the like';

const choose: Read<Choice> = (text) => {
  const [, from, to = from] = /^#([1-9]\d{0,9})(?:-([1-9]\d{0,9}))?$/.exec(text) ?? [];
  if (from !== undefined && Number(from) <= Number(to)) return { from: Number(from), to: Number(to) };
  const [, percent, length = '1'] = /^(\d{1,3}(?:\.\d+)?)%(?:x([1-9]\d{0,9}))?$/.exec(text) ?? [];
  if (percent === undefined || Number(percent) > 100) return new Wrong(WHEN);
  return { chance: Number(percent) / 100, length: Number(length) };
};

/** `2%`, `0.5%x10@create`, `#3-7@update`, several with commas between. */
export const when: Read<When> = (text) => {
  const rules = text.split(',').map(scoped(choose));
  return rules.find((rule) => rule instanceof Wrong) ?? (rules as Rule[]);
};

/** Keeps the decisions of one fault apart from those of all others, whichever they are: FNV-1a of its name. */
export function saltOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 0x01000193);
  return hash >>> 0;
}

/**
 * A function of the seed, the salt and the order of arrival: the same requests in the same order are struck the
 * same. Must be asked once for each request.
 */
export function striking(rules: When, seed: number, salt: number): (kind: FaultValueKind) => boolean {
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
