/** The server of `storeport fleet serve`: an HTTP API over the operations of a fleet, metrics, and its page. */

export type { FleetTokens } from './gate.ts';
export { type FleetServerOptions, startFleetServer } from './server.ts';
