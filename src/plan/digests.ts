import { type FieldDigests, type Json, type JsonObject, numberText } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import { NUMBER_MARK, watchedNumbers } from './last-numbers.ts';
import { mix } from './mix.ts';

/** Digest size of each field: 8 characters of base64, so that all digests of a record are one string to be sliced. */
const BYTES = 6;
const CHARACTERS = 8;

/** Computes the digests of a payload's fields. */
export type Digester = (payload: JsonObject) => FieldDigests;

/**
 * Digests each top-level field but `secret` ones to 48 bits, and keeps the first 48 bits of each watched number. Use one digester for
 * all records, since this is hot.
 */
export function createDigester(resource: Pick<Resource, 'secret' | 'watched'> = {}): Digester {
  const { secret = [] } = resource;
  const watched = watchedNumbers(resource);
  const hash = createHash();
  let room = Buffer.allocUnsafe(64 * BYTES);

  return (payload) => {
    const all = Object.keys(payload);
    const fields = secret.length === 0 ? all : all.filter((field) => !secret.includes(field));
    // A number is written with two bytes more than are kept.
    const wanted = (fields.length + watched.length) * BYTES + 2;
    if (wanted > room.length) room = Buffer.allocUnsafe(wanted);
    let at = 0;
    for (const field of fields) {
      hash.begin();
      hash.value(payload[field] as Json);
      at = room.writeInt32LE(hash.first(), at);
      at = room.writeInt16LE((hash.second() << 16) >> 16, at);
    }
    for (const { name, read } of watched) {
      const number = read(payload);
      if (number === undefined) continue;
      room.writeDoubleBE(number, at);
      at += BYTES;
      fields.push(NUMBER_MARK + name);
    }
    return { fields: fields.join(), digests: room.toString('base64', 0, at) };
  };
}

/** The fields of `now` that are new or have changed. */
export function changedFields(now: FieldDigests, before: FieldDigests | undefined): string[] {
  // Most records of a nightly import are unchanged.
  if (now.fields === before?.fields && now.digests === before.digests) return [];
  const known = before ? byField(before) : new Map<string, string>();
  return [...byField(now)].flatMap(([field, digest]) =>
    known.get(field) === digest || field.startsWith(NUMBER_MARK) ? [] : [field],
  );
}

/** The top-level fields that have a digest. */
export function digestedFields({ fields }: FieldDigests): string[] {
  return fields.split(',').filter((field) => !field.startsWith(NUMBER_MARK));
}

/** The digests after `now` was sent: fields that were not sent keep their earlier digests. */
export function mergedDigests(before: FieldDigests | undefined, now: FieldDigests): FieldDigests {
  if (!before) return now;
  const all = new Map([...byField(before), ...byField(now)]);
  return { fields: [...all.keys()].join(), digests: [...all.values()].join('') };
}

function byField({ fields, digests }: FieldDigests): Map<string, string> {
  if (fields === '') return new Map();
  return new Map(
    fields
      .split(',')
      .map((field, index) => [field, digests.slice(index * CHARACTERS, (index + 1) * CHARACTERS)]),
  );
}

/**
 * A hash that does not depend on the order of fields in objects. It walks the value itself, since serialising it first
 * would double the cost.
 */
function createHash() {
  let a = 0;
  let b = 0;
  /** Depth of lists around the value. Lists are sent unchanged, so blanks in them count. */
  let lists = 0;

  function begin(): void {
    a = 0x9e3779b9 | 0;
    b = 0x85ebca6b | 0;
  }

  function unit(value: number): void {
    a = Math.imul(a ^ value, 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    b = Math.imul(b + value, 0x1b873593);
    b = (b << 13) | (b >>> 19);
  }
  function text(value: string): void {
    // The length first, so that the boundary to the next text is unambiguous.
    unit(value.length);
    // `unit` for each character, inlined with local variables: most of a digest's time is spent here.
    let [x, y] = [a, b];
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      x = Math.imul(x ^ code, 0xcc9e2d51);
      x = (x << 15) | (x >>> 17);
      y = Math.imul(y + code, 0x1b873593);
      y = (y << 13) | (y >>> 19);
    }
    [a, b] = [x, y];
  }
  function value(given: Json): void {
    if (typeof given === 'string') {
      unit(1);
      text(given);
    } else if (typeof given !== 'object' || given === null) {
      unit(2);
      text(typeof given === 'number' ? numberText(given) : String(given));
    } else if (Array.isArray(given)) {
      unit(3);
      unit(given.length);
      lists++;
      for (const item of given) value(item);
      lists--;
    } else object(given);
  }
  /** Hashes each field from the same initial state and adds them up, since a sum has no order. */
  function object(given: JsonObject): void {
    const [startA, startB] = [a, b];
    let sumA = 0;
    let sumB = 0;
    let count = 0;
    for (const field in given) {
      if (lists === 0 && isBlank(given[field] as Json)) continue;
      [a, b] = [startA, startB];
      text(field);
      value(given[field] as Json);
      sumA = (sumA + mix(a)) | 0;
      sumB = (sumB + mix(b)) | 0;
      count += 1;
    }
    [a, b] = [startA, startB];
    unit(4);
    unit(count);
    unit(sumA);
    unit(sumB);
  }
  return { begin, value, first: () => mix(a), second: () => mix(b) };
}

/** True if the value equals a missing field: clearing such a field again changes nothing. */
function isBlank(value: Json): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
