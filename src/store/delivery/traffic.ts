import type { Outage } from './outage.ts';

/** A wait of the client, for display. */
export interface Waiting {
  /** Completes "waiting for …". */
  readonly what: string;
  readonly forMs: number;
}

/** Requests in flight, and the time since which none was answered. */
export interface Traffic {
  sent(nowMs: number): void;
  answered(nowMs: number): void;
  /** undefined if nothing is in flight. */
  waiting(): { readonly requests: number; readonly sinceMs: number } | undefined;
}

export function createTraffic(): Traffic {
  let requests = 0;
  let sinceMs = 0;
  return {
    sent(nowMs) {
      if (requests === 0) sinceMs = nowMs;
      requests++;
    },
    answered(nowMs) {
      requests--;
      sinceMs = nowMs;
    },
    waiting: () => (requests === 0 ? undefined : { requests, sinceMs }),
  };
}

/** The current wait; undefined if nothing is waited for. */
export function waitingAt(
  nowMs: number,
  outage: Pick<Outage, 'waiting'>,
  traffic: Pick<Traffic, 'waiting'>,
): Waiting | undefined {
  const away = outage.waiting();
  if (away) return { what: `the store: it ${away.reason}`, forMs: nowMs - away.sinceMs };
  const unanswered = traffic.waiting();
  if (!unanswered) return undefined;
  const { requests, sinceMs } = unanswered;
  const what = requests === 1 ? 'an answer' : `${requests} answers`;
  return { what, forMs: nowMs - sinceMs };
}
