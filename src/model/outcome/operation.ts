import type { JsonObject } from '../json.ts';

/** Effect of a request, for the delivery rules: only a create is not safe to repeat. */
export type OperationKind = 'create' | 'update' | 'read';

/**
 * Action for one record. The payload of an update has only the fields to change; `id` identifies the record to
 * update.
 */
export type Operation =
  | { readonly kind: 'create'; readonly payload: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly payload: JsonObject };
