import * as z from 'zod';
import { RESOURCES, resourceNamed } from './registry.ts';
import type { ListEndpoint, Resource } from './resource.ts';

/**
 * Schema of an object with these parts and no others. By convention, the message of every issue in this file is the
 * expected value; for an unknown name it is the list of known names.
 */
export function partsObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? names : `an object with ${names}`),
  });
}

/** Any host will do, since it only serves to check that a path does not name a host. */
const ORIGIN = 'http://store.invalid';

/**
 * Returns true for a path that can be appended to the store's address as it is. It must mean the same to every parser
 * of URLs: no other host (`//host`), no `..`, nothing that needs encoding.
 */
function isPath(text: string): boolean {
  return URL.canParse(text, ORIGIN) && new URL(text, ORIGIN).href === ORIGIN + text && !text.includes('#');
}

/** Schema of a text that is `valid`. The message of its issue is `expected`. */
function textSchema(expected: string, valid: (text: string) => boolean) {
  return z.string({ error: expected }).refine(valid, expected);
}

const path = textSchema(
  'a path such as /api/products/create: one that begins with a single /, is encoded as it is to be sent, and has no ? or #',
  (text) => isPath(text) && !text.includes('?'),
);
const listPath = textSchema(
  'a path such as /api/images/search: one that begins with a single / and is encoded as it is to be sent',
  isPath,
);
// Sent without encoding, unlike the name of a filter.
const idParam = textSchema(
  'the name of a query parameter, such as id',
  (name) => name !== '' && encodeURIComponent(name) === name,
);
const idPattern = textSchema('a regular expression such as [0-9a-f]{24}', (pattern) => {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
});
const filter = textSchema(
  'the name of a query parameter other than page and limit',
  (name) => !['', 'page', 'limit'].includes(name),
);
const field = textSchema('the name of a field', (name) => name !== '');
const pageSize = 'a whole number of 1 or more';

const create = partsObject({ path });
const update = partsObject({
  method: z.enum(['PUT', 'POST'], { error: 'PUT or POST' }).optional(),
  path: path.optional(),
  idParam: idParam.optional(),
  idPattern: idPattern.optional(),
});
const list = partsObject({
  path: listPath.optional(),
  pageSize: z.int({ error: pageSize }).min(1, pageSize).optional(),
  filters: z.record(z.string(), filter, { error: 'an object such as { product: product._id }' }).optional(),
  id: field.optional(),
  created: field.optional(),
});
const envelopes = z.array(field, { error: 'a list such as [data, product]' });

const echo = z.enum(['check', 'ignore'], { error: 'check or ignore' });

const writableParts = {
  create: create.optional(),
  update: update.optional(),
  envelopes: envelopes.optional(),
  echo: echo.optional(),
};
const listParts = { list: list.optional() };

/** Parts of a resource's description, as far as requests and answers show them, that are different in one store. */
export interface Overrides {
  readonly create?: z.infer<typeof create> | undefined;
  readonly update?: z.infer<typeof update> | undefined;
  readonly list?: z.infer<typeof list> | undefined;
  readonly envelopes?: readonly string[] | undefined;
  readonly echo?: 'check' | 'ignore' | undefined;
}

/** The `api:` section of the configuration file: overrides by the name of the resource. */
export type ApiOverrides = Readonly<Record<string, Overrides | undefined>>;

/**
 * Schema of the `api:` section. A read-only resource has no other part than `list`, since its payloads are not known.
 *
 *     products: { update: { method: POST }, envelopes: [data, product] }
 *     reviews: { list: { pageSize: 50, filters: { product: product._id } } }
 */
export const apiOverrides: z.ZodType<ApiOverrides> = partsObject(
  Object.fromEntries(
    RESOURCES.map(({ name, create }) => [
      name,
      (create ? partsObject({ ...writableParts, ...listParts }) : partsObject(listParts)).optional(),
    ]),
  ),
);

/** Merges two sections, field by field; if both have a field, the second counts. Lists are not merged. */
export function mergedOverrides(first: ApiOverrides, second: ApiOverrides): ApiOverrides {
  return merged(first, second) as ApiOverrides;
}

function merged(first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return second ?? first;
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return Object.fromEntries(names.map((name) => [name, merged(first[name], second[name])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Defaults of a list that the description lacks. "Identifiers are named `_id`" (API document, "Resources and their fields"). */
const NEW_LIST: Pick<ListEndpoint, 'filters' | 'id' | 'undocumented'> = { filters: {}, id: '_id' };

/**
 * Returns the description with these overrides. An endpoint that it lacks is added; `missingParts` checks that all its
 * parts are given. A list with overrides does not count as undocumented any more: whoever overrides it knows the store.
 */
export function overridden(resource: Resource, overrides: Overrides | undefined): Resource {
  if (!overrides || Object.keys(overrides).length === 0) return resource;
  const { create, update, list, envelopes, echo } = overrides;
  const { undocumented, ...known } = resource.list ?? NEW_LIST;
  return {
    ...resource,
    overrides: merged(resource.overrides, overrides),
    ...(create && { create: { method: 'POST', ...resource.create, ...create } }),
    ...(update && { update: { ...resource.update, ...update } }),
    ...(list && {
      list: { ...known, ...list, filters: { ...known.filters, ...list.filters } },
    }),
    ...(envelopes && { envelopes }),
    ...(echo && { echo }),
  } as Resource;
}

/** A description as plain data, which another thread can take. */
export type PlainResource = Pick<Resource, 'name' | 'overrides'>;

/** Makes a description from its plain data. */
export function resourceOf({ name, overrides }: PlainResource): Resource {
  return overridden(resourceNamed(name), overrides);
}

const REQUIRED_PARTS = {
  create: ['path'],
  update: ['method', 'path', 'idParam'],
  list: ['path', 'pageSize'],
} as const satisfies Partial<Record<keyof Overrides, readonly string[]>>;

/** Lists the parts that are missing in endpoints that the overrides add: `[['update', 'idParam']]`. */
export function missingParts(resource: Resource, overrides: Overrides): (readonly [string, string])[] {
  const whole = overridden(resource, overrides);
  return (Object.keys(REQUIRED_PARTS) as (keyof typeof REQUIRED_PARTS)[]).flatMap((endpoint) => {
    const given: object | undefined = overrides[endpoint] && whole[endpoint];
    const missing = given ? REQUIRED_PARTS[endpoint].filter((part) => !(part in given)) : [];
    return missing.map((part) => [endpoint, part] as const);
  });
}

/** Lists the settings of a section, in its order: `['images.list.path', 'products.envelopes']`. */
export function placesIn(overrides: ApiOverrides): string[] {
  const visit = (value: unknown, place: string): string[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, part]) => visit(part, place ? `${place}.${name}` : name))
      : [place];
  return visit(overrides, '');
}
