import type { JsonObject } from '../json.ts';

/** What a request does, for the rules of delivery: only a create is not safe to repeat. */
export type OperationKind = 'create' | 'update' | 'read';

/**
 * What to do for one record. An update's payload holds only the fields to change; `id` is the record it is
 * addressed to.
 */
export type Operation =
  | { readonly kind: 'create'; readonly payload: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly payload: JsonObject };
