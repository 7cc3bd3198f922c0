import { choicesOf, isObject, type JsonObject, optionFor, optionValuesOf } from '../../model/index.ts';
import type { Mapping, Rule } from '../mapping.ts';

/**
 * Adds the values of variants that the options of their product do not list: otherwise nobody could choose these
 * variants. undefined if the mapping does not make options and variants of rows, as in payloads that are ready.
 */
export function optionCompleter({ fields }: Mapping): ((payload: JsonObject) => void) | undefined {
  const makes = (field: string) => fields.some(({ path: [first], rule }) => first === field && isList(rule));
  return makes('variants') && makes('options') ? completeOptions : undefined;
}

function isList({ kind }: Rule): boolean {
  return kind === 'list' || kind === 'joined';
}

function completeOptions({ options, variants }: JsonObject): void {
  if (!Array.isArray(options) || !Array.isArray(variants)) return;
  const known = new Map<JsonObject, Set<string>>();
  for (const variant of variants)
    for (const each of isObject(variant) ? optionValuesOf(variant) : []) {
      const option = optionFor(options, each);
      if (!option || !Array.isArray(option.values)) continue;
      const choices = known.get(option) ?? choicesOf(option);
      known.set(option, choices);
      if (choices.has(each.value)) continue;
      choices.add(each.value);
      option.values.push({ value1: each.value });
    }
}
