import * as z from 'zod';
import { timestamp } from './common.ts';
import { columnNames } from './fields.ts';
import type { Resource } from './resource.ts';

/** API document, "Media image (read only)". */
export const imageSchema = z.looseObject({
  _id: z.string(),
  storeId: z.string().optional(),
  src: z.string().optional(),
  title: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  createdAt: timestamp.optional(),
});

export const images: Resource = {
  name: 'images',
  singular: 'image',
  schema: imageSchema,
  // The endpoint table says /api/images; a sample request uses /api/images/search.
  list: {
    path: '/api/images',
    otherPath: '/api/images/search',
    pageSize: 100,
    filters: {},
    id: '_id',
    created: 'createdAt',
  },
  columns: columnNames(imageSchema),
};
