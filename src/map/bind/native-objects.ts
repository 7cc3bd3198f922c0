import { isObject, type Json, type JsonObject, ownValue } from '../../model/index.ts';
import { type FieldType, fieldType, type Resource } from '../../resources/index.ts';

/** Makes payloads of objects in the native form: JSON that the API would take. */
export interface NativeObjects {
  payloadOf(item: JsonObject): JsonObject;
  /** Paths that no payload has. */
  readonly leftOut: readonly string[];
}

/**
 * Leaves out `meta`, fields that are never payload, and `unknown`, paths in the first objects of the file that the API
 * does not have: stores add them to their exports. Such paths that occur only in later objects stay in the payload, so
 * that they become an issue and are not lost silently.
 */
export function nativeObjects(
  resource: Resource,
  meta: ReadonlySet<string>,
  unknown: readonly string[],
): NativeObjects {
  const type = fieldType(resource.schema);
  const leftOut = new Set(unknown.filter((path) => !meta.has(path)));

  /** Drops null, which means "empty" like an empty cell. In lists, and where any value is valid, null is data. */
  function clean(value: Json, of: FieldType, path: string): Json {
    if (Array.isArray(value))
      return of.kind === 'list' ? value.map((item) => clean(item, of.item, path)) : value;
    if (!isObject(value) || of.kind !== 'object') return value;
    const fields = Object.entries(value).flatMap(([name, field]): [string, Json][] => {
      const at = path === '' ? name : `${path}.${name}`;
      if (field === null || leftOut.has(at) || meta.has(at)) return [];
      const known = of.fields.get(name);
      return [[name, known ? clean(field, known, at) : field]];
    });
    return Object.fromEntries(fields);
  }

  return { payloadOf: (item) => clean(item, type, '') as JsonObject, leftOut: [...leftOut] };
}

/**
 * Finds a field of the API whose value is of another kind here: the `price` of other platforms is a number where the API
 * has an object. undefined if the objects may be payloads.
 */
export function misfitIn(items: readonly JsonObject[], resource: Resource): string | undefined {
  const type = fieldType(resource.schema);
  if (type.kind !== 'object') return undefined;
  for (const item of items)
    for (const [name, value] of Object.entries(item)) {
      const field = type.fields.get(name);
      if (field !== undefined && value !== null && !isAlike(value, field)) return name;
    }
  return undefined;
}

function isAlike(value: Json, { kind }: FieldType): boolean {
  if (kind === 'anything') return true;
  if (kind === 'list') return Array.isArray(value);
  return isObject(value) === (kind === 'object');
}

/** Paths in objects that the API does not have. Paths in lists have no index. */
export function unknownFields(items: readonly JsonObject[], resource: Resource): string[] {
  const type = fieldType(resource.schema);
  return items.flatMap((item) => unknownIn(item, type, ''));
}

function unknownIn(value: Json, type: FieldType, path: string): string[] {
  if (Array.isArray(value))
    return type.kind === 'list' ? value.flatMap((item) => unknownIn(item, type.item, path)) : [];
  if (!isObject(value) || type.kind !== 'object') return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const known = type.fields.get(name);
    if (known) return unknownIn(field, known, at);
    return type.open || field === null ? [] : [at];
  });
}

/** Puts the constants of `--set` into a payload, object by object; values of `above` win. */
export function mergedObjects(below: JsonObject, above: JsonObject | undefined): JsonObject {
  const whole = { ...below };
  for (const [name, value] of Object.entries(above ?? {})) {
    const known = ownValue(whole, name);
    whole[name] =
      known !== undefined && isObject(known) && isObject(value) ? mergedObjects(known, value) : value;
  }
  return whole;
}
