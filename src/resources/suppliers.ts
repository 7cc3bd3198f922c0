import * as z from 'zod';
import { named, requiredText } from './common.ts';
import { columnNames } from './fields.ts';
import type { Resource } from './resource.ts';

/** API document, "Supplier". */
export const supplierSchema = z.strictObject({
  storeId: requiredText,
  name: requiredText,
  company: z.string().optional(),
  address1: requiredText,
  address2: z.string().optional(),
  city: named.optional(),
  province: named.optional(),
  country: named.optional(),
  phone: z.string().optional(),
  connectable: z.boolean().optional(),
  route: z.string().optional(),
});

export const suppliers: Resource = {
  name: 'suppliers',
  singular: 'supplier',
  schema: supplierSchema,
  requiredWhen: [{ field: 'route', when: { field: 'connectable', is: true } }],
  key: ['name'],
  meanings: { 'phone-number': ['phone'] },
  fromSettings: ['storeId'],
  create: { method: 'POST', path: '/api/suppliers/create' },
  envelopes: ['data', 'result', 'supplier'],
  columns: columnNames(supplierSchema),
};
