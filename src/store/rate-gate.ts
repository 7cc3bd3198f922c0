import Bottleneck from 'bottleneck';

/** Hands out permits to send, at most so many a second. */
export interface RateGate {
  /** Undefined when a request may go at once, so that the common case costs no promise. */
  permit(): Promise<void> | undefined;
  /** Requests a second from now on; undefined for no limit. */
  setRate(ratePerSecond: number | undefined): void;
  /** Lets everyone who waits go; they find out for themselves that it is over. */
  stop(): void;
}

/**
 * Bottleneck's local store takes more than 2 ms for each job, whatever the limit, so that a job for each request tops
 * out near 400 a second. One job hands out a batch of permits instead; 50 jobs a second are well within its means.
 */
const JOBS_PER_SECOND = 50;

/** The second of "so many a second", and a little more, since the store measures it with a clock of its own. */
const WINDOW_MS = 1_005;

/** Spacing is this much wider than needed, so that a job which starts late does not crowd the next ones. */
const SLACK = 1.01;

interface Pace {
  readonly rate: number;
  /** Permits in a batch. */
  readonly batch: number;
  /** Between the starts of two batches, which is also how long a batch can be used. */
  readonly spacingMs: number;
}

interface Batch {
  readonly size: number;
  left: number;
  /** Last moment at which one of its permits was, or can still be, used. */
  endsMs: number;
}

/**
 * A rate limit that holds in every window of one second, wherever it begins, and not only on average.
 *
 * A batch of B permits can be used until the next one may start. A window of one second then touches at most one batch
 * more than it has room for starts, hence the pace is that of rate − B. What is left of a batch lapses, so that a pause
 * saves up nothing. Timers are late at times and the next ones are not, so batches are also counted: one starts only
 * when those of the last second and itself stay within the rate. Small rates therefore end a little under the limit.
 */
export function createRateGate(
  ratePerSecond: number | undefined,
  now: () => number = () => performance.now(),
): RateGate {
  let pace = paceOf(ratePerSecond);
  let limiter: Bottleneck | undefined;
  let current: Batch | undefined;
  let recent: Batch[] = [];
  let asked = false;
  let stopped = false;
  let waiting: (() => void)[] = [];

  function permit(): Promise<void> | undefined {
    if (pace === undefined || stopped) return undefined;
    if (waiting.length === 0 && takeOne()) return undefined;
    return new Promise((resolve) => {
      waiting.push(resolve);
      ask();
    });
  }

  function takeOne(): boolean {
    if (current === undefined || current.left === 0 || now() >= current.endsMs) return false;
    current.left--;
    if (current.left === 0) current.endsMs = now();
    return true;
  }

  // Never more than one job in Bottleneck's queue: its jobs are expensive to keep.
  function ask(): void {
    if (asked || pace === undefined) return;
    asked = true;
    limiter ??= new Bottleneck({ minTime: pace.spacingMs });
    limiter.schedule(startBatch).catch(release);
  }

  async function startBatch(): Promise<void> {
    for (let wait = roomInMs(); wait > 0 && !stopped; wait = roomInMs()) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait)));
    }
    asked = false;
    if (pace === undefined || stopped) return release();
    if (current !== undefined) current.endsMs = Math.min(current.endsMs, now());
    current = { size: pace.batch, left: pace.batch, endsMs: now() + pace.spacingMs };
    recent.push(current);
    const served = waiting.splice(0, current.left);
    current.left -= served.length;
    if (current.left === 0) current.endsMs = now();
    for (const go of served) go();
    if (waiting.length > 0) ask();
  }

  /** How long until another batch fits into the second before it. */
  function roomInMs(): number {
    if (pace === undefined) return 0;
    const time = now();
    const since = time - WINDOW_MS;
    recent = recent.filter((batch) => batch.endsMs > since);
    let used = recent.reduce((sum, batch) => sum + batch.size, 0);
    let wait = 0;
    for (const batch of recent) {
      // A single batch larger than the rate (less than one a second) must still pass some day.
      if (used + pace.batch <= Math.max(pace.rate, pace.batch)) break;
      used -= batch.size;
      wait = Math.min(batch.endsMs, time) - since;
    }
    return wait;
  }

  function release(): void {
    asked = false;
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  }

  function setRate(rate: number | undefined): void {
    pace = paceOf(rate);
    if (pace === undefined) {
      release();
      return;
    }
    // Only minTime: after any change of settings a Bottleneck with a reservoir would stop refilling for good.
    void limiter?.updateSettings({ minTime: pace.spacingMs });
  }

  function stop(): void {
    if (stopped) return;
    stopped = true;
    release();
    limiter?.stop({ dropWaitingJobs: true }).catch(() => undefined);
  }

  return { permit, setRate, stop };
}

function paceOf(rate: number | undefined): Pace | undefined {
  if (rate === undefined || !Number.isFinite(rate) || rate <= 0) return undefined;
  const batch = Math.max(1, Math.round(rate / JOBS_PER_SECOND));
  if (batch === 1) return { rate, batch, spacingMs: (1000 / rate) * SLACK };
  const batchesInWindow = Math.floor(rate / batch);
  return { rate, batch, spacingMs: (1000 / (batchesInWindow - 1)) * SLACK };
}
