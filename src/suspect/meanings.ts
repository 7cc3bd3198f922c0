import {
  isNoPhone,
  isObject,
  type Json,
  type JsonObject,
  noValueIn,
  type SuspectCode,
  type TextMeaning,
} from '../model/index.ts';

/** A text of a payload that cannot be what its field is for. */
export interface WrongText {
  readonly code: SuspectCode;
  /** Payload path, such as `currencies.0.currency`. */
  readonly field: string;
  readonly text: string;
}

interface Rule {
  readonly code: SuspectCode;
  /** Creates the test, with the tables that it needs. */
  readonly create: () => (text: string) => boolean;
}

const RULES: Readonly<Record<TextMeaning, Rule>> = {
  'phone-number': { code: 'not-a-phone-number', create: () => isNoPhone },
  // Postcodes of all countries have a digit.
  postcode: { code: 'not-a-postcode', create: () => (text) => !/\p{Nd}/u.test(text) },
  'country-code': { code: 'not-a-country-code', create: isNoCountry },
  'currency-code': { code: 'not-a-currency-code', create: isNoCurrency },
};

/** Takes ISO 3166 codes with two letters; of three letters or digits, any. */
function isNoCountry(): (text: string) => boolean {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return (text) =>
    /^[a-z]{2}$/i.test(text)
      ? names.of(text.toUpperCase()) === undefined
      : !/^(?:[a-z]{3}|\d{3})$/i.test(text);
}

function isNoCurrency(): (text: string) => boolean {
  const known = new Set(Intl.supportedValuesOf('currency'));
  return (text) => !known.has(text.toUpperCase());
}

interface Place {
  readonly path: readonly string[];
  readonly code: SuspectCode;
  readonly isWrong: (text: string) => boolean;
}

const NONE: readonly WrongText[] = [];

/**
 * Creates a function that finds such texts in a payload. `meanings`: the paths of texts by their kind, in which `*` means
 * each item of a list.
 */
export function wrongTextsFinder(
  meanings: Readonly<Partial<Record<TextMeaning, readonly string[]>>> = {},
): (payload: JsonObject) => readonly WrongText[] {
  const places = Object.entries(meanings).flatMap(([meaning, paths]) => {
    const { code, create } = RULES[meaning as TextMeaning];
    const isWrong = create();
    return paths.map((path): Place => ({ path: path.split('.'), code, isWrong }));
  });
  return (payload) => {
    let found: WrongText[] | undefined;
    for (const place of places) found = withWrong(found, payload, place);
    return found ?? NONE;
  };
}

/** Adds the wrong texts at a path, from its step `at`. `item`: the position in the list above. Makes no garbage otherwise. */
function withWrong(
  found: WrongText[] | undefined,
  value: Json | undefined,
  place: Place,
  at = 0,
  item = 0,
): WrongText[] | undefined {
  const { path, code, isWrong } = place;
  const step = path[at];
  if (step === undefined) {
    if (typeof value !== 'string' || value === '' || !isWrong(value) || noValueIn(value.trim())) return found;
    return [...(found ?? []), { code, field: path.join('.').replace('*', String(item)), text: value }];
  }
  if (step !== '*') return isObject(value) ? withWrong(found, value[step], place, at + 1, item) : found;
  let all = found;
  if (Array.isArray(value))
    for (const [index, each] of value.entries()) all = withWrong(all, each, place, at + 1, index);
  return all;
}
