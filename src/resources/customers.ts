import * as z from 'zod';
import { customerAddress, requiredText } from './common.ts';
import { columnNames } from './fields.ts';
import type { Resource } from './resource.ts';

/** API document, "Customer". */
export const customerSchema = z.strictObject({
  storeId: requiredText,
  firstname: requiredText,
  lastname: requiredText,
  email: z.string().optional(),
  phone: z.string().optional(),
  password: z.string().optional(),
  isSubscriber: z.boolean().optional(),
  note: z.string().optional(),
  status: z.enum(['ACTIVE', 'UNACTIVE', 'BLOCKED']).optional(),
  type: z.enum(['particular', 'professional']).optional(),
  address: customerAddress.optional(),
});

export const customers: Resource = {
  name: 'customers',
  singular: 'customer',
  schema: customerSchema,
  secret: ['password'],
  key: ['email', 'phone'],
  phoneKey: { field: 'phone', country: ['address', 'country'] },
  mails: ['email'],
  meanings: {
    'phone-number': ['phone', 'address.phone'],
    postcode: ['address.zip'],
    'country-code': ['address.country.code'],
  },
  fromSettings: ['storeId'],
  create: { method: 'POST', path: '/api/customers/create' },
  envelopes: ['data', 'result', 'customer'],
  columns: columnNames(customerSchema),
};
