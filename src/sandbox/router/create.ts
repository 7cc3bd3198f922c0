import type { JsonObject } from '../../model/index.ts';
import type { CreatedCollection } from '../collections.ts';
import { ok } from '../reply.ts';
import { bodyReader } from './body.ts';
import type { Handler, Store } from './call.ts';
import { slugOf } from './slug.ts';

/** What the store does with a payload before it keeps it. */
export interface CreateRule {
  readonly collection: CreatedCollection;
  readonly operationId: string;
  /** Fields that the store adds. */
  readonly added?: (payload: JsonObject, id: string, position: number) => JsonObject;
  /** Fields that it takes and never shows. */
  readonly hidden?: readonly string[];
}

export const CREATE_RULES = {
  products: {
    collection: 'products',
    operationId: 'createProduct',
    added: ({ name }, id) => ({ slug: slugOf(name as string) || id }),
  },
  discounts: { collection: 'discounts', operationId: 'createDiscount' },
  customers: { collection: 'customers', operationId: 'createCustomer', hidden: ['password'] },
  orders: {
    collection: 'orders',
    operationId: 'createOrder',
    added: (_payload, _id, position) => ({ orderId: position + 1 }),
  },
  suppliers: { collection: 'suppliers', operationId: 'createSupplier' },
} satisfies Record<CreatedCollection, CreateRule>;

/** Checks the body and stores it as a new record. The same payload twice makes two records. */
export function create(store: Store, { collection, operationId, added, hidden = [] }: CreateRule): Handler {
  const readBody = bodyReader(store, operationId);
  const records = store.collections[collection];
  return ({ body: text }) => {
    const read = readBody(text);
    if ('refusal' in read) return read.refusal;
    const createdAt = new Date(store.now()).toISOString();
    const data = records.add((_id, position) => {
      const payload = read.body;
      for (const field of hidden) delete payload[field];
      return { _id, ...payload, ...added?.(payload, _id, position), createdAt, updatedAt: createdAt };
    });
    return ok(`{"status":"success","data":${data}}`);
  };
}
