import type { Json } from '../../model/index.ts';
import type { Apply, Complain, LookupResolver } from './step.ts';

/** How a cell is cut in parts, and what becomes of them after the steps. */
export interface CellParts {
  readonly cut: Apply;
  /** Parts that are the same stay in the list. */
  readonly repeated: boolean;
  /** Puts them together again, with this text between them. */
  readonly join?: string;
}

/** Steps one behind the other, each part by itself after `split`; undefined where there is nothing to do. */
export function chain(parts: CellParts | undefined, steps: readonly Apply[]): Apply | undefined {
  if (!parts) return steps.length === 0 ? undefined : inTurn(steps);
  const { cut, repeated, join } = parts;
  const one = inTurn(steps);
  return (text, complain, outside) => {
    const cuttings = cut(text, complain, outside) as string[] | undefined;
    const made = cuttings?.map((part) => one(part, complain, outside)).filter((value) => value !== undefined);
    if (!made || made.length === 0) return undefined;
    const values = repeated ? made : [...new Set(made)];
    return join === undefined ? values : values.join(join);
  };
}

function inTurn(steps: readonly Apply[]): Apply {
  return (text: string, complain: Complain, outside: LookupResolver) => {
    let value: Json | undefined = text;
    for (const step of steps) {
      value = step(String(value), complain, outside);
      if (value === undefined) return undefined;
    }
    return value;
  };
}
