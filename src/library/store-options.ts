import { ConfigError, milliseconds, packageVersion } from '../model/index.ts';
import { SEND_OPTIONS, STORE_OPTIONS } from '../options/index.ts';
import {
  type ApiOverrides,
  overridden,
  RESOURCES,
  type Resource,
  resourceNamed,
} from '../resources/index.ts';
import {
  createMask,
  createRememberedClient,
  type InDoubtPolicy,
  normaliseBaseUrl,
  proxyFor,
  type StoreClient,
  type StoreLog,
  type WaitInfo,
} from '../store/index.ts';

/** A store, and how requests are sent to it. */
export interface StoreOptions {
  /** Its address, such as `https://api.example.com`. A `/` or `/api` at the end is left out. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Masked in all messages, results and reports. */
  readonly clientSecret: string;
  /** The store's id, for records that need it. Default: read from the token. */
  readonly storeId?: string | undefined;
  /** Ceiling in requests a second. Default: none but the store's own limit, which is found. */
  readonly rate?: number | undefined;
  /** Most requests in flight. Default 16. */
  readonly concurrency?: number | undefined;
  /** Deadline of one request, milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The longest outage in the middle of a run, milliseconds. Default 15 minutes. */
  readonly giveUpAfterMs?: number | undefined;
  /** A create whose answer was lost: `hold` (default) leaves it in doubt, `resend` risks a double. */
  readonly inDoubt?: InDoubtPolicy | undefined;
  /** Address of an HTTP proxy. The environment is not read. */
  readonly proxy?: string | undefined;
  /** Default: `storeport/` and the version. */
  readonly userAgent?: string | undefined;
  /** Differences from the API document: the section `api` of storeport.config.yaml. */
  readonly api?: ApiOverrides | undefined;
  /** Receives messages about requests, waits and rates. Default: nobody. */
  readonly log?: StoreLog | undefined;
}

const SILENT_LOG: StoreLog = { debug() {}, info() {}, warn() {} };

const DEFAULTS = {
  concurrency: STORE_OPTIONS.concurrency.default,
  timeoutMs: milliseconds(STORE_OPTIONS.timeout.default),
  giveUpAfterMs: milliseconds(STORE_OPTIONS['give-up-after'].default),
} as const;

/** A store that is ready to be sent to. */
export interface OpenStore {
  readonly baseUrl: string;
  readonly client: StoreClient;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly giveUpAfterMs: number;
  readonly storeId: string | undefined;
}

export interface OpenStoreOptions {
  /** Folder that has the rates of earlier runs; undefined if nothing is to be remembered. */
  readonly home?: string | undefined;
  readonly onWait?: ((wait: WaitInfo | undefined) => void) | undefined;
}

/** Makes the client for a store, and sends nothing yet. Throws ConfigError if an option is wrong. */
export function openStore(options: StoreOptions, { home, onWait }: OpenStoreOptions = {}): OpenStore {
  const baseUrl = normaliseBaseUrl(text(options, 'baseUrl'));
  const numbers = {
    concurrency: whole(options, 'concurrency', DEFAULTS.concurrency),
    timeoutMs: whole(options, 'timeoutMs', DEFAULTS.timeoutMs),
    giveUpAfterMs: whole(options, 'giveUpAfterMs', DEFAULTS.giveUpAfterMs),
  };
  const { rate, proxy, storeId, inDoubt = SEND_OPTIONS['in-doubt'].default, log = SILENT_LOG } = options;
  if (rate !== undefined && !(Number.isFinite(rate) && rate > 0))
    throw new ConfigError(`store.rate must be a number above 0, found ${rate}.`);
  if (inDoubt !== 'hold' && inDoubt !== 'resend')
    throw new ConfigError(`store.inDoubt must be "hold" or "resend", found ${JSON.stringify(inDoubt)}.`);
  const client = createRememberedClient(home, {
    ...numbers,
    baseUrl,
    clientId: text(options, 'clientId'),
    clientSecret: text(options, 'clientSecret'),
    rate,
    inDoubt,
    userAgent: options.userAgent ?? `storeport/${packageVersion()}`,
    proxy: proxy === undefined ? undefined : proxyFor(baseUrl, { http_proxy: proxy, https_proxy: proxy }),
    log,
    mask: createMask([]),
    onWait,
  });
  return { ...numbers, baseUrl, client, storeId };
}

/** The description of a resource in this store. Throws ConfigError if there is none for that purpose. */
export function resourceIn(
  name: string,
  { api, purpose }: { readonly api?: ApiOverrides | undefined; readonly purpose: 'create' | 'list' },
): Resource {
  const resources = RESOURCES.map((resource) => overridden(resource, api?.[resource.name]));
  return resourceNamed(
    name,
    resources.filter((resource) => resource[purpose] !== undefined),
  );
}

/** Does not repeat what it found, since a secret may be in the wrong place. */
function text(options: StoreOptions, name: 'baseUrl' | 'clientId' | 'clientSecret'): string {
  const value: unknown = options?.[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new ConfigError(`store.${name} must be a text that is not empty.`);
}

function whole(options: StoreOptions, name: keyof typeof DEFAULTS, byDefault: number): number {
  const value: unknown = options[name] ?? byDefault;
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  throw new ConfigError(`store.${name} must be a whole number from 1 on, found ${JSON.stringify(value)}.`);
}
