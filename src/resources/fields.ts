import * as z from 'zod';
import type { Resource } from './resource.ts';

/** Type of a field, derived from its zod schema once, so that mappings and exports need not know zod. */
export type FieldType =
  | { readonly kind: 'text' | 'number' | 'boolean' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, FieldType>; readonly open: boolean }
  | { readonly kind: 'list'; readonly item: FieldType }
  | { readonly kind: 'anything' };

const derived = new WeakMap<z.ZodType, FieldType>();

/**
 * Derives the type, once for each schema. Throws an ordinary Error for a zod type that it does not know: a bug in the resource
 * file.
 */
export function fieldType(schema: z.ZodType): FieldType {
  const known = derived.get(schema);
  if (known) return known;
  const type = derivedType(schema);
  derived.set(schema, type);
  return type;
}

function derivedType(schema: z.ZodType): FieldType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return fieldType(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) {
    const fields = new Map<string, FieldType>();
    for (const [name, field] of Object.entries(schema.shape)) fields.set(name, fieldType(field as z.ZodType));
    const open = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever);
    return { kind: 'object', fields, open };
  }
  if (schema instanceof z.ZodArray) return { kind: 'list', item: fieldType(schema.element as z.ZodType) };
  // A cell is read as the first type of a union.
  if (schema instanceof z.ZodUnion) return fieldType(schema.options[0] as z.ZodType);
  if (schema instanceof z.ZodEnum) return { kind: 'choice', values: schema.options.map(String) };
  // Formats such as z.int() and z.iso.datetime() have their own classes, so compare the type that they refine.
  if (schema.def.type === 'number') return { kind: 'number' };
  if (schema.def.type === 'boolean') return { kind: 'boolean' };
  if (schema.def.type === 'string') return { kind: 'text' };
  if (schema.def.type === 'unknown') return { kind: 'anything' };
  throw new Error(`A resource schema uses ${schema.def.type}, which mappings do not know yet.`);
}

/** Names that no field has: copying or merging a payload with them would change the object's prototype. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Returns the type at a dotted path such as `price.salePrice` or `images.0.src`, or undefined if the schema has no
 * such path. Below an open object or a list of anything every path is possible.
 */
export function typeAt(type: FieldType, path: readonly string[]): FieldType | undefined {
  const [name, ...rest] = path;
  if (path.some((step) => PROTOTYPE_NAMES.has(step))) return undefined;
  if (name === undefined) return type;
  if (type.kind === 'anything') return typeAt(type, rest);
  if (type.kind === 'list') return /^\d+$/.test(name) ? typeAt(type.item, rest) : undefined;
  if (type.kind !== 'object') return undefined;
  const field = type.fields.get(name);
  if (field) return typeAt(field, rest);
  return type.open ? { kind: 'anything' } : undefined;
}

/** Column of an export for all values that have no other column. */
export const REST_COLUMN = '*';

/**
 * Returns true if the API document allows a value at this dotted path of an item. If it shows fields of an object, the
 * object has these; if it shows none, the object may have any. `typeAt` is for payloads: it cannot answer this, because
 * schemas of lists are open to fields that a store adds.
 */
export function isDocumented(type: FieldType, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || type.kind === 'anything') return true;
  if (type.kind === 'list') return /^\d+$/.test(name) && isDocumented(type.item, rest);
  if (type.kind !== 'object') return false;
  if (type.fields.size === 0) return true;
  const field = type.fields.get(name);
  return field !== undefined && isDocumented(field, rest);
}

/** Returns all dotted paths of values and lists, in schema order, for hints ("did you mean") and native columns. */
export function leafPaths(type: FieldType, prefix = ''): string[] {
  if (type.kind !== 'object' || type.fields.size === 0) return [prefix];
  return [...type.fields].flatMap(([name, field]) => leafPaths(field, prefix ? `${prefix}.${name}` : name));
}

/** Returns the native CSV columns of a schema: one for each value, and one for each list (JSON, or joined texts). */
export function columnNames(schema: z.ZodObject): string[] {
  return leafPaths(fieldType(schema));
}

/** Returns the columns of a resource's CSV. The identifier is first, so that the file can be imported as an update. */
export function nativeColumns({ columns, list }: Pick<Resource, 'columns' | 'list'>): readonly string[] {
  return list?.id === undefined || columns.includes(list.id) ? columns : [list.id, ...columns];
}
