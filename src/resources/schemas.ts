import { checkoutSchema } from './checkouts.ts';
import { customerSchema } from './customers.ts';
import { discountSchema } from './discounts.ts';
import { imageSchema } from './images.ts';
import { orderSchema } from './orders.ts';
import { productSchema } from './products.ts';
import { reviewSchema } from './reviews.ts';
import { supplierSchema } from './suppliers.ts';

/** The zod schemas by resource: payloads of creates, and items of lists that are read-only. */
export const schemas = {
  products: productSchema,
  customers: customerSchema,
  suppliers: supplierSchema,
  discounts: discountSchema,
  orders: orderSchema,
  reviews: reviewSchema,
  checkouts: checkoutSchema,
  images: imageSchema,
} as const;
