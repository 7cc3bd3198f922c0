/** One exchange that ended, as far as it says something of the rate. */
export interface PacedAnswer {
  readonly nowMs: number;
  readonly sentMs: number;
  /** `refused`: the store said that there were too many requests. `lost`: it said nothing, or that it is in trouble. */
  readonly end: 'admitted' | 'refused' | 'lost';
  /** It had to wait for a permit, and not only because those of its time came in one batch. */
  readonly limited: boolean;
  /** As the store asked for. */
  readonly retryAfterMs?: number | undefined;
  /** Rate headers allow `requests` more within `ms`. */
  readonly left?: { readonly requests: number; readonly ms: number } | undefined;
}
