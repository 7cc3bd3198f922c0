import * as z from 'zod';
import { RESOURCES } from './registry.ts';
import type { ListEndpoint, Resource } from './resource.ts';

/**
 * An object with these parts and no others. By convention the message of every issue in this file is what was
 * expected: of an unknown name, the names that there are, with commas between.
 */
export function partsObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? names : `an object with ${names}`),
  });
}

/** Any host will do: what matters is that none is named by the path itself. */
const ORIGIN = 'http://store.invalid';

/**
 * It goes out as it is written, below the store's address. So it must be what every reader of URLs takes it for: no
 * other host (`//host`), no `..`, nothing left to encode.
 */
function isPath(text: string): boolean {
  return URL.canParse(text, ORIGIN) && new URL(text, ORIGIN).href === ORIGIN + text && !text.includes('#');
}

/** Text for which `holds`; anything else was expected to be `what`. */
function text(what: string, holds: (text: string) => boolean) {
  return z.string({ error: what }).refine(holds, what);
}

const path = text(
  'a path such as /api/products/create: one that begins with a single /, is encoded as it is to be sent, and has no ? or #',
  (path) => isPath(path) && !path.includes('?'),
);
const listPath = text(
  'a path such as /api/images/search: one that begins with a single / and is encoded as it is to be sent',
  isPath,
);
// It is sent as it is; a filter's name is encoded.
const idParam = text(
  'the name of a query parameter, such as id',
  (name) => name !== '' && encodeURIComponent(name) === name,
);
const idPattern = text('a regular expression such as [0-9a-f]{24}', (pattern) => {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
});
const filter = text(
  'the name of a query parameter other than page and limit',
  (name) => !['', 'page', 'limit'].includes(name),
);
const field = text('the name of a field', (name) => name !== '');
const pageSize = 'a whole number from 1 on';

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

const writable = {
  create: create.optional(),
  update: update.optional(),
  envelopes: envelopes.optional(),
  echo: echo.optional(),
};
const listed = { list: list.optional() };

/** What a store does otherwise than a description in this folder says: the parts of it that are on the wire. */
export interface Overrides {
  readonly create?: z.infer<typeof create> | undefined;
  readonly update?: z.infer<typeof update> | undefined;
  readonly list?: z.infer<typeof list> | undefined;
  readonly envelopes?: readonly string[] | undefined;
  readonly echo?: 'check' | 'ignore' | undefined;
}

/** By the name of the resource: the `api:` section of the configuration file, as data. */
export type ApiOverrides = Readonly<Record<string, Overrides | undefined>>;

/**
 * The `api:` section, to be checked. What is read only stays so: no payload of it is known.
 *
 *     products: { update: { method: POST }, envelopes: [data, product] }
 *     reviews: { list: { pageSize: 50, filters: { product: product._id } } }
 */
export const apiOverrides: z.ZodType<ApiOverrides> = partsObject(
  Object.fromEntries(
    RESOURCES.map(({ name, create }) => [
      name,
      (create ? partsObject({ ...writable, ...listed }) : partsObject(listed)).optional(),
    ]),
  ),
);

/** Both sections as one, field by field; where both have a field, the second counts. A list counts as a whole. */
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

/** Of a list that the description lacks. "Identifiers are named `_id`" (API document, "Resources and their fields"). */
const NEW_LIST: Pick<ListEndpoint, 'filters' | 'id' | 'undocumented'> = { filters: {}, id: '_id' };

/**
 * The description with these overrides. An endpoint that it lacks is added, for which every part must be there, see
 * `missingParts`. Whoever says where a list is, or how it is read, knows it: it does not count as undocumented any more.
 */
export function overridden(resource: Resource, overrides: Overrides | undefined): Resource {
  if (!overrides) return resource;
  const { create, update, list, envelopes, echo } = overrides;
  const { undocumented, ...known } = resource.list ?? NEW_LIST;
  return {
    ...resource,
    ...(create && { create: { method: 'POST', ...resource.create, ...create } }),
    ...(update && { update: { ...resource.update, ...update } }),
    ...(list && {
      list: { ...known, ...list, filters: { ...known.filters, ...list.filters } },
    }),
    ...(envelopes && { envelopes }),
    ...(echo && { echo }),
  } as Resource;
}

const NEEDED = {
  create: ['path'],
  update: ['method', 'path', 'idParam'],
  list: ['path', 'pageSize'],
} as const satisfies Partial<Record<keyof Overrides, readonly string[]>>;

/** What endpoints that the overrides add to the description do not say yet: `[['update', 'idParam']]`. */
export function missingParts(resource: Resource, overrides: Overrides): (readonly [string, string])[] {
  const whole = overridden(resource, overrides);
  return (Object.keys(NEEDED) as (keyof typeof NEEDED)[]).flatMap((endpoint) => {
    const given: object | undefined = overrides[endpoint] && whole[endpoint];
    const missing = given ? NEEDED[endpoint].filter((part) => !(part in given)) : [];
    return missing.map((part) => [endpoint, part] as const);
  });
}

/** The places that a section says something of, in its order: `['images.list.path', 'products.envelopes']`. */
export function placesIn(overrides: ApiOverrides): string[] {
  const visit = (value: unknown, place: string): string[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, part]) => visit(part, place ? `${place}.${name}` : name))
      : [place];
  return visit(overrides, '');
}
