/**
 * Identifiers: 24 hex digits, unique over all collections, the same in every run. They hold their own position,
 * so that a record is found without an index of ids, which at a million records would outweigh a small record:
 *
 *     5a9d0b0100000000000003e7    record 999 of the first collection
 *     |--prefix--||--position--|
 */
const PREFIX_LENGTH = 8;
const POSITION_LENGTH = 16;

/** Kinds of identifiers, in the order of their prefixes. `catalogue` are the products that seeded reviews name. */
const KINDS = [
  'products',
  'discounts',
  'customers',
  'orders',
  'suppliers',
  'reviews',
  'images',
  'catalogue',
  'visitors',
  'places',
  'services',
] as const;
export type IdKind = (typeof KINDS)[number];

/** Collections in which records can be created. */
export const CREATED = ['products', 'discounts', 'customers', 'orders', 'suppliers'] as const;
export type CreatedCollection = (typeof CREATED)[number] & IdKind;

const PREFIXES = Object.fromEntries(
  KINDS.map((kind, index) => [kind, `5a9d0b${(index + 1).toString(16).padStart(2, '0')}`]),
) as Record<IdKind, string>;

const ID = /^[0-9a-f]{24}$/;

export function idOf(kind: IdKind, position: number): string {
  return PREFIXES[kind] + position.toString(16).padStart(POSITION_LENGTH, '0');
}

/** Position of the record with this id; undefined when the id is not of this kind. The record need not exist. */
export function positionOf(kind: IdKind, id: string): number | undefined {
  if (!ID.test(id) || !id.startsWith(PREFIXES[kind])) return undefined;
  return Number.parseInt(id.slice(PREFIX_LENGTH), 16);
}
