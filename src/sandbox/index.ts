/**
 * The sandbox: a store, in memory or in a file, that serves the whole API and checks payloads strictly by its own OpenAPI
 * document. It shares no code with the client that is tested against it. LIMITS.md says what it does not imitate.
 *
 *     const sandbox = await startSandbox({ seed: 100 });
 *     // GET `${sandbox.url}/api/stores/authentication?clientId=…&clientSecret=…`
 *     await sandbox.close();
 */
import type { Json } from '../model/index.ts';
import { loadContract } from './contract.ts';
import { createControl } from './control.ts';
import { type RunningServer, startServer } from './http/server.ts';
import { createService } from './http/service.ts';
import { createJournal, type JournalEntry } from './journal.ts';
import { createList } from './lists/lists.ts';
import { type GivenFaults, readFaults } from './misbehave/faults.ts';
import { createMisbehaviour, type Misbehaviour } from './misbehave/misbehaviour.ts';
import type { Store } from './router/call.ts';
import { createRouter } from './router/router.ts';
import { routesOf } from './router/routes.ts';
import { createSeededList, forEachSeeded, type SeededListName } from './seed/index.ts';
import { createCollection, type Shelf } from './storage/collections.ts';
import { openDataFile } from './storage/data-file.ts';
import { CREATED, type CreatedCollection } from './storage/ids.ts';
import { memoryLog, type RecordLog } from './storage/log.ts';
import { createPlaces } from './storage/places.ts';
import { createTimers } from './time.ts';
import { createTokens } from './tokens.ts';

export type { Json } from '../model/index.ts';
export type { JournalEntry } from './journal.ts';
export { FAULTS, type Fault, FaultError, type GivenFaults } from './misbehave/faults.ts';
export type { StoreChange } from './reply.ts';
export type { SeededListName } from './seed/index.ts';
export { DataFileError } from './storage/data-file-error.ts';
export type { CreatedCollection } from './storage/ids.ts';

/** Names of the collections in a sandbox: those of created records, and the seeded lists. */
export type SandboxCollection = CreatedCollection | SeededListName;

/** Number of items in each read-only list. Default 0. */
export interface SeedOptions extends Readonly<Partial<Record<SeededListName, number>>> {
  /** Seed of the random numbers: the same number makes the same items. Default 1. */
  readonly randomSeed?: number;
}

export interface SandboxOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default `DEMO_CREDENTIALS.clientId`. */
  readonly clientId?: string;
  /** Default `DEMO_CREDENTIALS.clientSecret`. */
  readonly clientSecret?: string;
  /** Default `DEMO_CREDENTIALS.storeId`. */
  readonly storeId?: string;
  /** File that keeps created records over restarts. If undefined, they are in memory, and end with the process. */
  readonly data?: string | undefined;
  /** Lifetime of an access token. Default 3600. Refresh tokens do not expire. */
  readonly tokenLifeSeconds?: number;
  /** Numbers of items; a single number counts for each read-only list. Default 0. */
  readonly seed?: number | SeedOptions;
  /** Returns milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Records requests. Default true. */
  readonly journal?: boolean;
  /** NDJSON file to which each request is appended at the end of its exchange. */
  readonly journalFile?: string | undefined;
  /** Faults from the start on; see `misbehave/faults.ts` or docs/sandbox.md. */
  readonly faults?: GivenFaults;
  /** Serves `/sandbox/…`, see `control.ts`. Default false. */
  readonly control?: boolean;
}

export interface Sandbox {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly storeId: string;
  /** Warning about the data file. Undefined: it was in order. */
  readonly notice?: string;
  count(collection: SandboxCollection): number;
  /** Copies of the records, in order of creation. */
  records(collection: SandboxCollection): Json[];
  /** The first 100,000 requests, in order of arrival. */
  readonly journal: readonly JournalEntry[];
  /**
   * Replaces the faults; `{}` ends all of them. All counts begin again. Throws FaultError without having changed
   * anything.
   */
  misbehave(faults: GivenFaults): void;
  /** Revokes all access tokens that were issued until now. */
  revokeTokens(): void;
  /** Ends idle connections at once, and others after their answer, or after half a second. */
  close(): Promise<void>;
}

/** Public credentials, useless outside a sandbox. */
export const DEMO_CREDENTIALS = {
  clientId: '5a9d0bff0000000000000001-sandbox',
  clientSecret: 'sandbox-secret',
  storeId: '5a9d0bff0000000000000002',
} as const;

