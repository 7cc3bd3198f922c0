import * as z from 'zod';
import { idAndName, openList, openObject, price } from './common.ts';
import { columnNames } from './fields.ts';
import type { Resource } from './resource.ts';

/** API document, "Order line (item of `details`)". */
const line = z.strictObject({
  product: idAndName.extend({ price: price.optional() }).optional(),
  variant: idAndName.optional(),
  quantity: z.number().optional(),
  price: z.number().optional(),
});

/** API document, "Shipping object". */
const shipping = z.strictObject({
  isFixed: z.boolean().optional(),
  zone: idAndName.optional(),
  shipper: idAndName.optional(),
  price: z.number().optional(),
  address: z
    .strictObject({
      firstname: z.string().optional(),
      lastname: z.string().optional(),
      address1: z.string().optional(),
      city: idAndName.optional(),
      country: idAndName.optional(),
    })
    .optional(),
});

/** API document, "Order". */
export const orderSchema = z.strictObject({
  customer: z.strictObject({
    _id: z.string().optional(),
    firstname: z.string().optional(),
    lastname: z.string().optional(),
    email: z.string().optional(),
  }),
  details: z.array(line),
  shipping: shipping.optional(),
  discount: z.strictObject({ _id: z.string().optional(), price: z.number().optional() }).optional(),
  attachments: openList.optional(),
  bookingInfo: openObject.optional(),
  // "Order status: free string on creation" (States and transitions).
  status: z.string().optional(),
  payment: openObject.optional(),
  method: idAndName.optional(),
  customerNote: z.string().optional(),
});

/** No field of an order identifies it across runs: the mapping does, or the column `_key`. */
export const orders: Resource = {
  name: 'orders',
  singular: 'order',
  schema: orderSchema,
  mails: ['customer.email'],
  create: { method: 'POST', path: '/api/orders/create' },
  envelopes: ['data', 'result', 'order'],
  columns: columnNames(orderSchema),
};
