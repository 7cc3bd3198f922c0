import { isMap, isScalar, type Node, type Pair, type YAMLMap } from 'yaml';

export interface FoundField {
  readonly pair: Pair;
  /** Its key as written there: below `price`, only `salePrice`. */
  readonly key: string;
  readonly parent: YAMLMap;
}

/** Finds `price.salePrice`, also as `salePrice` below `price`. */
export function findField(map: YAMLMap, field: string): FoundField | undefined {
  const pair = pairOf(map, field);
  if (pair) return { pair, key: field, parent: map };
  for (const each of map.items as Pair[]) {
    const key = keyOf(each);
    if (field.startsWith(`${key}.`) && isMap(each.value))
      return findField(each.value, field.slice(key.length + 1));
  }
  return undefined;
}

export function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return (map.items as Pair[]).find((pair) => keyOf(pair) === name);
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

/** Keys that lead to an entry, which is found by its place in the text. */
export function pathTo(map: YAMLMap, wanted: Pair): unknown[] {
  for (const pair of map.items as Pair[]) {
    const key = isScalar(pair.key) ? pair.key.value : undefined;
    if (startOf(pair) === startOf(wanted)) return [key];
    if (!isMap(pair.value)) continue;
    const inner = pathTo(pair.value, wanted);
    if (inner.length > 0) return [key, ...inner];
  }
  return [];
}

/** Index of the key in the text. */
export function startOf({ key }: Pair): number {
  return (key as Node).range?.[0] ?? 0;
}
