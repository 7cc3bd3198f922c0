/** The server of `storeport ui`: an HTTP API over the commands, and the page that uses it. */

export type { StoreView } from './api/index.ts';
export type {
  CommandEnd,
  CommandPause,
  CommandPort,
  CommandQuestion,
  CommandWatch,
  LiveClient,
  LiveProgress,
} from './command-port.ts';
export { startUi, type UiOptions, type UiServer } from './server.ts';
