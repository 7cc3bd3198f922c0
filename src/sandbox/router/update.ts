import type { Json, JsonObject } from '../../model/index.ts';
import { type Parameter, readQuery } from '../lists/query.ts';
import { ok, refuse, refuseQuery } from '../reply.ts';
import { timestamps } from '../time.ts';
import { bodyReader, inEnvelope } from './body.ts';
import type { Handler, Store } from './call.ts';

const PARAMETERS: readonly Parameter[] = [{ name: 'id', type: 'text', required: true }];

/**
 * Replaces the fields in the body, each as a whole: `{"price": {"salePrice": 5}}` leaves no comparePrice. The slug does
 * not follow a new name, so that links to the product stay valid.
 */
export function updateProduct(store: Store): Handler {
  const readBody = bodyReader(store, 'updateProduct');
  const products = store.collections.products;
  const timestamp = timestamps(store.now);
  return ({ query, body: text }) => {
    const read = readQuery(query, PARAMETERS);
    if ('errors' in read) return refuseQuery(read.errors);
    const change = readBody(text);
    if ('refusal' in change) return change.refusal;

    const id = read.values.id as string;
    const position = products.positionOf(id);
    if (position === undefined) return refuse(404, 'NOT_FOUND', `There is no product with the id ${id}.`);
    const record = products.at(position);
    for (const [field, value] of Object.entries(change.body)) setOrClear(record, field, value);
    record.updatedAt = timestamp();
    const data = products.replace(position, record);
    return ok(inEnvelope(data, 'product', store.habits().faults.envelope), {
      collection: 'products',
      id,
      key: record.reference as string,
    });
  };
}

/** Sets a field. Null removes it, also within `price` and `quantity`. */
function setOrClear(record: JsonObject, field: string, value: Json): void {
  if (value === null) {
    delete record[field];
  } else if (CLEARABLE_PARTS.has(field)) {
    record[field] = Object.fromEntries(
      Object.entries(value as JsonObject).filter(([, part]) => part !== null),
    );
  } else {
    record[field] = value;
  }
}

/** Objects whose numbers an update may clear individually: PriceUpdate and QuantityUpdate of the contract. */
const CLEARABLE_PARTS = new Set(['price', 'quantity']);
