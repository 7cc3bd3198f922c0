import fc, { type Arbitrary } from 'fast-check';
import type { Json, JsonObject } from '../../src/model/index.ts';
import { anyJson, number, objectOf, openObject, text, timestamp, wholeNumber } from './values.ts';

/** The part of JSON Schema that openapi.json uses. */
export type Schema = boolean | { readonly [keyword: string]: Json };

const KNOWN: ReadonlySet<string> = new Set([
  '$ref',
  'description',
  'type',
  'enum',
  'minLength',
  'format',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'if',
  'then',
]);

/**
 * Values that a schema of the document accepts, with and without its optional fields. Throws an ordinary Error
 * for an unknown keyword, so that none is ignored.
 */
export function fromOpenApi(schema: Schema, schemas: Readonly<Record<string, Schema>>): Arbitrary<Json> {
  if (typeof schema === 'boolean') return anyJson;
  const strange = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (strange.length > 0) throw new Error(`schemas with ${strange.join(', ')} are not known here`);
  if (typeof schema.$ref === 'string')
    return fromOpenApi(schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema, schemas);
  if (Array.isArray(schema.anyOf))
    return fc.oneof(...schema.anyOf.map((each) => fromOpenApi(each as Schema, schemas)));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (schema.type === undefined) return anyJson;
  const types = [schema.type].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(type, schema, schemas)));
}

function ofType(
  type: string,
  schema: JsonObject,
  schemas: Readonly<Record<string, Schema>>,
): Arbitrary<Json> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'number':
      return number;
    case 'integer':
      return wholeNumber;
    case 'string':
      if (schema.format !== undefined && schema.format !== 'date-time')
        throw new Error(`the format ${schema.format} is not known here`);
      return schema.format ? timestamp : text(Number(schema.minLength ?? 0));
    case 'array':
      return fc.array(fromOpenApi((schema.items ?? true) as Schema, schemas), { maxLength: 3 });
    case 'object':
      return ofObject(schema, schemas);
    default:
      throw new Error(`the type ${type} is not known here`);
  }
}

function ofObject(schema: JsonObject, schemas: Readonly<Record<string, Schema>>): Arbitrary<Json> {
  if (schema.properties === undefined) return openObject;
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
    throw new Error('additionalProperties must be false or left out');
  const fields = Object.entries(schema.properties as Record<string, Schema>).map(
    ([name, field]) => [name, fromOpenApi(field, schemas)] as const,
  );
  const required = (schema.required ?? []) as string[];
  const plain = objectOf(fields, (name) => required.includes(name), schema.additionalProperties !== false);
  return schema.if === undefined ? plain : withCondition(plain, schema, schemas);
}

/** `if` a field has a certain value, `then` others are required. */
function withCondition(
  plain: Arbitrary<JsonObject>,
  schema: JsonObject,
  schemas: Readonly<Record<string, Schema>>,
): Arbitrary<JsonObject> {
  const condition = (schema.if as JsonObject).properties as Record<string, { readonly const: Json }>;
  const { required, properties } = schema.then as { required: string[]; properties: Record<string, Schema> };
  const filled = fc.record(
    Object.fromEntries(
      required.map((name) => [name, fromOpenApi(properties[name] as Schema, schemas)] as const),
    ),
  );
  return fc
    .tuple(plain, filled)
    .map(([whole, rest]) =>
      Object.entries(condition).every(([name, value]) => whole[name] === value.const)
        ? { ...whole, ...rest }
        : whole,
    );
}