/**
 * Starts a store; any number may run in one process. Rejects with FaultError if faults are unknown or malformed, with
 * DataFileError if the data file cannot be used, and with the error of the system if the port is in use.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const startedAt = performance.now();
  const monotonic = () => performance.now() - startedAt;
  const wallNow = options.now ?? Date.now;
  const timers = createTimers();
  const outages = createTimers();
  let given: GivenFaults = options.faults ?? {};
  let habits = createMisbehaviour(readFaults(given), { now: monotonic, wallNow });
  // The journal is opened first, because it may fail: the data file would have to be closed again.
  const journal =
    (options.journal ?? true) ? createJournal({ file: options.journalFile, now: monotonic }) : undefined;
  const records = openRecords(options.data);
  const store = createStore(options, records.collections, () => habits);

  const shelves: Record<SandboxCollection, Shelf> = {
    ...store.collections,
    ...forEachSeeded((name) => store.lists[name].shelf),
  };

  function misbehave(faults: GivenFaults): void {
    // By a timer, so that the port closes after this request is in flight, and drops it like all others.
    const onOutageAtRequest = () => scheduleOutage(0);
    habits = createMisbehaviour(readFaults(faults), { now: monotonic, wallNow, onOutageAtRequest });
    given = faults;
    isFaulty = Object.keys(faults).length > 0;
    outages.clear();
    server.goOnline();
    const { outage } = habits.faults;
    if (outage && 'afterMs' in outage.begins) scheduleOutage(outage.begins.afterMs);
  }

  /** Closes the port during an outage that refuses connections. */
  function scheduleOutage(afterMs: number): void {
    const { outage } = habits.faults;
    if (outage?.how !== 'refuse') return;
    outages.after(afterMs, server.goOffline);
    outages.after(afterMs + outage.lastsMs, server.goOnline);
  }

  async function close(): Promise<void> {
    outages.clear();
    await server.close();
    timers.clear();
    journal?.close();
    records.close();
  }

  let isFaulty = false;
  let closing: Promise<void> | undefined;

  const control = options.control
    ? createControl({ misbehave, given: () => given, journal, shelves, tokens: store.tokens })
    : undefined;
  const server: RunningServer = await startServer({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    service: createService({
      router: createRouter(routesOf(store), store),
      journal,
      misbehaviour: () => (isFaulty ? habits : undefined),
      control,
      later: timers.after,
      isClosing: () => closing !== undefined,
    }),
  }).catch((error: Error) => {
    journal?.close();
    records.close();
    throw error;
  });
  misbehave(given);

  return {
    url: server.url,
    clientId: store.clientId,
    clientSecret: store.clientSecret,
    storeId: store.storeId,
    ...(records.notice === undefined ? {} : { notice: records.notice }),
    count: (collection) => shelves[collection].count(),
    records(collection) {
      const shelf = shelves[collection];
      return Array.from(
        { length: shelf.count() },
        (_, position) => JSON.parse(shelf.textAt(position)) as Json,
      );
    },
    journal: journal?.entries ?? [],
    misbehave,
    revokeTokens: () => store.tokens.revokeAccess(),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function createStore(
  options: SandboxOptions,
  collections: Store['collections'],
  habits: () => Misbehaviour,
): Store {
  const { seed = 0, now = Date.now, tokenLifeSeconds = 3600 } = options;
  const {
    clientId = DEMO_CREDENTIALS.clientId,
    clientSecret = DEMO_CREDENTIALS.clientSecret,
    storeId = DEMO_CREDENTIALS.storeId,
  } = options;
  const amounts: SeedOptions = typeof seed === 'number' ? forEachSeeded(() => seed) : seed;
  const { randomSeed = 1 } = amounts;
  return {
    clientId,
    clientSecret,
    storeId,
    now,
    contract: loadContract(),
    tokens: createTokens({ storeId, tokenLifeSeconds, now, faults: () => habits().faults }),
    collections,
    habits,
    lists: {
      products: createList({ name: 'products', shelf: collections.products, defaultLimit: 10 }),
      ...forEachSeeded((name) =>
        createSeededList(name, { storeId, seed: randomSeed, count: amounts[name] ?? 0 }),
      ),
    },
  };
}

/** Opens the collections of created records, from the data file if there is one. Throws DataFileError. */
function openRecords(file: string | undefined) {
  const places = forEachCreated(createPlaces);
  const dataFile = file === undefined ? undefined : openDataFile(file, places);
  const log: RecordLog = dataFile ?? memoryLog();
  return {
    collections: forEachCreated((kind) => createCollection(kind, log, places[kind])),
    notice: dataFile?.notice,
    close: () => log.close(),
  };
}

function forEachCreated<T>(make: (kind: CreatedCollection) => T): Record<CreatedCollection, T> {
  return Object.fromEntries(CREATED.map((kind) => [kind, make(kind)])) as Record<CreatedCollection, T>;
}
