import type { OperationKind, RunStopped } from '../../model/index.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createDoubts, type SeenDoubts } from './doubts.ts';
import { createsStopped, tooManyDoubts, updatesStopped } from './stops.ts';

export interface BreakersOptions {
  readonly concurrency: number;
  /** Attempts at an update before its record fails. */
  readonly triesOfUpdate: number;
  /** See `createProbe`. */
  readonly probe: () => Promise<unknown>;
  /** A sentence on what to do about creates in doubt, beside looking for them; empty for none. */
  readonly advice: () => string;
  /** Throws RunStopped if the client has a more precise reason to stop. */
  readonly check: () => void;
  readonly onManyDoubts: ((seen: SeenDoubts) => void) | undefined;
}

/**
 * Updates can be repeated, and their bad ends are counted by attempts. A few that fail by their own fault must not end
 * a run.
 */
const UPDATE_BREAKER_MIN = 5;

export type Breakers = Readonly<Record<OperationKind, Breaker | undefined>>;

export function createBreakers(options: BreakersOptions): Breakers {
  const { concurrency, triesOfUpdate, probe, advice, check } = options;
  const unlessPrecise = (reason: RunStopped) => {
    check();
    return reason;
  };
  const doubts = createDoubts({ concurrency, onMany: options.onManyDoubts });
  return {
    create: createBreaker({
      limit: concurrency,
      probe,
      stopped: (bad) => unlessPrecise(createsStopped(bad, advice())),
      share: { doubts, stopped: () => unlessPrecise(tooManyDoubts(doubts.seen(), advice())) },
    }),
    update: createBreaker({
      limit: triesOfUpdate * Math.max(concurrency, UPDATE_BREAKER_MIN),
      probe,
      stopped: (bad) => unlessPrecise(updatesStopped(bad)),
    }),
    read: undefined,
  };
}
