import {
  choicesOf,
  isObject,
  type Json,
  type JsonObject,
  type OptionValue,
  optionFor,
  optionValuesOf,
} from '../../model/index.ts';
import type { Mapping, Rule } from '../mapping.ts';

/**
 * Adds the values of variants that the options of their product do not list, since nobody could choose these variants.
 * Puts the options of each variant in the order of the product. undefined if the mapping does not make options and
 * variants of rows, as in payloads that are ready.
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
  for (const variant of variants) if (isObject(variant)) arrangeOptions(variant, options);
}

/** Separators that mappings write between the values in the name of a variant. */
const SEPARATORS = [', ', ' - ', ' / '];

/** Puts the options of a variant in the order of those of its product, which the rows of a file need not keep. */
function arrangeOptions(variant: JsonObject, options: readonly Json[]): void {
  const values = optionValuesOf(variant);
  const places = values.map((each) => placeOf(each, options));
  if (places.every((place, at) => place === values[at]?.index)) return;
  if (places.includes(-1) || new Set(places).size < places.length) return;
  const given = values.map(({ field }) => variant[field] as Json);
  for (const { field } of values) delete variant[field];
  for (const [at, option] of given.entries()) variant[`option${(places[at] ?? 0) + 1}`] = option;
  const texts = values.map(({ value }) => value);
  const separator = SEPARATORS.find((each) => texts.length > 1 && variant.name === texts.join(each));
  if (separator !== undefined)
    variant.name = optionValuesOf(variant)
      .map(({ value }) => value)
      .join(separator);
}

function placeOf(value: OptionValue, options: readonly Json[]): number {
  const option = value.name === undefined ? undefined : optionFor(options, value);
  return option === undefined ? -1 : options.indexOf(option);
}
