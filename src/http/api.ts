/** Every API of storeport begins with this path. Its bodies and answers are JSON. */
export const API_BASE = '/api/v1';

/** The answer to a request that failed, with a status of 400 or above. */
export interface ApiFailure {
  readonly error: {
    /** The event, and its reason if known. */
    readonly message: string;
    /** Next steps; each is a sentence. */
    readonly hints: readonly string[];
  };
}
