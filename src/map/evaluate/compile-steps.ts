import type { Json } from '../../model/index.ts';
import type { TextSteps } from '../mapping.ts';
import { splitUnlessJsonList } from '../rows/items.ts';
import { chain } from '../steps/index.ts';
import { addIssue, type EvalContext, type NameResolver } from './eval-context.ts';

/** Applies the steps of a rule to a text that was read for the field `name`. */
export type TextTransform = (context: EvalContext, text: string, name: string) => Json | undefined;

/** Compiles the steps of a rule, with its `split`, to one function. */
export function compileSteps(
  { split, steps }: TextSteps,
  { exact }: Pick<NameResolver, 'exact'> = {},
): TextTransform {
  const transform = chain(exact && split ? { ...split, cut: splitUnlessJsonList(split.cut) } : split, steps);
  if (!transform) return (_context, text) => text;
  return (context, text, name) =>
    transform(text, (code, message) => addIssue(context, name, { code, message }), context.lookups);
}
