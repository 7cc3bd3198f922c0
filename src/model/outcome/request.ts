import type { Json } from '../json.ts';
import type { OperationKind } from './operation.ts';

/** One HTTP request to the store's API, below its base URL. */
export interface StoreRequest {
  readonly kind: OperationKind;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query, already encoded, such as `/api/products/update/?id=66f0`. */
  readonly path: string;
  /** Serialised JSON. */
  readonly body?: string;
  /** Names under which the answer may hold the record, tried in order; then the bare answer. */
  readonly envelopes?: readonly string[] | undefined;
  /** The record that the answer must be about; undefined where that is not checked. */
  readonly about?: AboutRecord | undefined;
}

export interface AboutRecord {
  /** Fields of the record, any of which may hold its key. */
  readonly fields: readonly string[];
  /** The key as it was sent. */
  readonly value: string;
  /** `_id`, of an update. */
  readonly id?: string;
  /** The section of the settings that can switch the check off, such as `api.products`. */
  readonly setting: string;
}

/**
 * How a delivery ended, after all its attempts.
 * `done` has an identifier for a create; `failed` was certainly not applied, or was safe to repeat and still
 * did not succeed; `in-doubt` only the store knows.
 */
export interface Delivery {
  readonly verdict: 'done' | 'rejected' | 'failed' | 'in-doubt';
  readonly attempts: number;
  readonly durationMs: number;
  readonly httpStatus?: number;
  /** `_id` of the record, read from any of the known envelopes. */
  readonly id?: string;
  /** The parsed answer, for reads. */
  readonly answer?: Json;
  /** Stable code for reports, such as `store-refused` or `no-answer`; absent when done. */
  readonly code?: string;
  /** Payload path the store complained about, where its answer names one. */
  readonly field?: string;
  readonly message?: string;
}
