import {
  choicesReader,
  isObject,
  type Json,
  type JsonObject,
  type OptionValue,
  optionFor,
  optionValuesOf,
  type SuspectCode,
} from '../model/index.ts';

/** A variant that buyers cannot choose, or whose SKU does not say which one it is. */
export interface VariantFault {
  readonly code: Extract<SuspectCode, 'same-sku' | 'same-options' | 'no-such-option'>;
  /** Field of the payload that is at fault, such as `variants.3.reference`. */
  readonly field: string;
  readonly text: string;
  /** Field of the earlier variant that is equal in this; undefined if the fault is of one variant. */
  readonly before?: string;
}

/** Names under which presets and stores keep the SKU of a variant. */
const SKU_FIELDS = ['reference', 'sku'] as const;

const NONE: readonly VariantFault[] = [];

/**
 * Finds variants of one product that nobody can choose or tell apart: stock and orders of one could be booked on the
 * other.
 *
 * `isReady`: the payload was not made by a mapping, so its variants may have options in a form of their own.
 */
export function variantFaults(payload: JsonObject, isReady: boolean): readonly VariantFault[] {
  const { variants, options, status } = payload;
  if (!Array.isArray(variants) || variants.length === 0) return NONE;
  const faults: VariantFault[] = [];
  const [skus, chosen] = [new Map<string, string>(), new Map<string, string>()];
  const noteRepeated = (seen: Map<string, string>, mark: string, fault: VariantFault) => {
    const before = seen.get(mark);
    if (before === undefined) seen.set(mark, fault.field);
    else faults.push({ ...fault, before });
  };
  const isOffered = Array.isArray(options) ? offerTest(options) : undefined;
  for (const [at, variant] of variants.entries()) {
    if (!isObject(variant)) continue;
    const field = `variants.${at}`;
    const name = SKU_FIELDS.find((each) => typeof variant[each] === 'string' && variant[each] !== '');
    const sku = name && String(variant[name]);
    if (sku !== undefined)
      noteRepeated(skus, sku, { code: 'same-sku', field: `${field}.${name}`, text: sku });
    const values = optionValuesOf(variant);
    const missing = isOffered && values.find((each) => !isOffered(each));
    if (missing)
      faults.push({ code: 'no-such-option', field: `${field}.${missing.field}.value1`, text: missing.value });
    const [first] = values;
    // A draft without options is for its owner to complete, and an update may leave them out.
    if (first)
      noteRepeated(chosen, markOf(values), {
        ...{ code: 'same-options', field: `${field}.${first.field}.value1` },
        text: values.map(({ value }) => value).join(' - '),
      });
    else if (status === 'PUBLISH' && !isReady)
      noteRepeated(chosen, '', { code: 'same-options', field, text: 'no options' });
  }
  return faults;
}

/** Creates the test for values that the options of a product list. */
function offerTest(options: readonly Json[]): (value: OptionValue) => boolean {
  const choicesOf = choicesReader();
  return (value) => {
    const option = optionFor(options, value);
    return option !== undefined && choicesOf(option).has(value.value);
  };
}

/** The options of a variant as one text, whatever their order. */
function markOf(values: readonly OptionValue[]): string {
  return JSON.stringify(values.map(({ field, name = field, value }) => [name, value]).sort());
}
