import type { FieldDigests, Json, JsonObject } from '../model/index.ts';
import { fingerprint } from './fingerprint.ts';

const BYTES = 8;

/** What is remembered of a payload: 64 bits for each of its top-level fields but `secret` ones. */
export function digestsOf(payload: JsonObject, secret: readonly string[] = []): FieldDigests {
  const fields = Object.keys(payload).filter((field) => !secret.includes(field));
  const bytes = Buffer.allocUnsafe(fields.length * BYTES);
  fields.forEach((field, index) => {
    const [a, b] = fingerprint(canonical(payload[field] as Json));
    bytes.writeUInt32LE(a, index * BYTES);
    bytes.writeUInt32LE(b, index * BYTES + 4);
  });
  return { fields, bytes };
}

/** The fields of `now` that are new or not what they were. */
export function changedFields(now: FieldDigests, before: FieldDigests | undefined): string[] {
  if (!before) return [...now.fields];
  return now.fields.filter((field, index) => {
    const at = before.fields.indexOf(field);
    return at < 0 || !digestAt(now, index).equals(digestAt(before, at));
  });
}

/** What the store has after `now` was sent to it: fields that were not sent are as they were before. */
export function merged(before: FieldDigests | undefined, now: FieldDigests): FieldDigests {
  if (!before) return now;
  const kept = before.fields.flatMap((field, index) => (now.fields.includes(field) ? [] : [index]));
  return {
    fields: [...now.fields, ...kept.map((index) => before.fields[index] as string)],
    bytes: Buffer.concat([now.bytes, ...kept.map((index) => digestAt(before, index))]),
  };
}

function digestAt({ bytes }: FieldDigests, index: number): Buffer {
  return bytes.subarray(index * BYTES, (index + 1) * BYTES);
}

/** A text that is the same for the same value, in whatever order its fields stand, and another for any other. */
function canonical(value: Json): string {
  if (typeof value === 'string') return `${value.length}"${value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = Object.keys(value).sort();
  return `{${fields.map((field) => canonical(field) + canonical(value[field] as Json)).join()}}`;
}
