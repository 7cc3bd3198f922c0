import type { Json } from '../json.ts';
import type { OperationKind } from './operation.ts';

/** One HTTP request to the store's API, below its base URL. */
export interface StoreRequest {
  readonly kind: OperationKind;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query, already encoded, such as `/api/products/update/?id=66f0`. */
  readonly path: string;
  /** Serialised JSON; bytes are UTF-8. */
  readonly body?: string | Buffer;
  /** Fields of the answer that may contain the record, tried in order before the answer itself. */
  readonly envelopes?: readonly string[] | undefined;
  /** The record that the answer must describe; undefined if this is not checked. */
  readonly about?: AboutRecord | undefined;
}

/** Identity of the record in a request, to detect an answer about another record. */
export interface AboutRecord {
  /** Fields of the record that may contain its key. */
  readonly fields: readonly string[];
  /** The key that was sent. */
  readonly value: string;
  /** `_id` of an update. */
  readonly id?: string;
  /** Section of the settings that can disable the check, such as `api.products`. */
  readonly setting: string;
}

/**
 * Result of a delivery after all its attempts.
 * `done` has an identifier for a create. `failed` was certainly not applied, or was safe to repeat and did not succeed.
 * `in-doubt` may or may not have been applied.
 */
export interface Delivery {
  readonly verdict: 'done' | 'rejected' | 'failed' | 'in-doubt';
  readonly attempts: number;
  /** Whole milliseconds. */
  readonly durationMs: number;
  readonly httpStatus?: number;
  /** `_id` of the record, found in any of `envelopes`. */
  readonly id?: string;
  /** Parsed answer of a read. */
  readonly answer?: Json;
  /** Length of that answer. */
  readonly answerBytes?: number;
  /** Stable code for reports, such as `store-refused` or `no-answer`; undefined for `done`. */
  readonly code?: string;
  /** Payload path that the store's error names, if any. */
  readonly field?: string;
  readonly message?: string;
}

/** Called when nothing else delays the first byte of a request. If it rejects, nothing is sent. */
export interface BeforeSending {
  (): Promise<void>;
  /**
   * True once so much time has passed since the last call that the request must not be sent any more. If it is set, the
   * function is called again before each further attempt.
   */
  isTooOld?: (() => boolean) | undefined;
}
