/** The HTTP client for the store's API: everything that is sent to a store goes through here. */

export { storeIdOf } from './auth/token-life.ts';
export { isPlainHttpElsewhere, normaliseBaseUrl } from './base-url.ts';
export { createStoreClient, type StoreClientOptions, type StoreLog } from './client.ts';
export type { StoreClient } from './client-types.ts';
export type { WaitInfo } from './delivery/outage.ts';
export { createSleeper } from './delivery/sleeper.ts';
export type { Waiting } from './delivery/traffic.ts';
export {
  type AddressGuard,
  ANY_ADDRESS,
  PRIVATE_ADDRESS,
  publicAddresses,
} from './http/address-guard.ts';
export { retryDelay } from './http/backoff.ts';
export { CLOSED, type ConnectionOptions, type Connections, openConnections } from './http/connections.ts';
export { type ProxyServer, proxyFor } from './http/proxy.ts';
export { createTransport } from './http/transport.ts';
export type { AnswerHeaders, HttpRequest } from './http/types.ts';
export { Pool, ProxyAgent } from './http/undici.ts';
export { createMask, type Mask } from './mask/mask.ts';
export type { SoundPage } from './pagination/gap-detection.ts';
export { soundPages } from './pagination/index.ts';
export type { ListOptions, Page, Paginate } from './pagination/page.ts';
export { type LearnedRate, rateFile, readLearnedRate, recalledRate } from './rate/learned-rate.ts';
export type { SharedLimit } from './rate/shared-limit.ts';
export { createRememberedClient, type RememberedClientOptions } from './remembered-client.ts';
export type { InDoubtPolicy } from './response/rules.ts';
