import {
  contactKey,
  countryNamed,
  isInternational,
  isObject,
  type Json,
  type JsonObject,
  normalisedKey,
  ownValue,
  phoneKey,
} from '../model/index.ts';
import { isKnownByMail, type Resource } from '../resources/index.ts';
import { keyFieldOf } from './decide.ts';

type KeyedResource = Pick<Resource, 'key' | 'mails' | 'phoneKey'>;

/**
 * Returns the function that normalises a record's key for every comparison. The key of a person is a mail address or a
 * phone number, and each has many spellings.
 */
export function keyNormaliser(resource: Pick<Resource, 'key' | 'mails'>): (key: string) => string {
  // Not the function itself: its second parameter would take the index of a list.
  return isKnownByMail(resource) ? (key) => contactKey(key) : normalisedKey;
}

/**
 * The key of a record that is a phone number without the code of its country, in E.164; undefined for any other key, and if
 * the country is not known. `fallback`: the country of records that name none.
 */
export function nationalPhoneKey(
  resource: KeyedResource,
  payload: JsonObject,
  fallback: string | undefined,
): string | undefined {
  const field = resource.phoneKey?.field;
  if (field === undefined || keyFieldOf(resource, payload) !== field) return undefined;
  return nationalKey(payload[field] as string, phoneCountry(resource, payload, fallback));
}

/** The key of a phone number without the code of its country, in E.164; undefined for any other text. */
export function nationalKey(text: string, country: string | undefined): string | undefined {
  return isInternational(text) ? undefined : phoneKey(text, country);
}

/** The keys of an item in the store's list, normalised, and of a national phone number also as it is. */
export function keysOfItem(
  resource: KeyedResource,
  item: JsonObject,
  fallback: string | undefined,
): string[] {
  const normalise = keyNormaliser(resource);
  const keys = (resource.key ?? []).flatMap((field) => {
    const value = item[field];
    if (typeof value !== 'string' || value === '') return [];
    if (field !== resource.phoneKey?.field) return normalise(value);
    return [contactKey(value, phoneCountry(resource, item, fallback)), normalise(value)];
  });
  return [...new Set(keys)];
}

/**
 * The country in which the phone numbers of a record are dialled: the one that the record names, else `fallback`. Undefined
 * if it names one that is not known: its numbers may be of any country.
 */
export function phoneCountry(
  resource: Pick<Resource, 'phoneKey'>,
  record: JsonObject,
  fallback: string | undefined,
): string | undefined {
  let country: Json | undefined = record;
  for (const name of resource.phoneKey?.country ?? [])
    country = isObject(country) ? ownValue(country, name) : undefined;
  if (country === record || !isObject(country)) return fallback;
  const texts = [ownValue(country, 'code'), ownValue(country, 'name')].filter(isFilledText);
  return texts.length === 0 ? fallback : texts.map(countryNamed).find((code) => code !== undefined);
}

function isFilledText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
