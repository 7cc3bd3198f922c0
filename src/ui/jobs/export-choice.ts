import * as z from 'zod';

/** The body of a preview, and a part of the body that starts an export. */
export const EXPORT_CHOICE = z.strictObject({
  resource: z.string().min(1),
  store: z.string().min(1),
  format: z.enum(['csv', 'json', 'ndjson']),
  filters: z.array(z.string().min(1)).optional(),
  since: z.string().min(1).optional(),
  columns: z.array(z.string().min(1)).optional(),
  limit: z.int().positive().optional(),
  incremental: z.boolean().optional(),
});

/** An export into a file. */
export const EXPORT_INTO = EXPORT_CHOICE.extend({ out: z.string().min(1) });
