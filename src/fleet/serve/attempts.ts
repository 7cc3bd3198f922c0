import { createHash } from 'node:crypto';

/** Limits how often an address may present the same wrong token. Others behind the same proxy are not kept waiting by it. */
export interface FailedAttempts {
  /** Seconds until a wrong token of this address is answered as such again; 0 if it is now. */
  waitS(address: string, token: string): number;
  note(address: string, token: string): void;
}

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Pairs of address and token that are remembered. The oldest is forgotten for a new one, so that memory has a limit. */
const MAX_PAIRS = 10_000;

/** Counts failures of each address with each token for a minute. `now`: monotonic milliseconds. */
export function createAttempts(now: () => number = () => performance.now()): FailedAttempts {
  const windows = new Map<string, { failures: number; readonly until: number }>();
  const current = (pair: string) => {
    const window = windows.get(pair);
    return window !== undefined && window.until > now() ? window : undefined;
  };
  return {
    waitS(address, token) {
      const window = current(pairOf(address, token));
      return window === undefined || window.failures < MAX_FAILURES
        ? 0
        : Math.ceil((window.until - now()) / 1000);
    },
    note(address, token) {
      const pair = pairOf(address, token);
      const window = current(pair);
      if (window) {
        window.failures++;
        return;
      }
      windows.delete(pair);
      const [oldest] = windows.keys();
      if (windows.size >= MAX_PAIRS && oldest !== undefined) windows.delete(oldest);
      windows.set(pair, { failures: 1, until: now() + WINDOW_MS });
    },
  };
}

/** A digest takes the same space for any token, and does not keep one that was mistyped. */
function pairOf(address: string, token: string): string {
  return `${groupOf(address)} ${createHash('sha256').update(token).digest('base64')}`;
}

/** A household has a /64 of IPv6, so its addresses count as one. */
function groupOf(address: string): string {
  return address.includes(':') && !address.startsWith('::')
    ? address.split(':').slice(0, 4).join(':')
    : address;
}
