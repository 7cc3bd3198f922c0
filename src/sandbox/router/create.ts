import type { JsonObject } from '../../model/index.ts';
import type { CreatedCollection } from '../ids.ts';
import { ok } from '../reply.ts';
import { bodyReader } from './body.ts';
import type { Handler, Store } from './call.ts';
import { inEnvelope } from './envelope.ts';
import { slugOf } from './slug.ts';

/** What the store does with a payload before it keeps it. */
export interface CreateRule {
  readonly collection: CreatedCollection;
  readonly singular: string;
  /** Fields by which people know a record: the first that is filled. */
  readonly keys: readonly string[];
  readonly operationId: string;
  /** Fields that the store adds. */
  readonly added?: (payload: JsonObject, id: string, position: number) => JsonObject;
  /** Fields that it takes and never shows. */
  readonly hidden?: readonly string[];
}

export const CREATE_RULES = {
  products: {
    collection: 'products',
    singular: 'product',
    keys: ['reference'],
    operationId: 'createProduct',
    added: ({ name }, id) => ({ slug: slugOf(name as string) || id }),
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
    added: (_payload, _id, position) => ({ orderId: position + 1 }),
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
  return ({ body: text }) => {
    const read = readBody(text);
    if ('refusal' in read) return read.refusal;
    const createdAt = new Date(store.now()).toISOString();
    const payload = read.body;
    for (const field of hidden) delete payload[field];
    let id = '';
    const data = records.add((_id, position) => {
      id = _id;
      return { _id, ...payload, ...added?.(payload, _id, position), createdAt, updatedAt: createdAt };
    });
    const known = keys.map((field) => payload[field]).find((value) => typeof value === 'string');
    return ok(
      inEnvelope(data, singular, store.habits().faults.envelope),
      known === undefined ? { collection, id } : { collection, id, key: known },
    );
  };
}
