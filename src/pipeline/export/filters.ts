import { didYouMean } from '../../map/did-you-mean.ts';
import { ConfigError, type Json, type JsonObject, valueReader } from '../../model/index.ts';
import type { FilterField, ListEndpoint, Resource } from '../../resources/index.ts';

/** Result of comparing an item with the filters; `unchecked` if it has no value that can be compared. */
export type Match = 'match' | 'mismatch' | 'unchecked';

export interface Filters {
  /** Query parameters, as the API calls them: `{ field3: "abandoned" }`. */
  readonly query: Readonly<Record<string, string>>;
  /** Checks an item that the store sent in answer to that query. */
  readonly matchOf: (item: JsonObject) => Match;
}

interface ValueType {
  readonly takes: string;
  readonly example: string;
  /** Converts text to the value that is sent; undefined if the text is no such value. */
  readonly read: (text: string) => string | undefined;
  /** Converts the value of an item to the same form; undefined if it has another type. */
  readonly held: (value: Json | undefined) => string | undefined;
}

const VALUE_TYPES = {
  text: {
    takes: 'a text',
    example: '66c0ffee0000000000000001',
    read: (text) => (text.trim() === '' ? undefined : text),
    held: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined),
  },
  integer: {
    takes: 'a whole number',
    example: '5',
    read: wholeNumber,
    held: (value) =>
      typeof value === 'number' ? String(value) : typeof value === 'string' ? wholeNumber(value) : undefined,
  },
  boolean: {
    takes: 'true or false',
    example: 'true',
    read: (text) => TRUE_OR_FALSE.get(text.toLowerCase()),
    held: (value) => (typeof value === 'object' ? undefined : TRUE_OR_FALSE.get(String(value))),
  },
} satisfies Record<FilterField['type'], ValueType>;

const TRUE_OR_FALSE: ReadonlyMap<string, string> = new Map([
  ...['true', 'yes', '1'].map((word) => [word, 'true'] as const),
  ...['false', 'no', '0'].map((word) => [word, 'false'] as const),
]);

function wholeNumber(text: string): string | undefined {
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? String(number) : undefined;
}

/**
 * Parses `["status=abandoned"]`. Throws ConfigError if the API cannot filter by a name, or if a filter does not take its
 * value.
 */
export function readFilters(resource: Resource, list: ListEndpoint, given: readonly string[]): Filters {
  const query = new Map<string, string>();
  const checks: ((item: JsonObject) => Match)[] = [];
  const names = new Set<string>();
  for (const filter of given) {
    const at = filter.indexOf('=');
    const name = filter.slice(0, Math.max(0, at));
    const parameter = Object.hasOwn(list.filters, name) ? list.filters[name] : undefined;
    if (parameter === undefined) throw unknownFilter(resource, list, filter);
    if (names.has(name))
      throw new ConfigError(`--filter ${filter}: ${name} is given twice.`, [
        'A filter takes one value: export each to a file of its own.',
      ]);
    names.add(name);
    const field = list.filterFields?.[name];
    const text = filter.slice(at + 1);
    const value = field ? readValue(name, text, field) : text;
    query.set(parameter, value);
    checks.push(field ? checkOf(field, value) : () => 'unchecked');
  }
  return {
    query: Object.fromEntries(query),
    matchOf(item) {
      if (checks.length === 0) return 'match';
      const found = checks.map((check) => check(item));
      if (found.includes('mismatch')) return 'mismatch';
      return found.includes('unchecked') ? 'unchecked' : 'match';
    },
  };
}

function readValue(name: string, text: string, { type }: FilterField): string {
  const { takes, example, read }: ValueType = VALUE_TYPES[type];
  const value = read(text);
  if (value === undefined)
    throw new ConfigError(`--filter ${name}=${text}: ${name} takes ${takes}.`, [
      `For example --filter ${name}=${example}`,
    ]);
  return value;
}

/** Ignores case, since stores differ in the case of letters in identifiers. */
function checkOf({ path, type }: FilterField, wanted: string): (item: JsonObject) => Match {
  const read = valueReader(path);
  const { held }: ValueType = VALUE_TYPES[type];
  const small = wanted.toLowerCase();
  return (item) => {
    const value = held(read(item));
    if (value === undefined) return 'unchecked';
    return value.toLowerCase() === small ? 'match' : 'mismatch';
  };
}

function unknownFilter({ name }: Resource, { filters }: ListEndpoint, filter: string): ConfigError {
  const names = Object.keys(filters);
  const known =
    names.length === 0 ? `the API cannot filter ${name}` : `${name} can be filtered by ${names.join(', ')}`;
  const [given = ''] = filter.split('=');
  // A name without a value needs the example, not its own name.
  const hint = names.includes(given) ? '' : didYouMean(given, names);
  return new ConfigError(
    `--filter ${filter}: ${known}.${hint}`,
    names.length === 0 ? [] : [`For example --filter ${names[0]}=…`],
  );
}
