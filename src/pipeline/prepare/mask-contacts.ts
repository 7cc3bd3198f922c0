import { createHash } from 'node:crypto';
import { contactKey, type Json, type JsonObject } from '../../model/index.ts';

/**
 * Replaces every mail address and phone number in a payload by a made-up one, so that in a rehearsal no message reaches
 * a stranger. Equal addresses become equal made-up ones, and distinct ones stay distinct, since they may be keys. `country`:
 * the country in which the record's numbers are dialled.
 */
export function maskContacts(payload: JsonObject, country?: string): JsonObject {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, masked(name, value, country)]),
  );
}

/** The key that a customer has after its contacts were replaced, for references that hold the real one. */
export function maskedKey(resource: string, key: string, country?: string): string | undefined {
  return resource === 'customers'
    ? String(masked(key.includes('@') ? 'email' : 'phone', key, country))
    : undefined;
}

function masked(name: string, value: Json, country: string | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => masked('', item, country));
  if (typeof value === 'object' && value !== null) return maskContacts(value, country);
  if (typeof value !== 'string' || (name !== 'email' && name !== 'phone')) return value;
  const one = name === 'phone' ? contactKey(value, country) : value.trim();
  const digest = createHash('sha256').update(one.toLowerCase()).digest();
  // The .invalid domain can never receive mail (RFC 2606); +999 is no country's code.
  if (name === 'email') return `contact-${digest.toString('hex', 0, 6)}@example.invalid`;
  return `+999${String(digest.readUIntBE(0, 6) % 1e12).padStart(12, '0')}`;
}
