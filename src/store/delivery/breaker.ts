import type { RunStopped } from '../../model/index.ts';
import type { DoubtLimit } from './doubts.ts';

export interface BreakerOptions {
  /** Bad ends in a row after which writing pauses; twice as many end the run. */
  readonly limit: number;
  /** Resolves once the store answers a harmless read; throws RunStopped when it does not. */
  readonly probe: () => Promise<unknown>;
  /** The reason why the run ends, from the number of bad ends in a row. */
  readonly stopped: (bad: number) => RunStopped;
  /** undefined if a bad end leaves nothing in doubt. */
  readonly share?: { readonly doubts: DoubtLimit; readonly stopped: () => RunStopped } | undefined;
}

/**
 * Limits how many records an outage leaves in doubt.
 *
 *     closed ──limit bad ends in a row, or many doubts──▶ open: probe ──the store answers──▶ one trial at a time
 *       ▲                                                  ▲                                   │       │
 *       │                                                  └────────────────bad────────────────┘       │
 *       └────────────────────────────────────────────good──────────────────────────────────────────────┘
 *
 * A good end ends the row only if its request began after the last bad end. An answer to an earlier request says
 * nothing of the store as it is now: at the beginning of an outage such answers still come in while new requests are
 * lost.
 *
 * So in an outage, in which no request that begins is answered, at most twice the limit end badly. After the first bad
 * end nothing ends the row any more. When the row reaches the limit, fewer than `limit` others are in flight. Trials
 * begin while nothing else is in flight and the row is shorter than twice the limit.
 */
export interface Breaker {
  /**
   * undefined if a write may be sent at once. Otherwise a promise of true if the write is the trial; it may throw
   * RunStopped. Every write that was let through calls `over`.
   */
  pass(): Promise<boolean> | undefined;
  /** Called as the request begins; `good` takes the result. */
  begun(): number;
  good(begun: number): void;
  /** `inDoubt`: the record is in doubt, and not just tried again. */
  bad(inDoubt: boolean): void;
  /** Called for a record that is in doubt because it is not tried again. */
  gaveUp(): void;
  /** Called when the write has ended, in whatever way. */
  over(isTrial: boolean): void;
}

export function createBreaker({ limit, probe, stopped, share }: BreakerOptions): Breaker {
  let badInRow = 0;
  let badEver = 0;
  // Bad ends at the time of the last probe. Without a new one there is no reason to probe again.
  let badAtProbe = 0;
  let inFlight = 0;
  let trial: { readonly ended: Promise<void>; readonly end: () => void } | undefined;
  let wake = () => {};

  const isOpen = () => badInRow >= limit || share?.doubts.mustSlowDown() === true;

  function pass(): Promise<boolean> | undefined {
    if (isOpen()) return passAsTrial();
    inFlight++;
    return undefined;
  }

  async function passAsTrial(): Promise<boolean> {
    while (isOpen()) {
      throwIfTooMany();
      if (trial !== undefined) {
        await trial.ended;
        continue;
      }
      trial = newTrial();
      try {
        await becomeAlone();
        throwIfTooMany();
        inFlight++;
        return true;
      } catch (error) {
        endTrial();
        throw error;
      }
    }
    inFlight++;
    return false;
  }

  /** Probes the store and waits for writes in flight, since those may end badly as well. */
  async function becomeAlone(): Promise<void> {
    if (badAtProbe !== badEver) {
      const badBefore = badEver;
      await probe();
      badAtProbe = badBefore;
    }
    while (inFlight > 0 && isOpen())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }

  function throwIfTooMany(): void {
    if (badInRow >= 2 * limit) throw stopped(badInRow);
    if (share?.doubts.mustStop()) throw share.stopped();
  }

  function endTrial(): void {
    trial?.end();
    trial = undefined;
  }

  return {
    pass,
    begun: () => badEver,
    good(begun) {
      if (begun === badEver) badInRow = 0;
      share?.doubts.answered();
    },
    bad(inDoubt) {
      badInRow++;
      badEver++;
      if (inDoubt) share?.doubts.inDoubt();
    },
    gaveUp: () => share?.doubts.inDoubt(),
    over(isTrial) {
      inFlight--;
      wake();
      if (isTrial) endTrial();
    },
  };
}

function newTrial(): { readonly ended: Promise<void>; readonly end: () => void } {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}
