import { type Json, parseItem } from '../../model/index.ts';
import type { TextSteps } from '../mapping.ts';
import { type Apply, chain } from '../steps/index.ts';
import { addIssue, type EvalContext, type NameResolver } from './eval-context.ts';

/** Applies the steps of a rule to a text that was read for the field `name`. */
export type TextTransform = (context: EvalContext, text: string, name: string) => Json | undefined;

/** Compiles the steps of a rule, with its `split`, to one function. The text of a list in a JSON object is not split. */
export function compileSteps(
  { split, steps }: TextSteps,
  { exact }: Pick<NameResolver, 'exact'> = {},
): TextTransform {
  const transform = chain(exact && split ? { ...split, cut: splitUnlessJsonList(split.cut) } : split, steps);
  if (!transform) return (_context, text) => text;
  return (context, text, name) =>
    transform(text, (code, message) => addIssue(context, name, { code, message }), context.lookups);
}

/** Wraps a step that splits text: a list in JSON already has its parts. Objects in it have no text, and are left out. */
function splitUnlessJsonList(split: Apply): Apply {
  return (text, addIssue, lookups) => {
    const list = text.startsWith('[') ? listIn(text) : undefined;
    if (!list) return split(text, addIssue, lookups);
    const words = list.filter((word) => typeof word !== 'object').map((word) => String(word).trim());
    const filled = words.filter((word) => word !== '');
    return filled.length > 0 ? filled : undefined;
  };
}

/** undefined for text that only looks like a list at its beginning. */
function listIn(text: string): Json[] | undefined {
  try {
    return parseItem(text) as Json[];
  } catch {
    return undefined;
  }
}
