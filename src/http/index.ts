/** A server of one of the pages of storeport: its API, its files, and headers that keep other pages out. */

export { API_BASE } from './api.ts';
export { cookiesIn, type Gate, type GateAnswer, isSame, type Refusal } from './gate.ts';
export { readJsonBody } from './read-body.ts';
export {
  type ApiRequest,
  type ApiRoute,
  bodyOf,
  Forbidden,
  NotFound,
  numberIn,
  type RawAnswer,
  refuseStale,
  Stale,
  Unavailable,
} from './route.ts';
export { type HttpServer, serve } from './serve.ts';
