import * as z from 'zod';
import { currencies, requiredText, timestamp } from './common.ts';
import { columnNames } from './fields.ts';
import type { Resource } from './resource.ts';

/**
 * API document, "Discount". It depends on `type` which of `percentage`, `value` and `countries` applies. None is required
 * here, because the document requires none.
 */
export const discountSchema = z.strictObject({
  storeId: requiredText,
  code: requiredText,
  type: z.enum(['fixed_amount', 'percentage', 'free_shipping']),
  percentage: z.number().optional(),
  value: z.number().optional(),
  startDate: timestamp.optional(),
  endDate: timestamp.optional(),
  products: z
    .array(
      z.strictObject({
        _id: z.string().optional(),
        by_quantity: z.boolean().optional(),
        quantity: z.number().optional(),
      }),
    )
    .optional(),
  customers: z.array(z.string()).optional(),
  requirements: z.strictObject({ price: z.number().optional(), quantity: z.number().optional() }).optional(),
  countries: z.array(z.string()).optional(),
  province: z.array(z.string()).optional(),
  cities: z.array(z.string()).optional(),
  target: z.enum(['ALL', 'SELECTED']).optional(),
  active: z.boolean().optional(),
  limits: z.strictObject({ per_customer: z.number().optional(), all: z.number().optional() }).optional(),
  currencies,
});

export const discounts: Resource = {
  name: 'discounts',
  singular: 'discount',
  schema: discountSchema,
  key: ['code'],
  amounts: ['percentage', 'value'],
  meanings: { 'currency-code': ['currencies.*.currency'] },
  period: { start: 'startDate', end: 'endDate' },
  fromSettings: ['storeId'],
  // In the singular, unlike the others.
  create: { method: 'POST', path: '/api/discount/create' },
  envelopes: ['data', 'result', 'discount'],
  columns: columnNames(discountSchema),
};
