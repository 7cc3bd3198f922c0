/**
 * The sandbox: a store, in memory or in a file, that serves the whole API, checks payloads strictly by its own OpenAPI
 * document, and shares no code with the client that is tried out against it. LIMITS.md says what it does not imitate.
 *
 *     const sandbox = await startSandbox({ seed: 100 });
 *     // GET `${sandbox.url}/api/stores/authentication?clientId=…&clientSecret=…`
 *     await sandbox.close();
 */
import type { Json } from '../model/index.ts';
import { createCollection, type Shelf } from './collections.ts';
import { loadContract } from './contract.ts';
import { createControl } from './control.ts';
import { CREATED, type CreatedCollection } from './ids.ts';
import { createJournal, type JournalEntry } from './journal.ts';
import { createList } from './lists.ts';
import { type GivenFaults, readFaults } from './misbehave/faults.ts';
import { createMisbehaviour, type Misbehaviour } from './misbehave/misbehaviour.ts';
import type { Store } from './router/call.ts';
import { createRouter } from './router/router.ts';
import { routesOf } from './router/routes.ts';
import { createSeededList, forEachSeeded, type SeededListName } from './seed/index.ts';
import { type RunningServer, startServer } from './server.ts';
import { createService } from './service.ts';
import { openDataFile } from './storage/data-file.ts';
import { memoryLog, type RecordLog } from './storage/log.ts';
import { createPlaces } from './storage/places.ts';
import { createTimers } from './timers.ts';
import { createTokens } from './tokens.ts';

export type { JournalEntry } from './journal.ts';
export { FAULTS, type Fault, FaultError, type GivenFaults } from './misbehave/faults.ts';
export { DataFileError } from './storage/data-file-error.ts';

/** Names of the records in a sandbox: those created in it, and those it was seeded with. */
export type SandboxCollection = CreatedCollection | SeededListName;

/** Number of items in each read-only list. Default 0. */
export interface SeedOptions extends Readonly<Partial<Record<SeededListName, number>>> {
  /** Start of the random numbers: the same number makes the same items. Default 1. */
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
  /** File that keeps what is created, over restarts. Left out, it is kept in memory, and gone with the process. */
  readonly data?: string | undefined;
  /** Life of an access token. Default 3600. Refresh tokens do not expire. */
  readonly tokenLifeSeconds?: number;
  /** A number is the size of every read-only list. Default 0. */
  readonly seed?: number | SeedOptions;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Whether requests are recorded. Default true. */
  readonly journal?: boolean;
  /** NDJSON file that every request is appended to, when it is over. */
  readonly journalFile?: string | undefined;
  /** How it misbehaves from the start; see `misbehave/faults.ts`, or docs/sandbox.md. */
  readonly faults?: GivenFaults;
  /** Serves `/sandbox/…`, by which faults are changed and the journal is read while it runs. Default false. */
  readonly control?: boolean;
}

export interface Sandbox {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly storeId: string;
  /** What was found in the data file, where that is worth a word. */
  readonly notice?: string;
  count(collection: SandboxCollection): number;
  /** Copies of the records, in order of creation. */
  records(collection: SandboxCollection): Json[];
  /** The first 100,000 requests, in order of arrival. */
  readonly journal: readonly JournalEntry[];
  /**
   * Misbehaves so from now on, in place of what was before; `{}` behaves. All counts begin anew. Throws FaultError, and
   * then nothing has changed.
   */
  misbehave(faults: GivenFaults): void;
  /** Access tokens that were issued until now are not known any more. */
  revokeTokens(): void;
  /** Idle connections end at once; a request under way is answered first, within half a second. */
  close(): Promise<void>;
}

/** Known to everyone, and worth nothing outside a sandbox. */
export const DEMO_CREDENTIALS = {
  clientId: '5a9d0bff0000000000000001-sandbox',
  clientSecret: 'sandbox-secret',
  storeId: '5a9d0bff0000000000000002',
} as const;

/**
 * Starts a store of its own; any number may run in one process. Rejects with FaultError for faults that there are none
 * of, with DataFileError for a data file that cannot be used, and as the system does for a port that is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const startedAt = performance.now();
  const monotonic = () => performance.now() - startedAt;
  const wallNow = options.now ?? Date.now;
  const timers = createTimers();
  const outages = createTimers();
  let given: GivenFaults = options.faults ?? {};
  let habits = createMisbehaviour(readFaults(given), monotonic, wallNow);
  // First what is easily wrong: a data file that was opened must be closed again.
  const journal =
    (options.journal ?? true) ? createJournal({ file: options.journalFile, now: monotonic }) : undefined;
  const records = openRecords(options.data);
  const store = createStore(options, records.collections, () => habits);

  const shelves: Record<SandboxCollection, Shelf> = {
    ...store.collections,
    ...forEachSeeded((name) => store.lists[name].shelf),
  };

  function misbehave(faults: GivenFaults): void {
    // Not within the request that begins it: that one is dropped like all others that are under way.
    const outageBegins = () => away(0);
    habits = createMisbehaviour(readFaults(faults), monotonic, wallNow, outageBegins);
    given = faults;
    isFaulty = Object.keys(faults).length > 0;
    outages.clear();
    server.comeBack();
    const { outage } = habits.faults;
    if (outage && 'afterMs' in outage.begins) away(outage.begins.afterMs);
  }

  /** Closes the port for the time of an outage, if it is one that refuses. */
  function away(afterMs: number): void {
    const { outage } = habits.faults;
    if (outage?.how !== 'refuse') return;
    outages.after(afterMs, server.leave);
    outages.after(afterMs + outage.lastsMs, server.comeBack);
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

/** What can be created, from the data file or empty. Throws DataFileError. */
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
