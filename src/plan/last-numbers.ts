import { type FieldDigests, isObject, type JsonObject, ownValue } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';

/** Begins the name of a number among the names of digested fields, which never begin so. */
export const NUMBER_MARK = '=';

/** Significant digits of a number that is kept. A price or a stock has no more. */
const DIGITS = 10;

type Watched = NonNullable<Resource['watched']>[number];

/**
 * Returns the number of a payload that an import is compared by: its own, or if it has variants and none of its own, the lowest
 * or the sum of theirs. Undefined if there is none.
 */
export function watchedNumber(payload: JsonObject, { path, ofVariants }: Watched): number | undefined {
  const own = numberAt(payload, path);
  if (own !== undefined) return own;
  const { variants } = payload;
  if (!Array.isArray(variants)) return undefined;
  let result: number | undefined;
  for (const variant of variants) {
    const number = isObject(variant) ? numberAt(variant as JsonObject, path) : undefined;
    if (number === undefined) continue;
    if (result === undefined) result = number;
    else result = ofVariants === 'sum' ? result + number : Math.min(result, number);
  }
  return result;
}

function numberAt(object: JsonObject, [outer, inner]: Watched['path']): number | undefined {
  const value = ownValue(object, outer);
  const number = isObject(value) ? ownValue(value as JsonObject, inner) : value;
  return typeof number === 'number' ? number : undefined;
}

/** Characters of base64 for the 48 bits of a number. */
const CHARACTERS = 8;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(128);
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value;

const ROOM = new DataView(new ArrayBuffer(8));

/** The fields of the record before, and where their numbers are. Most records have the same. */
let layout: { readonly fields: string; readonly places: ReadonlyMap<string, number> } = {
  fields: '',
  places: new Map(),
};

function placesIn(fields: string): ReadonlyMap<string, number> {
  if (layout.fields !== fields) {
    const names = fields.split(',').map((field, at) => [field, at * CHARACTERS] as const);
    layout = { fields, places: new Map(names.filter(([field]) => field.startsWith(NUMBER_MARK))) };
  }
  return layout.places;
}

/**
 * The number that the ledger keeps under a name, to 10 digits; undefined if it keeps none. Decoded here, since Node's decoder takes ten
 * times as long for so few characters.
 */
export function lastNumber({ fields, digests }: FieldDigests, name: string): number | undefined {
  const start = placesIn(fields).get(NUMBER_MARK + name);
  if (start === undefined) return undefined;
  ROOM.setUint32(0, 0);
  ROOM.setUint32(4, 0);
  for (let group = 0; group < 2; group++) {
    let bits = 0;
    for (let at = 0; at < 4; at++)
      bits = (bits << 6) | (VALUES[digests.charCodeAt(start + group * 4 + at)] as number);
    ROOM.setUint16(group * 3, bits >> 8);
    ROOM.setUint8(group * 3 + 2, bits & 0xff);
  }
  return ROOM.getFloat64(0);
}

/** A number that was kept, without the digits that are lost. */
export function roundedNumber(number: number): number {
  return Number(number.toPrecision(DIGITS));
}
