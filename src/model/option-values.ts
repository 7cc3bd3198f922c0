import { isObject, type Json, type JsonObject } from './json.ts';

/** One option of a variant. */
export interface OptionValue {
  /** Field of the variant, such as `option1`. */
  readonly field: string;
  /** Place among the options of the product: that of `option1` is 0. */
  readonly index: number;
  /** undefined if the variant does not name the option. */
  readonly name: string | undefined;
  readonly value: string;
}

const OPTION_FIELDS = Array.from({ length: 9 }, (_, index) => `option${index + 1}`);

/** The options of a variant, as presets and stores write them: `option1: { name, value1 }`, or `option1: "S"`. */
export function optionValuesOf(variant: JsonObject): OptionValue[] {
  const found: OptionValue[] = [];
  for (const [index, field] of OPTION_FIELDS.entries()) {
    const given = variant[field];
    if (given === undefined) continue;
    const value = isObject(given) ? given.value1 : given;
    const name = isObject(given) ? given.name : undefined;
    if (typeof value === 'string' && value !== '')
      found.push({ field, index, name: typeof name === 'string' ? name : undefined, value });
  }
  return found;
}

/** The option of a product that a variant means: by its name, else by its place. undefined if there is none. */
export function optionFor(options: readonly Json[], { name, index }: OptionValue): JsonObject | undefined {
  const found =
    name === undefined ? options[index] : options.find((each) => isObject(each) && each.name === name);
  return isObject(found) ? found : undefined;
}

/** Creates a function that reads the texts that buyers can choose for an option of a product, each option once. */
export function choicesReader(): (option: JsonObject) => Set<string> {
  const known = new Map<JsonObject, Set<string>>();
  return (option) => {
    const choices = known.get(option) ?? choicesOf(option);
    known.set(option, choices);
    return choices;
  };
}

function choicesOf({ values }: JsonObject): Set<string> {
  const texts = Array.isArray(values) ? values.map((each) => (isObject(each) ? each.value1 : each)) : [];
  return new Set(texts.filter((text) => typeof text === 'string'));
}
