import type { JsonObject } from '../../model/index.ts';
import { ok } from '../reply.ts';
import type { CreatedCollection } from '../storage/ids.ts';
import { timestamps } from '../time.ts';
import { bodyReader, inEnvelope } from './body.ts';
import type { Handler, Store } from './call.ts';

/** Rules by which the store turns a payload into a record. */
export interface CreateRule {
  readonly collection: CreatedCollection;
  readonly singular: string;
  /** Fields that name a record for people. The first one with a value counts. */
  readonly keys: readonly string[];
  readonly operationId: string;
  /** A field that the store adds, and its value. */
  readonly added?: readonly [
    field: string,
    value: (payload: JsonObject, id: string, position: number) => string | number,
  ];
  /** Fields that it accepts, but neither stores nor shows. */
  readonly hidden?: readonly string[];
}

export const CREATE_RULES = {
  products: {
    collection: 'products',
    singular: 'product',
    keys: ['reference'],
    operationId: 'createProduct',
    added: ['slug', ({ name }, id) => slugOf(name as string) || id],
  },
  discounts: {
    collection: 'discounts',
    singular: 'discount',
    keys: ['code'],
    operationId: 'createDiscount',
  },
  customers: {
    collection: 'customers',
    singular: 'customer',
    keys: ['email', 'phone'],
    operationId: 'createCustomer',
    hidden: ['password'],
  },
  orders: {
    collection: 'orders',
    singular: 'order',
    keys: [],
    operationId: 'createOrder',
    added: ['orderId', (_payload, _id, position) => position + 1],
  },
  suppliers: {
    collection: 'suppliers',
    singular: 'supplier',
    keys: ['name'],
    operationId: 'createSupplier',
  },
} satisfies Record<CreatedCollection, CreateRule>;

/** Checks the body and stores it as a new record. The same payload twice makes two records. */
export function create(store: Store, rule: CreateRule): Handler {
  const { collection, singular, operationId, keys, added, hidden = [] } = rule;
  const readBody = bodyReader(store, operationId);
  const records = store.collections[collection];
  const timestamp = timestamps(store.now);
  return ({ body: text }) => {
    const read = readBody(text);
    if ('refusal' in read) return read.refusal;
    const payload = read.body;
    const shown = shownText(text, payload, hidden);
    const createdAt = timestamp();
    let id = '';
    const data = records.add((_id, position) => {
      id = _id;
      const own = added ? `"${added[0]}":${JSON.stringify(added[1](payload, _id, position))},` : '';
      return `{"_id":"${_id}",${shown},${own}"createdAt":"${createdAt}","updatedAt":"${createdAt}"}`;
    });
    const known = keys.map((field) => payload[field]).find((value) => typeof value === 'string');
    return ok(
      inEnvelope(data, singular, store.habits().faults.envelope),
      known === undefined ? { collection, id } : { collection, id, key: known },
    );
  };
}

/**
 * Returns the fields of a payload as JSON text in one line, without the braces. Usually it is the text that was sent:
 * formatting it again would cost as much as parsing it. It is never empty, since each resource requires a field.
 */
function shownText(sent: string, payload: JsonObject, hidden: readonly string[]): string {
  const isAsSent = !LINE_BREAK.test(sent) && !hidden.some((field) => Object.hasOwn(payload, field));
  if (isAsSent) return sent.trim().slice(1, -1);
  for (const field of hidden) delete payload[field];
  return JSON.stringify(payload).slice(1, -1);
}

/** A line break in JSON text is always between tokens: in a string it is escaped. */
const LINE_BREAK = /[\n\r]/;

const ASCII = /^[\x00-\x7f]*$/;
const OTHER = /[^\p{L}\p{N}]+/gu;
const OTHER_ASCII = /[^a-z0-9]+/g;

/** Returns the slug of a name: `Théière en fonte 0,8 l` → `theiere-en-fonte-0-8-l`, `!!!` → empty. Keeps other scripts. */
function slugOf(name: string): string {
  // Decomposing letters costs more than the rest, and most names need none.
  const isAscii = ASCII.test(name);
  const plain = isAscii ? name : name.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain
    .toLowerCase()
    .replace(isAscii ? OTHER_ASCII : OTHER, '-')
    .replace(/^-|-$/g, '');
}
