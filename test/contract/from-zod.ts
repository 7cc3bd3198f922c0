import fc, { type Arbitrary } from 'fast-check';
import * as z from 'zod';
import type { Json, JsonObject } from '../../src/model/index.ts';
import type { Resource } from '../../src/resources/index.ts';
import { anyCharacter } from '../support/any-text.ts';
import { anyJson, number, objectOf, text, timestamp, wholeNumber } from './values.ts';

/** Payloads that the description of a resource accepts; for an update, no field is required. */
export function fromResource(
  { schema, updateSchema = schema, requiredWhen }: Resource,
  partial: boolean,
): Arbitrary<JsonObject> {
  const plain = fromZod(partial ? updateSchema.partial() : schema) as Arbitrary<JsonObject>;
  const conditions = partial ? [] : (requiredWhen ?? []);
  const filled = fc.tuple(
    ...conditions.map(({ field }) => fromZod(schema.shape[field] as z.ZodType).filter(Boolean)),
  );
  return fc.tuple(plain, filled).map(([payload, values]) => {
    const needed = conditions.flatMap(({ field, when }, index) =>
      payload[when.field] === when.is ? [[field, values[index] as Json] as const] : [],
    );
    return { ...payload, ...Object.fromEntries(needed) };
  });
}

/** Values that a schema accepts. Throws an ordinary Error for a kind of schema that the resource files do not use. */
function fromZod(schema: z.ZodType): Arbitrary<Json> {
  if (schema instanceof z.ZodOptional) return fromZod(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable)
    return fc.oneof(fc.constant(null), fromZod(schema.unwrap() as z.ZodType));
  if (schema instanceof z.ZodUnion)
    return fc.oneof(...schema.options.map((option) => fromZod(option as z.ZodType)));
  if (schema instanceof z.ZodArray) return fc.array(fromZod(schema.element as z.ZodType), { maxLength: 3 });
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...(schema.options as string[]));
  if (schema instanceof z.ZodObject) return fromObject(schema);
  if (schema instanceof z.ZodUnknown) return anyJson;
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema.def.type === 'number') return fc.oneof(number, wholeNumber).filter(acceptedBy(schema));
  if (schema.def.type === 'string')
    return fc.oneof(text(0), timestamp, webAddress).filter(acceptedBy(schema));
  throw new Error(`schemas of the type ${schema.def.type} are not known here`);
}

const IN_PATHS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  ..."-._~!$&'()*+,;=:@",
];

/** A part of a path, in which any character may be encoded. `fc.webUrl` has the same, from the slow unit of `anyCharacter`. */
const pathSegment = fc.string({
  unit: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...IN_PATHS) },
    {
      weight: 1,
      arbitrary: anyCharacter.map((character) => {
        const encoded = encodeURIComponent(character);
        return encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded;
      }),
    },
  ),
});

const webAddress = fc
  .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), fc.array(pathSegment, { maxLength: 3 }))
  .map(([scheme, authority, segments]) => `${scheme}://${[authority, ...segments].join('/')}`);

function acceptedBy<Value>(schema: z.ZodType): (value: Value) => boolean {
  return (value) => schema.safeParse(value).success;
}

function fromObject(schema: z.ZodObject): Arbitrary<JsonObject> {
  const entries = Object.entries(schema.shape) as [string, z.ZodType][];
  const open = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever);
  const required = new Set(
    entries.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name),
  );
  const fields = entries.map(([name, field]) => [name, fromZod(field)] as const);
  return objectOf(fields, (name) => required.has(name), open);
}
