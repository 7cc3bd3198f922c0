import * as z from 'zod';
import { columnNames } from './fields.ts';
import type { Resource } from './resource.ts';

const place = z.looseObject({ _id: z.string().optional(), name: z.string().optional() });

const address = z.looseObject({
  address1: z.string().optional(),
  address2: z.string().optional(),
  country: place.optional(),
  province: place.optional(),
  city: place.optional(),
});

const openOrNull = z.looseObject({}).nullable().optional();

/** API document, "Unfulfilled checkout (read only)". Items carry no `_id`. */
export const checkoutSchema = z.looseObject({
  customer: z
    .looseObject({
      firstname: z.string().optional(),
      lastname: z.string().optional(),
      fullname: z.string().optional(),
      email: z.string().optional(),
      phone: z.string().optional(),
      ipAddress: z.string().optional(),
      address: address.optional(),
    })
    .optional(),
  shipping: z
    .looseObject({
      zone: openOrNull,
      shipper: openOrNull,
      price: z.number().optional(),
      address: address.optional(),
    })
    .optional(),
  discount: openOrNull,
  details: z.array(z.unknown()).optional(),
  customerNote: z.string().optional(),
  method: openOrNull,
});

export const checkouts: Resource = {
  name: 'checkouts',
  singular: 'checkout',
  schema: checkoutSchema,
  // The status filter is called `field3`; without it the store returns only pending ones. No field of an item shows it.
  list: { path: '/api/datasets/unfulfillment', pageSize: 100, filters: { status: 'field3' } },
  columns: columnNames(checkoutSchema),
};
