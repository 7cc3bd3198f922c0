import type { RunStopped } from '../model/index.ts';

export interface BreakerOptions {
  /** Bad ends in a row, with nothing good between, after which writing pauses; twice as many end the run. */
  readonly limit: number;
  /** Comes back once the store answers a harmless read; throws RunStopped when it does not. */
  readonly probe: () => Promise<unknown>;
  /** What to say when the run ends, from the number of bad ends. */
  readonly stopped: (bad: number) => RunStopped;
}

/**
 * Keeps an outage from turning record after record into a doubtful one.
 *
 *     closed ──limit bad ends in a row──▶ open: probe ──the store answers──▶ one trial at a time
 *       ▲                                   ▲                                    │       │
 *       │                                   └───────────────bad──────────────────┘       │
 *       └──────────────────────────────────────good──────────────────────────────────────┘
 *
 * What was in flight when it opened can still end badly, fewer than `limit` of them; with trials one at a time the
 * bad ends in a row never exceed twice the limit.
 */
export interface Breaker {
  /**
   * Undefined when a write may go at once. Otherwise a promise that lets it go, or throws RunStopped; it says whether
   * the write is the trial, whose sender calls `over`.
   */
  pass(): Promise<boolean> | undefined;
  good(): void;
  bad(): void;
  /** The trial is over, whatever became of it. */
  over(): void;
}

export function createBreaker({ limit, probe, stopped }: BreakerOptions): Breaker {
  let badInRow = 0;
  let trial: { readonly ended: Promise<void>; readonly end: () => void } | undefined;

  function pass(): Promise<boolean> | undefined {
    return badInRow < limit ? undefined : passAsTrial();
  }

  async function passAsTrial(): Promise<boolean> {
    while (badInRow >= limit) {
      if (badInRow >= 2 * limit) throw stopped(badInRow);
      if (trial !== undefined) {
        await trial.ended;
        continue;
      }
      trial = newTrial();
      try {
        await probe();
        return true;
      } catch (error) {
        over();
        throw error;
      }
    }
    return false;
  }

  function over(): void {
    trial?.end();
    trial = undefined;
  }

  return {
    pass,
    over,
    good() {
      badInRow = 0;
    },
    bad() {
      badInRow++;
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
