import { type FieldDigests, isObject, type JsonObject, valueReader } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';

/** Begins the name of a number among the names of digested fields, which never begin so. */
export const NUMBER_MARK = '=';

/** Significant digits of a number that is kept. A price or a stock has no more. */
const DIGITS = 10;

/** A number that imports are compared by. */
export interface WatchedNumber {
  readonly name: 'price' | 'stock';
  /** Reads it in a payload; undefined if it has none. */
  readonly read: (payload: JsonObject) => number | undefined;
}

/** The watched numbers of a resource. A product without one has the numbers of its variants. */
export function watchedNumbers({ watched = [] }: Pick<Resource, 'watched'>): WatchedNumber[] {
  return watched.map(({ name, path, ofVariants }) => {
    const own = numberReader(path);
    const combine = ofVariants === 'sum' ? (a: number, b: number) => a + b : Math.min;
    return {
      name,
      read(payload) {
        const number = own(payload);
        if (number !== undefined || !Array.isArray(payload.variants)) return number;
        let all: number | undefined;
        for (const variant of payload.variants) {
          const each = isObject(variant) ? own(variant) : undefined;
          if (each !== undefined) all = all === undefined ? each : combine(all, each);
        }
        return all;
      },
    };
  });
}

/** Some mappings send one number in place of the object: the price of a variant. */
function numberReader(path: string): (object: JsonObject) => number | undefined {
  const [inside, outside] = [valueReader(path), valueReader(path.split('.')[0] as string)];
  return (object) => {
    const value = inside(object) ?? outside(object);
    return typeof value === 'number' ? value : undefined;
  };
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
