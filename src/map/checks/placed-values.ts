import type { Json } from '../../model/index.ts';

/** A value with its path in the payload, such as `variants.3`. */
export interface PlacedValue {
  readonly path: string;
  readonly value: Json;
}

/**
 * Returns the values at a path that reads lists item by item. Nulls count as absent; an empty list is a value. `above`: the path
 * at which `value` itself is.
 */
export function valuesIn(value: Json, path: readonly string[], above = ''): PlacedValue[] {
  if (value === null) return [];
  if (Array.isArray(value) && value.length === 0 && path.length === 0) return [{ path: above, value }];
  if (Array.isArray(value)) return value.flatMap((item, at) => valuesIn(item, path, pathBelow(above, at)));
  const [name, ...rest] = path;
  if (name === undefined) return [{ path: above, value }];
  if (typeof value !== 'object' || !Object.hasOwn(value, name)) return [];
  return valuesIn(value[name] ?? null, rest, pathBelow(above, name));
}

export function pathBelow(above: string, step: string | number): string {
  return above === '' ? String(step) : `${above}.${step}`;
}
