import { type JsonObject, ROW_RANGES_WORDS, rowRangesIn } from '../../model/index.ts';
import type { SourceRules } from '../mapping.ts';
import { asObject, type DocumentPlace } from './document.ts';
import { refuseUnknownKeys } from './parse-source.ts';
import { oneOrMore } from './rules/rule-schema.ts';

/** A key of `source`: an option of the command line. */
interface ReadingKey {
  readonly name: keyof SourceRules;
  /** Completes "… takes". */
  readonly takes: string;
  /** Returns undefined for a wrong value. */
  readonly read: (value: unknown) => SourceRules[keyof SourceRules];
  readonly schema: JsonObject;
}

const MAX_SKIPPED_LINES = 10_000;

const textKey = (name: keyof SourceRules, takes: string, description: string): ReadingKey => ({
  ...{ name, takes },
  read: (value) => (typeof value === 'string' ? value : undefined),
  schema: { type: 'string', description },
});

const switchKey = (name: keyof SourceRules, description: string): ReadingKey => ({
  ...{ name, takes: 'true or false' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  schema: { type: 'boolean', description },
});

/** Keys of `source`, by the names of their options. */
const READING: Readonly<Record<string, ReadingKey>> = {
  sheet: {
    ...{ name: 'sheet', takes: 'the name of a sheet, or its number from 1' },
    read: (value) =>
      typeof value === 'string' || Number.isInteger(value) ? String(value as string | number) : undefined,
    schema: { type: ['string', 'integer'], description: 'Sheet of a workbook, by its name or its number.' },
  },
  'skip-lines': {
    ...{ name: 'skipLines', takes: `a whole number from 0 to ${MAX_SKIPPED_LINES}` },
    read: (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_SKIPPED_LINES
        ? (value as number)
        : undefined,
    schema: {
      ...{ type: 'integer', minimum: 0, maximum: MAX_SKIPPED_LINES },
      description: 'Lines above the header that are not data.',
    },
  },
  'no-header': switchKey('noHeader', 'The first row is data: columns are called A, B, C.'),
  'pad-rows': switchKey('padRows', 'Cells that are missing at the end of a row are empty.'),
  encoding: textKey('encoding', 'the name of an encoding, such as windows-1252', 'Text encoding.'),
  delimiter: textKey('delimiter', 'text, such as ";"', 'Delimiter between cells.'),
  quote: textKey('quote', 'a character, or "" for none', 'Quote around cells.'),
  rows: {
    ...{ name: 'rows', takes: ROW_RANGES_WORDS },
    read: (value) => (rowRangesIn(String(value)) === undefined ? undefined : String(value)),
    schema: { type: ['string', 'integer'], description: 'Rows to read, such as 4-63.' },
  },
  'skip-rows': {
    ...{ name: 'skipRows', takes: 'column=text, such as SKU=TOTAL, or a list of these' },
    read(value) {
      const rules = [value].flat();
      const isRule = (rule: unknown): rule is string => typeof rule === 'string' && /^[^=]+=/.test(rule);
      return rules.every(isRule) ? rules : undefined;
    },
    schema: oneOrMore({ type: 'string', pattern: '^[^=]+=', description: 'Leaves out rows with this cell.' }),
  },
  'until-blank-row': switchKey(
    'untilBlankRow',
    'Nothing is read from the first empty row below the data on.',
  ),
};

export const READING_KEYS: readonly string[] = Object.keys(READING);

/** The keys of `source` in JSON Schema. */
export function readingSchema(): JsonObject {
  return Object.fromEntries(Object.entries(READING).map(([key, { schema }]) => [key, schema]));
}

/** Parses `source`: how the files of a mapping are read. */
export function parseReading(place: DocumentPlace, value: unknown): SourceRules | undefined {
  if (value === undefined) return undefined;
  const given = asObject(place, value, `source takes options of reading: ${READING_KEYS.join(', ')}.`);
  refuseUnknownKeys(place, given, READING_KEYS);
  const rules = Object.entries(READING).flatMap(([key, { name, takes, read }]) => {
    if (given[key] === undefined) return [];
    const found = read(given[key]);
    if (found === undefined)
      place.document.addError(
        [...place.path, key],
        `${key} takes ${takes}, and not ${JSON.stringify(given[key])}.`,
      );
    return [[name, found]];
  });
  return Object.fromEntries(rules) as SourceRules;
}

/** The rules as they are written in a mapping; undefined if there are none. */
export function writtenReading(rules: SourceRules): JsonObject | undefined {
  const written = Object.entries(READING).flatMap(([key, { name }]) => {
    const value = rules[name];
    return value === undefined ? [] : [[key, value]];
  });
  return written.length === 0 ? undefined : (Object.fromEntries(written) as JsonObject);
}
