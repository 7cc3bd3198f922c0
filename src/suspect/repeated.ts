import type { JsonObject } from '../model/index.ts';

/** A variant that has the SKU of an earlier one (`before`); both as indexes in the list. */
export interface Repeated {
  readonly at: number;
  readonly before: number;
  readonly sku: string;
}

/** Names under which presets and stores keep the SKU of a variant. */
const SKU_FIELDS = ['reference', 'sku'] as const;

const NONE: readonly Repeated[] = [];

/** Finds variants of one product that share a SKU: stock and orders of one could be booked on the other. */
export function repeatedSkus({ variants }: JsonObject): readonly Repeated[] {
  if (!Array.isArray(variants) || variants.length < 2) return NONE;
  const first = new Map<string, number>();
  const repeated: Repeated[] = [];
  for (const [at, variant] of variants.entries()) {
    const sku = skuOf(variant as JsonObject | null);
    const before = sku === undefined ? undefined : first.get(sku);
    if (sku === undefined) continue;
    if (before === undefined) first.set(sku, at);
    else repeated.push({ at, before, sku });
  }
  return repeated;
}

function skuOf(variant: JsonObject | null): string | undefined {
  const field = SKU_FIELDS.find((name) => typeof variant?.[name] === 'string' && variant[name] !== '');
  return field && (variant?.[field] as string);
}

/** Returns the path of a variant's SKU in the payload. */
export function skuField({ variants }: JsonObject, at: number): string {
  const variant = (variants as JsonObject[] | undefined)?.[at];
  return `variants.${at}.${SKU_FIELDS.find((name) => typeof variant?.[name] === 'string') ?? SKU_FIELDS[0]}`;
}
