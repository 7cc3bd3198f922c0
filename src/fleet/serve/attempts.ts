/** Limits how often an address may present a wrong token. */
export interface FailedAttempts {
  /** Seconds to wait before the next attempt of this address is looked at; 0 if none. */
  waitS(address: string): number;
  note(address: string): void;
}

const MOST = 10;
const WINDOW_MS = 60_000;
/** Addresses that are remembered. The oldest is forgotten for a new one, so that memory has a limit. */
const MOST_ADDRESSES = 10_000;

/** Counts failures of each address for a minute. `now`: monotonic milliseconds. */
export function createAttempts(now: () => number = () => performance.now()): FailedAttempts {
  const windows = new Map<string, { failures: number; readonly until: number }>();
  const current = (address: string) => {
    const window = windows.get(groupOf(address));
    return window !== undefined && window.until > now() ? window : undefined;
  };
  return {
    waitS(address) {
      const window = current(address);
      return window === undefined || window.failures < MOST ? 0 : Math.ceil((window.until - now()) / 1000);
    },
    note(address) {
      const window = current(address);
      if (window) {
        window.failures++;
        return;
      }
      const group = groupOf(address);
      windows.delete(group);
      const [oldest] = windows.keys();
      if (windows.size >= MOST_ADDRESSES && oldest !== undefined) windows.delete(oldest);
      windows.set(group, { failures: 1, until: now() + WINDOW_MS });
    },
  };
}

/** A household has a /64 of IPv6, so its addresses count as one. */
function groupOf(address: string): string {
  return address.includes(':') && !address.startsWith('::')
    ? address.split(':').slice(0, 4).join(':')
    : address;
}
