import type { RateGate } from './rate-gate.ts';

/** A limit that this client shares with others, also with those of other processes. */
export interface SharedLimit {
  /** Returns a promise only if the request has to wait. */
  permit(): Promise<void> | undefined;
}

/** Asks the shared limit last, since its permits lapse soon. */
export function withSharedLimit(gate: RateGate, limit: SharedLimit | undefined): RateGate {
  if (limit === undefined) return gate;
  let isStopped = false;
  /** Ends the waiting of each request. Not one promise for all: it would keep what waited for it until the run ends. */
  const waiting = new Set<() => void>();

  const shared = (): Promise<void> | undefined => {
    const permit = isStopped ? undefined : limit.permit();
    if (permit === undefined) return undefined;
    return new Promise((resolve, reject) => {
      waiting.add(resolve);
      permit.then(resolve, reject).finally(() => waiting.delete(resolve));
    });
  };

  return {
    ...gate,
    permit(urgent) {
      const own = gate.permit(urgent);
      if (own instanceof Promise)
        return own.then(async (permit) => {
          await shared();
          return permit;
        });
      return shared()?.then(() => own) ?? own;
    },
    stop() {
      isStopped = true;
      for (const goOn of waiting) goOn();
      gate.stop();
    },
  };
}
