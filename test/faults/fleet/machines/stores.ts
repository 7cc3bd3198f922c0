import type { StoreFacts } from '../../oracle.ts';
import { startStore } from '../../store.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import type { Traffic } from './traffic.ts';

/** A sandbox in a process of its own, behind a proxy that can fail. */
export interface FleetStore {
  readonly name: string;
  /** Address that workers use: that of the proxy. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly proxy: FaultyProxy;
  facts(): Promise<StoreFacts>;
  misbehave(faults: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts sandboxes `s1`, `s2` and so on. `options`: arguments of each besides, such as `--seed 300`. */
export async function startStores(
  count: number,
  traffic: Traffic,
  faults: readonly string[],
  options: readonly string[] = [],
): Promise<FleetStore[]> {
  const names = Array.from({ length: count }, (_, n) => `s${n + 1}`);
  return await Promise.all(names.map((name) => startFleetStore(name, traffic, faults, options)));
}

async function startFleetStore(
  name: string,
  traffic: Traffic,
  faults: readonly string[],
  options: readonly string[],
): Promise<FleetStore> {
  const { environment, facts, misbehave, stop } = await startStore(faults, options);
  const url = environment.STOREPORT_BASE_URL ?? '';
  const proxy = await startProxy({ to: Number(new URL(url).port), ...traffic.observe(name) });
  return {
    name,
    baseUrl: `http://127.0.0.1:${proxy.port}`,
    clientId: environment.STOREPORT_CLIENT_ID ?? '',
    clientSecret: environment.STOREPORT_CLIENT_SECRET ?? '',
    proxy,
    facts,
    misbehave,
    async stop() {
      await proxy.stop();
      stop();
    },
  };
}
