/** Limits the requests to each host: how many are in flight, and how many begin in a second. */
export interface HostGate {
  /** Resolves when a request to this origin may begin. Each call needs a `leave`. */
  enter(origin: string): Promise<void>;
  leave(origin: string): void;
  /** Begins no request to this origin for some milliseconds. */
  pause(origin: string, ms: number): void;
  /** Lets all waiting requests through; their callers check for the end themselves. */
  stop(): void;
}

export interface HostGateOptions {
  /** Requests a second for each host. */
  readonly rate: number;
  /** Requests in flight for each host. */
  readonly most: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Host {
  inFlight: number;
  /** The time from which on the next request may begin. */
  nextMs: number;
  isTimed: boolean;
  readonly waiting: (() => void)[];
}

/** Timers are late by some milliseconds. Requests that were due meanwhile begin at once. */
const CATCH_UP_MS = 5;

/** The spacing is a little wider than needed, so that no second has more than `rate`, caught-up requests included. */
const SLACK = 1.01;

/** Hosts that are remembered although nothing is in flight. */
const MOST_IDLE = 1000;

/** One scheduler decides when each request begins, so it only spaces them, without batches. */
export function createHostGate({ rate, most, now, sleep }: HostGateOptions): HostGate {
  const hosts = new Map<string, Host>();
  const spacingMs = (1000 / rate) * SLACK;
  let isStopped = false;

  function hostOf(origin: string): Host {
    const known = hosts.get(origin);
    if (known) return known;
    if (hosts.size >= MOST_IDLE) forgetIdle();
    const host: Host = { inFlight: 0, nextMs: Number.NEGATIVE_INFINITY, isTimed: false, waiting: [] };
    hosts.set(origin, host);
    return host;
  }

  function forgetIdle(): void {
    for (const [origin, { inFlight, waiting, nextMs }] of hosts)
      if (inFlight === 0 && waiting.length === 0 && nextMs <= now()) hosts.delete(origin);
  }

  function serve(host: Host): void {
    while (host.waiting.length > 0 && (isStopped || host.inFlight < most)) {
      const waitMs = host.nextMs - now();
      if (waitMs > 0 && !isStopped) {
        serveIn(host, waitMs);
        return;
      }
      host.nextMs = Math.max(host.nextMs, now() - CATCH_UP_MS) + spacingMs;
      host.inFlight++;
      host.waiting.shift()?.();
    }
  }

  function serveIn(host: Host, ms: number): void {
    if (host.isTimed) return;
    host.isTimed = true;
    void sleep(ms).then(() => {
      host.isTimed = false;
      serve(host);
    });
  }

  return {
    enter(origin) {
      const host = hostOf(origin);
      return new Promise((resolve) => {
        host.waiting.push(resolve);
        serve(host);
      });
    },
    leave(origin) {
      const host = hostOf(origin);
      host.inFlight--;
      serve(host);
    },
    pause(origin, ms) {
      const host = hostOf(origin);
      host.nextMs = Math.max(host.nextMs, now() + ms);
    },
    stop() {
      isStopped = true;
      for (const host of hosts.values()) serve(host);
    },
  };
}
