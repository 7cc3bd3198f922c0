import fc, { type Arbitrary } from 'fast-check';
import type { Json, JsonObject } from '../../src/model/index.ts';
import { type FieldType, fieldType, type Resource, typeAt } from '../../src/resources/index.ts';

type Path = readonly string[];

/** A path inside a payload, with its value. */
interface Place {
  readonly path: Path;
  readonly value: Json;
}

/** One way to invalidate a payload: the path, and the value to put there; `undefined` removes the field. */
export interface Mutation {
  /** True if payloads of this resource can be invalidated this way. */
  readonly bites: (resource: Resource, partial: boolean) => boolean;
  /** One of these paths is chosen, */
  readonly at: (places: readonly Place[], resource: Resource) => readonly Place[];
  /** and one of these values. */
  readonly put: (place: Place) => readonly (Json | undefined)[];
}

const BAD_DATES = [
  '',
  'yesterday',
  '31/01/2026',
  '2026-01-31',
  '2026-01-31T09:30Z',
  '2026-01-31 09:30:00Z',
  '2026-01-31T09:30:00',
  '2026-01-31T09:30:00+0100',
  '2026-02-30T09:30:00Z',
  '2026-02-29T09:30:00Z',
  '2026-13-01T09:30:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T09:60:00Z',
  '2026-01-31T23:59:60Z',
  '2026-01-31T09:30:00,5Z',
  '2026-01-31T09:30:00.Z',
  '2026-01-31T09:30:00+24:00',
  '2026-01-31t09:30:00z',
  '20260131T093000Z',
  '1769851800',
];

const ONE_OF_EACH: readonly Json[] = ['text', 7, 7.5, true, null, [], ['text'], [[]], {}, { other: 1 }];

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a required field is missing': {
    bites: (_resource, partial) => !partial,
    at: (places, { schema }) =>
      places.filter(({ path }) => path.length === 1 && isRequired(schema.shape, path[0])),
    put: () => [undefined],
  },
  'a value has another type': {
    bites: () => true,
    at: (places) => places.filter(isInside),
    put: ({ value }) => ONE_OF_EACH.filter((other) => kindOf(other) !== kindOf(value)),
  },
  'a field is unknown': {
    bites: () => true,
    at: (places) => places.filter(({ value }) => isObject(value)),
    put: ({ value }) =>
      ['other', '__proto__', 'constructor', 'Name', 'id', ''].flatMap((name) =>
        ['text', {}, null].map((field) => withField(value as JsonObject, name, field)),
      ),
  },
  'a choice has an unknown value': {
    bites: ({ schema }) => has(fieldType(schema), 'choice'),
    at: (places, { schema }) => {
      const root = fieldType(schema);
      return places.filter(({ path }) => typeAt(root, path)?.kind === 'choice');
    },
    put: ({ value }) => ['STRANGER', '', ` ${value}`, `${value}s`, 'constructor'],
  },
  'a value is null': { bites: () => true, at: (places) => places.filter(isInside), put: () => [null] },
  'a text is empty': {
    bites: ({ schema }, partial) => has(fieldType(schema), 'choice') || (!partial && needsText(schema.shape)),
    at: (places) => places.filter(({ value }) => typeof value === 'string'),
    put: () => [''],
  },
  'a date is not a date': {
    bites: ({ schema }) => Object.keys(schema.shape).some(isDate),
    at: (places) => places.filter(({ path }) => isDate(path.at(-1))),
    put: () => BAD_DATES,
  },
  'a number has another notation': {
    bites: ({ schema }) => has(fieldType(schema), 'number'),
    at: (places) => places.filter(({ value }) => typeof value === 'number'),
    put: ({ value }) => [0.5, -1, 1e21, 2 ** 53, 0, String(value), '1,5', true],
  },
  'a condition is not met': {
    bites: ({ requiredWhen }, partial) => requiredWhen !== undefined && !partial,
    at: (places) => places.slice(0, 1),
    put: ({ value }) =>
      [true, false].flatMap((connectable) =>
        [undefined, '', 'R1', null, 7].map((route) =>
          withField(withField(value as JsonObject, 'connectable', connectable), 'route', route),
        ),
      ),
  },
};

/** Mutated payloads. If a payload has no path for the mutation, it is unchanged. */
export function mutated(
  valid: Arbitrary<JsonObject>,
  { at, put }: Mutation,
  resource: Resource,
): Arbitrary<JsonObject> {
  return fc.tuple(valid, fc.nat(), fc.nat()).map(([payload, where, what]) => {
    const place = oneOf(at(placesIn(payload), resource), where);
    return place ? (replaced(payload, place.path, oneOf(put(place), what)) as JsonObject) : payload;
  });
}

function oneOf<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % items.length];
}

function placesIn(value: Json, path: Path = []): Place[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [{ path, value }, ...inner.flatMap(([name, field]) => placesIn(field as Json, [...path, name]))];
}

function replaced(whole: Json, path: Path, value: Json | undefined): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(whole))
    return whole.flatMap((item, index) => {
      if (index !== Number(name)) return [item];
      const put = replaced(item, rest, value);
      return put === undefined ? [] : [put];
    });
  return withField(whole as JsonObject, name, replaced((whole as JsonObject)[name] as Json, rest, value));
}

/** A field may be called `__proto__`, so it is never assigned. */
function withField(whole: JsonObject, name: string, value: Json | undefined): JsonObject {
  const others = Object.entries(whole).filter(([field]) => field !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

function isInside({ path }: Place): boolean {
  return path.length > 0;
}

function isRequired(shape: Resource['schema']['shape'], name = ''): boolean {
  return Object.hasOwn(shape, name) && !(shape[name] as Resource['schema']).safeParse(undefined).success;
}

/** True if a field accepts any text but an empty one. */
function needsText(shape: Resource['schema']['shape']): boolean {
  const takes = (field: unknown, text: string) => (field as Resource['schema']).safeParse(text).success;
  return Object.values(shape).some((field) => takes(field, 'x') && !takes(field, ''));
}

function isDate(name = ''): boolean {
  return name.endsWith('Date');
}

function has(type: FieldType, kind: FieldType['kind']): boolean {
  if (type.kind === 'list') return has(type.item, kind);
  if (type.kind === 'object') return [...type.fields.values()].some((field) => has(field, kind));
  return type.kind === kind;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function isObject(value: Json): value is JsonObject {
  return kindOf(value) === 'object';
}
