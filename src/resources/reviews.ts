import * as z from 'zod';
import { timestamp } from './common.ts';
import { columnNames } from './fields.ts';
import type { Resource } from './resource.ts';

/** API document, "Review (read only)". */
export const reviewSchema = z.looseObject({
  _id: z.string(),
  storeId: z.string().optional(),
  product: z
    .looseObject({
      _id: z.string().optional(),
      name: z.string().optional(),
      image: z.string().optional(),
    })
    .optional(),
  customer: z
    .looseObject({
      _id: z.string().optional(),
      firstname: z.string().optional(),
      lastname: z.string().optional(),
    })
    .optional(),
  content: z.string().optional(),
  images: z.array(z.string()).optional(),
  rating: z.int().optional(),
  published: z.boolean().optional(),
  createdAt: timestamp.optional(),
});

export const reviews: Resource = {
  name: 'reviews',
  singular: 'review',
  schema: reviewSchema,
  list: {
    path: '/api/reviews/search',
    pageSize: 100,
    filters: { product: 'product', rating: 'rating', published: 'published' },
    filterFields: {
      product: { path: 'product._id', type: 'text' },
      rating: { path: 'rating', type: 'integer' },
      published: { path: 'published', type: 'boolean' },
    },
    id: '_id',
    created: 'createdAt',
  },
  columns: columnNames(reviewSchema),
};
