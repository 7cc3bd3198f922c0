import type { JsonObject } from '../../model/index.ts';
import type { CreatedCollection } from '../ids.ts';
import { ok } from '../reply.ts';
import { bodyReader } from './body.ts';
import type { Handler, Store } from './call.ts';
import { inEnvelope } from './envelope.ts';
import { slugOf } from './slug.ts';
import { timestamps } from './timestamps.ts';

/** What the store does with a payload before it keeps it. */
export interface CreateRule {
  readonly collection: CreatedCollection;
  readonly singular: string;
  /** Fields by which people know a record: the first that is filled. */
  readonly keys: readonly string[];
  readonly operationId: string;
  /** A field that the store adds, and its value. */
  readonly added?: readonly [
    field: string,
    value: (payload: JsonObject, id: string, position: number) => string | number,
  ];
  /** Fields that it takes and never shows. */
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
 * The fields of a payload as JSON text, without the braces, in one line. As a rule that is the text that was sent: to
 * write it anew would cost as much as to read it. Every payload has a field, since every resource requires some.
 */
function shownText(sent: string, payload: JsonObject, hidden: readonly string[]): string {
  const isAsSent = !LINE_BREAK.test(sent) && !hidden.some((field) => Object.hasOwn(payload, field));
  if (isAsSent) return sent.trim().slice(1, -1);
  for (const field of hidden) delete payload[field];
  return JSON.stringify(payload).slice(1, -1);
}

/** In JSON they only stand between fields. */
const LINE_BREAK = /[\n\r]/;
