import * as z from 'zod';
import type { Resource } from './resource.ts';

/** What a field holds, read off its zod schema once, so that mappings and exports need not know zod. */
export type FieldType =
  | { readonly kind: 'text' | 'number' | 'boolean' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, FieldType>; readonly open: boolean }
  | { readonly kind: 'list'; readonly item: FieldType }
  | { readonly kind: 'anything' };

/** Throws an ordinary Error for a schema shape that resource files do not use: that is a bug in the file. */
export function fieldType(schema: z.ZodType): FieldType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return fieldType(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) {
    const fields = new Map<string, FieldType>();
    for (const [name, field] of Object.entries(schema.shape)) fields.set(name, fieldType(field as z.ZodType));
    const open = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever);
    return { kind: 'object', fields, open };
  }
  if (schema instanceof z.ZodArray) return { kind: 'list', item: fieldType(schema.element as z.ZodType) };
  // What may be written in several ways is read from a cell as the first of them.
  if (schema instanceof z.ZodUnion) return fieldType(schema.options[0] as z.ZodType);
  if (schema instanceof z.ZodEnum) return { kind: 'choice', values: schema.options.map(String) };
  // Formats such as z.int() and z.iso.datetime() are classes of their own: go by the type that they refine.
  if (schema.def.type === 'number') return { kind: 'number' };
  if (schema.def.type === 'boolean') return { kind: 'boolean' };
  if (schema.def.type === 'string') return { kind: 'text' };
  if (schema.def.type === 'unknown') return { kind: 'anything' };
  throw new Error(`A resource schema uses ${schema.def.type}, which mappings do not know yet.`);
}

/** In whatever copies or merges the payload these names would change the object's kind: no field is called so. */
const NO_FIELDS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The type at a dotted path such as `price.salePrice` or `images.0.src`, or undefined where the schema has no
 * such place. Below an open object or a list of anything every path is possible.
 */
export function typeAt(type: FieldType, path: readonly string[]): FieldType | undefined {
  const [name, ...rest] = path;
  if (path.some((step) => NO_FIELDS.has(step))) return undefined;
  if (name === undefined) return type;
  if (type.kind === 'anything') return typeAt(type, rest);
  if (type.kind === 'list') return /^\d+$/.test(name) ? typeAt(type.item, rest) : undefined;
  if (type.kind !== 'object') return undefined;
  const field = type.fields.get(name);
  if (field) return typeAt(field, rest);
  return type.open ? { kind: 'anything' } : undefined;
}

/** The column of an export that holds everything that no other column shows. */
export const REST_COLUMN = '*';

/**
 * Whether an item that the store gives may hold something at a dotted path, going by the API document: an object of
 * which it shows fields has these, one of which it shows none may have any. Unlike `typeAt`, which asks what may be
 * sent, for the schemas of lists are open to whatever a store adds.
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

/** All dotted paths down to values and lists, in schema order: for nearest-name hints and native columns. */
export function leafPaths(type: FieldType, prefix = ''): string[] {
  if (type.kind !== 'object' || type.fields.size === 0) return [prefix];
  return [...type.fields].flatMap(([name, field]) => leafPaths(field, prefix ? `${prefix}.${name}` : name));
}

/** Native CSV columns of a schema: a column a value, a cell of JSON (or joined texts) a list. */
export function columnNames(schema: z.ZodObject): string[] {
  return leafPaths(fieldType(schema));
}

/** Columns of a resource's CSV: what identifies an item comes first, so that the file can be imported as an update. */
export function nativeColumns({ columns, list }: Pick<Resource, 'columns' | 'list'>): readonly string[] {
  return list?.id === undefined || columns.includes(list.id) ? columns : [list.id, ...columns];
}
