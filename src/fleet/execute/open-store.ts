import { join } from 'node:path';
import { milliseconds, packageVersion } from '../../model/index.ts';
import type { StoreTarget } from '../../pipeline/index.ts';
import {
  createRememberedClient,
  type Mask,
  proxyFor,
  type SharedLimit,
  type StoreClient,
  type StoreLog,
} from '../../store/index.ts';
import { resolveSecret, type SecretReader } from '../stores/secret.ts';
import { requestTimeoutMs } from '../stores/settings.ts';
import type { StoreToServe } from '../worker/options.ts';

/** As the plain command line has them. */
const DEFAULTS = { concurrency: 16, giveUpAfter: '15m' } as const;

export interface StoreAccess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of this worker: the rates that stores admitted are kept in it. */
  readonly scratch: string;
  readonly secretReader: SecretReader;
  readonly mask: Mask;
  readonly log: StoreLog;
  /** The limit that the store shares with others. */
  readonly sharedLimit?: SharedLimit | undefined;
}

/** A store of the fleet that is ready to be sent to. */
export interface OpenedStore extends StoreTarget {
  readonly client: StoreClient;
  readonly timeoutMs: number;
}

/** Makes the client for a store, and sends nothing yet. Throws ConfigError if its secret is not on this machine. */
export function openFleetStore({ baseUrl, settings }: StoreToServe, access: StoreAccess): OpenedStore {
  const { environment, scratch, secretReader, mask, log, sharedLimit } = access;
  const { clientId, storeId, rate, inDoubt = 'hold' } = settings;
  const { concurrency = DEFAULTS.concurrency, giveUpAfter = DEFAULTS.giveUpAfter } = settings;
  const clientSecret = resolveSecret(settings.secret, environment, secretReader);
  mask.add(clientSecret);
  const proxy = proxyFor(baseUrl, environment);
  for (const secret of proxy?.secrets ?? []) mask.add(secret);
  const timeoutMs = requestTimeoutMs(settings);
  const client = createRememberedClient(join(scratch, 'rates'), {
    ...{
      baseUrl,
      clientId,
      clientSecret,
      rate,
      concurrency,
      timeoutMs,
      inDoubt,
      proxy,
      sharedLimit,
      log,
      mask,
    },
    giveUpAfterMs: milliseconds(giveUpAfter),
    userAgent: `storeport/${packageVersion()}`,
    ownsProcess: true,
  });
  return { store: baseUrl, ephemeral: false, storeId, client, concurrency, timeoutMs };
}
