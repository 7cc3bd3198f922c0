import type { Outage } from './outage.ts';

/** What a client waits for. */
export interface Waiting {
  /** Completes "waiting for …". */
  readonly what: string;
  readonly forMs: number;
}

/** Requests that are under way, and since when none of them was answered. */
export interface Traffic {
  sent(nowMs: number): void;
  answered(nowMs: number): void;
  /** Undefined where nothing is under way. */
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

/** What is waited for at this moment; undefined where nothing is. */
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
