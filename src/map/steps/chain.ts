import type { Json } from '../../model/index.ts';
import type { Apply, Complain } from './step.ts';

/** Steps one behind the other, each part by itself after `split`; undefined where there is nothing to do. */
export function chain(split: Apply | undefined, steps: readonly Apply[]): Apply | undefined {
  if (!split) return steps.length === 0 ? undefined : inTurn(steps);
  const one = inTurn(steps);
  return (text, complain) => {
    const parts = split(text, complain) as string[] | undefined;
    const values = parts?.map((part) => one(part, complain)).filter((value) => value !== undefined);
    return values && values.length > 0 ? [...new Set(values)] : undefined;
  };
}

function inTurn(steps: readonly Apply[]): Apply {
  return (text: string, complain: Complain) => {
    let value: Json | undefined = text;
    for (const step of steps) {
      value = step(String(value), complain);
      if (value === undefined) return undefined;
    }
    return value;
  };
}
