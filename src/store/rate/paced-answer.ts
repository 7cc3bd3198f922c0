/** The end of one exchange, as far as the rate depends on it. */
export interface PacedAnswer {
  readonly nowMs: number;
  readonly sentMs: number;
  /** `refused`: the store said that there were too many requests. `lost`: it said nothing, or that it is in trouble. */
  readonly end: 'admitted' | 'refused' | 'lost';
  /** True if it had to wait for a permit, and not only because permits come in batches. */
  readonly limited: boolean;
  /** The wait that the store asked for. */
  readonly retryAfterMs?: number | undefined;
  /** Requests that rate headers still allow within `ms`. */
  readonly left?: { readonly requests: number; readonly ms: number } | undefined;
}
