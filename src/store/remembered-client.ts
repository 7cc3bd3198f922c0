import { createStoreClient } from './client.ts';
import type { StoreClient, StoreClientOptions } from './client-types.ts';
import {
  forgetLearnedRate,
  isStillFree,
  keepLearnedRate,
  type LearnedRate,
  readLearnedRate,
  recalledRate,
} from './rate/learned-rate.ts';

export interface RememberedClientOptions
  extends Omit<StoreClientOptions, 'learnedRate' | 'wasFree' | 'onHeldBack'> {
  /** Called once, when the rate of an earlier command keeps requests waiting. */
  readonly onHeldBack?: ((recalled: LearnedRate) => void) | undefined;
}

/**
 * Creates a client that begins at the rate that earlier commands learned of the store, and keeps what it learns itself when
 * it is closed. `home`: the folder that has the rates; undefined if nothing is to be remembered.
 */
export function createRememberedClient(
  home: string | undefined,
  { onHeldBack, ...options }: RememberedClientOptions,
): StoreClient {
  const { baseUrl, log } = options;
  const recalled = home === undefined ? undefined : readLearnedRate(home, baseUrl);
  const client = createStoreClient({
    ...options,
    learnedRate: recalled && !recalled.isFree ? recalledRate(recalled) : undefined,
    wasFree: recalled && isStillFree(recalled),
    onHeldBack: recalled && onHeldBack && (() => onHeldBack(recalled)),
  });
  return {
    ...client,
    async close(graceMs) {
      await client.close(graceMs);
      if (home === undefined) return;
      try {
        keepRate(home, baseUrl, client, recalled);
      } catch (error) {
        log.debug(() => ({ error: (error as Error).message }), 'the learned rate was not kept');
      }
    },
  };
}

/** Throws the system's error. */
function keepRate(home: string, store: string, client: StoreClient, recalled: LearnedRate | undefined): void {
  const learned = client.learnedRate();
  // A rate that this client only recalled must not get a newer date.
  if (learned !== undefined && !client.isRateFound()) return;
  const freeRate = client.freeRate();
  const isStillRecalled = recalled?.isFree && client.isFree();
  if (learned !== undefined) keepLearnedRate(home, store, { rate: learned, isFree: false });
  else if (freeRate !== undefined) keepLearnedRate(home, store, { rate: freeRate, isFree: true });
  // The store now accepts far more than the recalled rate, or refuses what it took without a limit.
  else if (recalled !== undefined && !isStillRecalled) forgetLearnedRate(home, store);
}
