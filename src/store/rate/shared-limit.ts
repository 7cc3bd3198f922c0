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
  let stopWaiting: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stopWaiting = resolve;
  });
  return {
    ...gate,
    permit(urgent) {
      const own = gate.permit(urgent);
      if (own instanceof Promise)
        return own.then(async (permit) => {
          if (!isStopped) await Promise.race([limit.permit(), stopped]);
          return permit;
        });
      const shared = isStopped ? undefined : limit.permit();
      return shared === undefined ? own : Promise.race([shared, stopped]).then(() => own);
    },
    stop() {
      isStopped = true;
      stopWaiting();
      gate.stop();
    },
  };
}
