/** The HTTP client for the store's API: everything that is sent to a store goes through here. */
export { isPlainHttpElsewhere, normaliseBaseUrl } from './base-url.ts';
export {
  createStoreClient,
  type StoreClient,
  type StoreClientOptions,
  type StoreLog,
} from './client.ts';
export { type ListOptions, soundPages } from './list.ts';
export { createMask, type Mask } from './mask.ts';
export type { WaitInfo } from './outage.ts';
export type { Page, PagesOptions, Paginate } from './pages.ts';
export { type ProxyServer, proxyFor } from './proxy.ts';
export type { InDoubtPolicy } from './rules.ts';
export type { SoundPage } from './seams.ts';
export { storeIdOf } from './token-life.ts';
