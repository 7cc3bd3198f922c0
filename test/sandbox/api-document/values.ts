import { DEMO_CREDENTIALS } from '../../../src/sandbox/index.ts';
import type { Field, Type } from './fields.ts';

/** Valid and invalid values of a type in a body. */
interface Meaning {
  readonly right: readonly unknown[];
  readonly takes: (value: unknown) => boolean;
  /** The beginning of the reason for a refusal. */
  readonly reason: string;
}

const TEXT = { takes: (value: unknown) => typeof value === 'string', reason: 'must be string' };
const OBJECT = {
  takes: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  reason: 'must be object',
};
const LIST = { takes: Array.isArray, reason: 'must be array' };
const NUMBER = { takes: (value: unknown) => typeof value === 'number', reason: 'must be number' };

const MEANINGS: Readonly<Record<Type, Meaning>> = {
  string: { ...TEXT, right: ['Théière "0,8 l"', '7', ' \n🫖'] },
  // The document describes the format and gives no rule: any text is accepted.
  URL: { ...TEXT, right: ['https://img.example.com/a%20b.jpg?w=1'] },
  number: { ...NUMBER, right: [0, -1, 12.5, 1e21] },
  int: { ...NUMBER, right: [0, -1, 5] },
  bool: { right: [true, false], takes: (value) => typeof value === 'boolean', reason: 'must be boolean' },
  date: {
    right: ['2026-03-01T00:00:00Z', '2028-02-29T23:59:59.999+01:00'],
    takes: () => false,
    reason: 'must be (string|a timestamp such as 2026-01-31T09:30:00Z)',
  },
  object: { ...OBJECT, right: [{}] },
  array: { ...LIST, right: [[]] },
  'open object': { ...OBJECT, right: [{}, { any: [{ thing: null }], 'a.b': { '': 1 } }] },
  'open object or null': { ...OBJECT, right: [{}, null] },
  'open array': { ...LIST, right: [[], [null, 1, 'a', true, {}, [2]]] },
  'string or number': {
    right: ['+213', 213],
    takes: (value) => TEXT.takes(value) || NUMBER.takes(value),
    reason: 'must be string or number',
  },
  any: { right: ['x', 12.5, true, null, { a: [1] }, [{}]], takes: () => true, reason: '' },
};

const ONE_OF_EACH: readonly unknown[] = ['7', 7, true, null, {}, []];

/** Values that a field accepts. */
export function rightValues({ path, type, values }: Field): readonly unknown[] {
  // The token belongs to one store, and a payload can only be for that store.
  if (path === 'storeId') return [DEMO_CREDENTIALS.storeId];
  return values ?? MEANINGS[type].right;
}

/** A value of each JSON type that the field does not accept. */
export function wrongValues({ type }: Field): readonly unknown[] {
  return ONE_OF_EACH.filter((value) => !MEANINGS[type].takes(value));
}

/** The beginning of the reason of their refusal. */
export function wrongReason({ type }: Field): RegExp {
  return new RegExp(`^${MEANINGS[type].reason}`);
}

/**
 * True if null in an update clears the field: an object of the product, or a number of its price or quantity.
 * The document has no way to clear; this one is an extension of the sandbox (LIMITS.md).
 */
export function isClearable({ path, type }: Field): boolean {
  if (/^(price|quantity)\./.test(path)) return type === 'number';
  return !path.includes('.') && (type === 'object' || type === 'open object');
}

/** The smallest payload with `value` at `path`: the required fields, and the objects and lists on the way there. */
export function payloadWith(all: readonly Field[], path: string, value: unknown): Record<string, unknown> {
  const payload: Record<string, unknown> = {};
  for (const field of all) if (field.isRequired) put(payload, field.path, rightValues(field)[0]);
  put(payload, path, value);
  // The only rule about two fields; rules.test.ts tests it.
  if (path === 'connectable' && value === true) payload.route = 'a';
  return payload;
}

/** Sets the value at a path, and adds objects and lists on the way there. `undefined` removes the field. */
export function put(payload: Record<string, unknown>, path: string, value: unknown): void {
  const parts = path.split('.');
  const last = parts.pop() as string;
  let target = payload;
  for (const [index, part] of parts.entries()) {
    const isList = (parts[index + 1] ?? last) === '0';
    const isThere = isList ? Array.isArray(target[part]) : OBJECT.takes(target[part]);
    if (!isThere) target[part] = isList ? [] : {};
    target = target[part] as Record<string, unknown>;
  }
  if (value === undefined) delete target[last];
  else target[last] = structuredClone(value);
}

/** The value at a path; of a list, the first item. */
export function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce((value, part) => (value as Record<string, unknown>)?.[part], record);
}
