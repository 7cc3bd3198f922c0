import fc, { type Arbitrary } from 'fast-check';
import type { Json, JsonObject } from '../../src/model/index.ts';

/** Texts that cause trouble in spreadsheets, CSV readers and cleaning code. */
export const HOSTILE: readonly string[] = [
  ...[
    '=1+1',
    '@cmd',
    "'=x",
    "''=x",
    '-5',
    '+44 20 7946 0958',
    '\t=1',
    '\r=1',
    "'-5",
    "'tis",
    '-',
    "'",
    '＝1',
  ],
  ...[
    '"',
    '"x"',
    'a,b',
    'a;b',
    'a\tb',
    'a\nb',
    'a\r\nb',
    'a\rb',
    '\n',
    '\u2028',
    ' a ',
    '\ta',
    'a\n',
    '\uFEFFa',
  ],
  ...[
    'a|b',
    '|',
    '[1]',
    '[x',
    '{"a":1}',
    '1e5',
    '-1.5e3',
    '1,5',
    'true',
    'null',
    'sep=;',
    '👩‍👩‍👧‍👦 🍵',
    'مرحبا',
    'é',
  ],
];

/** Words as in real files, and any other text. */
export function text(minLength: number): Arbitrary<string> {
  return fc
    .oneof(
      fc.constantFrom('0017', ' ', '', 'Théière', 'null', '2026-01-31', ...HOSTILE),
      fc.string({ maxLength: 6 }),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    )
    .filter((value) => value.length >= minLength);
}

export const number: Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

export const wholeNumber: Arbitrary<number> = fc.maxSafeInteger();

/** ISO 8601 with time and zone, in its various forms. */
export const timestamp: Arbitrary<string> = fc
  .tuple(
    fc.date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('2199-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    fc.constantFrom('', '.5', '.123', '.123456'),
    fc.constantFrom('Z', '+01:00', '-11:30', '+00:00'),
  )
  .map(([date, fraction, zone]) => `${date.toISOString().slice(0, 19)}${fraction}${zone}`);

export const anyJson = fc.jsonValue({ maxDepth: 2 }) as Arbitrary<Json>;

/** Names that cause trouble in programs, among others. */
const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '', '0', '_id', 'name'),
  fc.string({ maxLength: 6 }),
);

/** Unknown fields. */
export const openObject: Arbitrary<JsonObject> = fc
  .array(fc.tuple(name, anyJson), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));

/** Required fields always, others sometimes; in an open object, also unknown ones. */
export function objectOf(
  fields: readonly (readonly [string, Arbitrary<Json>])[],
  isRequired: (name: string) => boolean,
  open: boolean,
): Arbitrary<JsonObject> {
  const listed = fc.record(Object.fromEntries(fields), {
    requiredKeys: fields.map(([field]) => field).filter(isRequired),
    noNullPrototype: true,
  });
  if (!open) return listed;
  return fc
    .tuple(openObject, listed)
    .map(([others, known]) => ({ ...withoutNames(others, fields), ...known }));
}

function withoutNames(others: JsonObject, fields: readonly (readonly [string, unknown])[]): JsonObject {
  const names = new Set(fields.map(([field]) => field));
  return Object.fromEntries(Object.entries(others).filter(([field]) => !names.has(field)));
}
