import type { JsonObject } from '../../model/index.ts';

/** Collections of the sample shop, in the order of their import. */
export const SHOP_COLLECTIONS = ['suppliers', 'products', 'customers', 'discounts', 'orders'] as const;

export type ShopCollection = (typeof SHOP_COLLECTIONS)[number];

/** Returns the records of a collection that the store has. */
export type RecordsOf = (collection: ShopCollection) => readonly JsonObject[];

/** A field that holds ids of another collection. */
interface ReferenceField {
  readonly in: ShopCollection;
  readonly to: ShopCollection;
  /** Path of the ids; `*` stands for every item of a list. */
  readonly path: readonly string[];
}

const REFERENCES: readonly ReferenceField[] = [
  { in: 'products', to: 'suppliers', path: ['supplier', '_id'] },
  { in: 'discounts', to: 'products', path: ['products', '*', '_id'] },
  { in: 'discounts', to: 'customers', path: ['customers', '*'] },
  { in: 'orders', to: 'customers', path: ['customer', '_id'] },
  { in: 'orders', to: 'products', path: ['details', '*', 'product', '_id'] },
  { in: 'orders', to: 'discounts', path: ['discount', '_id'] },
];

/** Counts the ids in all records that refer to other records. `dangling`: no record of the store has that id. */
export function countReferences(recordsOf: RecordsOf): { total: number; dangling: number } {
  let total = 0;
  let dangling = 0;
  for (const { in: collection, to, path } of REFERENCES) {
    const known = new Set(recordsOf(to).map(({ _id }) => _id));
    const ids = recordsOf(collection).flatMap((record) => valuesAt(record, path));
    total += ids.length;
    dangling += ids.filter((id) => !known.has(id as string)).length;
  }
  return { total, dangling };
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (value === undefined || value === null) return [];
  if (step === undefined) return [value];
  if (step === '*') return (value as unknown[]).flatMap((item) => valuesAt(item, rest));
  return valuesAt((value as JsonObject)[step], rest);
}

/** The parts of an order that `orderLines` shows. */
interface Order {
  readonly orderId?: number;
  readonly customer: { readonly _id?: string };
  readonly details: readonly {
    readonly product?: { readonly _id?: string };
    readonly quantity?: number;
  }[];
  readonly discount?: { readonly _id?: string };
}

/**
 * Shows one order as lines of text. Names are not those of the order: each is read from the record whose id the order
 * has. Prefers an order with a discount and several items. Empty if the store has no order.
 */
export function orderLines(recordsOf: RecordsOf): string[] {
  const orders = recordsOf('orders') as unknown as readonly Order[];
  const order = orders.find(({ discount, details }) => discount && details.length > 1) ?? orders[0];
  if (order === undefined) return [];
  const find = (collection: ShopCollection, id: unknown) =>
    recordsOf(collection).find(({ _id }) => _id === id);
  const said = (id: unknown, text: unknown) => `${id}   ${text ?? 'is no record of the store'}`;
  const customer = find('customers', order.customer._id);
  const discount = order.discount && find('discounts', order.discount._id);
  return [
    `Order ${order.orderId ?? ''}`.trimEnd(),
    `  customer  ${said(order.customer._id, customer && `${customer.firstname} ${customer.lastname}`)}`,
    ...order.details.map(({ product, quantity }) => {
      const found = find('products', product?._id);
      const supplier = found && find('suppliers', (found.supplier as JsonObject | undefined)?._id);
      const text = found && `${quantity} × ${found.name}${supplier ? `, by ${supplier.name}` : ''}`;
      return `  product   ${said(product?._id, text)}`;
    }),
    ...(order.discount ? [`  discount  ${said(order.discount._id, discount?.code)}`] : []),
  ];
}
