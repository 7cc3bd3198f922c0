import type { Json } from '../../model/index.ts';
import { distinct } from './distinct.ts';
import type { AddIssue, Apply, LookupResolver } from './step.ts';

/** How a cell is split into parts, and what is done with them after the steps. */
export interface CellParts {
  readonly cut: Apply;
  /** Keeps equal parts in the list. */
  readonly repeated: boolean;
  /** Joins the parts again, with this text between them. */
  readonly join?: string;
}

/** Runs steps in sequence, on each part separately after `split`; undefined if there is nothing to do. */
export function chain(parts: CellParts | undefined, steps: readonly Apply[]): Apply | undefined {
  if (!parts) return steps.length === 0 ? undefined : inTurn(steps);
  const { cut, repeated, join } = parts;
  const one = inTurn(steps);
  return (text, addIssue, lookups) => {
    const cuttings = cut(text, addIssue, lookups) as string[] | undefined;
    const made = cuttings?.map((part) => one(part, addIssue, lookups)).filter((value) => value !== undefined);
    if (!made || made.length === 0) return undefined;
    const values = repeated ? made : distinct(made);
    return join === undefined ? values : values.join(join);
  };
}

function inTurn(steps: readonly Apply[]): Apply {
  return (text: string, addIssue: AddIssue, lookups: LookupResolver) => {
    let value: Json | undefined = text;
    for (const step of steps) {
      value = step(String(value), addIssue, lookups);
      if (value === undefined) return undefined;
    }
    return value;
  };
}
