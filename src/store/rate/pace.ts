import type { PacedAnswer } from './paced-answer.ts';

/** An estimate of how many requests a second a store admits, from its answers alone: see `createPace`. */
export interface Pace {
  /** Requests a second; undefined if no limit is known. */
  readonly rate: number | undefined;
  /** Nothing may be sent before. Infinite while the one request after a pause is not answered. */
  readonly pausedUntilMs: number;
  /** The rate to remember for the next run: one that the store admitted, and not more. */
  readonly learned: number | undefined;
  /** True if `learned` was found in this run, and was not learned by an earlier one. */
  readonly isFound: boolean;
  /** True while no limit is known, since the store took all that was sent, in this run or in an earlier one. */
  readonly isFree: boolean;
  /** Requests a second that a free store admitted in this run; undefined if there were too few to tell. */
  readonly freeRate: number | undefined;
  /** Called when a request gets its permit. */
  sending(): void;
  /** Called with every exchange that ended, successful or not. */
  answered(answer: PacedAnswer): void;
}

export interface PaceOptions {
  /** Ceiling of the rate in requests a second. No higher rate is sent, so none is found. */
  readonly ceiling?: number | undefined;
  /** The rate that an earlier run learned of this store. */
  readonly learned?: number | undefined;
  /** True if an earlier run found no limit: this one begins without. */
  readonly wasFree?: boolean | undefined;
  /** Called once, with the first request that waits for its permit only because of the learned rate. */
  readonly onHeldBack?: (() => void) | undefined;
  /** Called when refusals lower the rate. */
  readonly onLowered?: ((from: number, to: number) => void) | undefined;
}
