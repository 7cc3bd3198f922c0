import {
  choicesReader,
  isObject,
  type Json,
  type JsonObject,
  type OptionValue,
  optionFor,
  optionValuesOf,
} from '../../model/index.ts';
import type { Mapping, Rule } from '../mapping.ts';

/** The fields of options that were moved: `option2` → `option1`. */
type Moves = ReadonlyMap<string, string>;

/** Returns the moves by the index of the variant; undefined if there are none. */
export type CompleteOptions = (payload: JsonObject) => ReadonlyMap<number, Moves> | undefined;

/**
 * Adds the values of variants that the options of their product do not list, since nobody could choose these variants.
 * Puts the options of each variant in the order of the product. undefined if the mapping does not make options and
 * variants of rows, as in payloads that are ready.
 */
export function optionCompleter({ fields }: Mapping): CompleteOptions | undefined {
  const makes = (field: string) => fields.some(({ path: [first], rule }) => first === field && isList(rule));
  return makes('variants') && makes('options') ? completeOptions : undefined;
}

function isList({ kind }: Rule): boolean {
  return kind === 'list' || kind === 'joined';
}

function completeOptions({ options, variants }: JsonObject): ReadonlyMap<number, Moves> | undefined {
  if (!Array.isArray(options) || !Array.isArray(variants)) return undefined;
  const choicesOf = choicesReader();
  for (const variant of variants)
    for (const each of isObject(variant) ? optionValuesOf(variant) : []) {
      const option = optionFor(options, each);
      if (!option || !Array.isArray(option.values)) continue;
      const choices = choicesOf(option);
      if (choices.has(each.value)) continue;
      choices.add(each.value);
      option.values.push({ value1: each.value });
    }
  let moved: Map<number, Moves> | undefined;
  for (const [at, variant] of variants.entries()) {
    const moves = isObject(variant) ? arrangeOptions(variant, options) : undefined;
    if (moves) moved = (moved ?? new Map<number, Moves>()).set(at, moves);
  }
  return moved;
}

/** Separators that mappings write between the values in the name of a variant. */
const SEPARATORS = [', ', ' - ', ' / '];

/** Puts the options of a variant in the order of those of its product, which the rows of a file need not keep. */
function arrangeOptions(variant: JsonObject, options: readonly Json[]): Moves | undefined {
  const values = optionValuesOf(variant);
  const places = values.map((each) => placeOf(each, options));
  if (places.every((place, at) => place === values[at]?.index)) return undefined;
  if (places.includes(-1) || new Set(places).size < places.length) return undefined;
  const moves = new Map(values.map(({ field }, at) => [field, `option${(places[at] ?? 0) + 1}`]));
  const given = values.map(({ field }) => [field, variant[field] as Json] as const);
  for (const [field] of given) delete variant[field];
  for (const [field, option] of given) variant[moves.get(field) ?? field] = option;
  const texts = values.map(({ value }) => value);
  const separator = SEPARATORS.find((each) => texts.length > 1 && variant.name === texts.join(each));
  if (separator !== undefined)
    variant.name = optionValuesOf(variant)
      .map(({ value }) => value)
      .join(separator);
  return moves;
}

function placeOf(value: OptionValue, options: readonly Json[]): number {
  const option = value.name === undefined ? undefined : optionFor(options, value);
  return option === undefined ? -1 : options.indexOf(option);
}
