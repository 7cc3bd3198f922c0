import { randomFrom } from '../products.ts';
import type { Cut } from './machines/proxy.ts';

/** One fault. `ms`: how long it lasts; `worker`: number of the worker, from 0; `stores`: share of all stores. */
export type FleetFault =
  | {
      readonly kind: 'kill-worker' | 'pause-worker' | 'pause-before-send';
      readonly worker: number;
      readonly ms: number;
    }
  | { readonly kind: 'cut-database'; readonly worker: number; readonly how: Cut; readonly ms: number }
  | { readonly kind: 'cut-stores'; readonly stores: number; readonly how: Cut; readonly ms: number }
  | { readonly kind: 'kill-database'; readonly ms: number }
  | { readonly kind: 'kill-backend' }
  | { readonly kind: 'freeze-database'; readonly which: 'all' | 'backends'; readonly ms: number };

export type FaultKind = FleetFault['kind'];

/** Chances of the kinds. Faults of the database are rarer, since they stop all workers at once. */
const WEIGHTS: readonly (readonly [FaultKind, number])[] = [
  ['kill-worker', 22],
  ['pause-worker', 20],
  ['pause-before-send', 18],
  ['cut-database', 14],
  ['cut-stores', 12],
  ['kill-database', 5],
  ['kill-backend', 4],
  ['freeze-database', 5],
];

const CUTS: readonly Cut[] = ['reset', 'refuse', 'stall', 'mute', 'silence'];

/** Faults of a seed, in order. Half of those that last are longer than the lease. */
export function planFaults(
  seed: number,
  { count, workers, ttlMs }: { readonly count: number; readonly workers: number; readonly ttlMs: number },
): FleetFault[] {
  const random = randomFrom(seed);
  const among = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const duration = () => Math.round(ttlMs * (random() < 0.5 ? 0.2 + random() * 0.8 : 1 + random()));
  const worker = () => Math.floor(random() * workers);
  const faultOf = (kind: FaultKind): FleetFault => {
    switch (kind) {
      case 'kill-worker':
        // The next worker starts after this time, at once or late.
        return { kind, worker: worker(), ms: random() < 0.5 ? 0 : duration() };
      case 'pause-worker':
      case 'pause-before-send':
        return { kind, worker: worker(), ms: duration() };
      case 'cut-database':
        return { kind, worker: worker(), how: among(CUTS), ms: duration() };
      case 'cut-stores':
        return { kind, stores: random() < 0.5 ? 0.1 : 0.5, how: among(CUTS), ms: Math.round(duration() / 2) };
      case 'kill-database':
        return { kind, ms: random() < 0.5 ? 0 : duration() };
      case 'kill-backend':
        return { kind };
      case 'freeze-database':
        return { kind, which: among(['all', 'backends']), ms: duration() };
    }
  };
  return Array.from({ length: count }, () => faultOf(kindFrom(random())));
}

function kindFrom(chance: number): FaultKind {
  const sum = WEIGHTS.reduce((total, [, weight]) => total + weight, 0);
  let left = chance * sum;
  for (const [kind, weight] of WEIGHTS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'kill-worker';
}
