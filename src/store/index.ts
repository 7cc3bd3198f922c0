/** The HTTP client for the store's API: everything that is sent to a store goes through here. */
export { isPlainHttpElsewhere, normaliseBaseUrl } from './base-url.ts';
export {
  createStoreClient,
  type StoreClient,
  type StoreClientOptions,
  type StoreLog,
} from './client.ts';
export { soundPages } from './list.ts';
export { createMask, type Mask } from './mask.ts';
export type { WaitInfo } from './outage.ts';
export type { ListOptions, Page, Paginate } from './page.ts';
export { type ProxyServer, proxyFor } from './proxy.ts';
export { type LearnedRate, recalledRate } from './recalled-rate.ts';
export type { InDoubtPolicy } from './rules.ts';
export type { SoundPage } from './seams.ts';
export { storeIdOf } from './token-life.ts';
export type { Waiting } from './traffic.ts';
