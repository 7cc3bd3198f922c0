import { type AnswerCounts, ConfigError, type Delivery, type JsonObject } from '../model/index.ts';
import { requestFor } from '../send/index.ts';
import type { ImportableResource, PayloadOf } from './schemas.ts';
import { openStore, resourceIn, type StoreOptions } from './store-options.ts';

/** Sends single requests to a store: rate-limited, with its token refreshed, and by the rules of delivery. */
export interface RecordClient {
  /** Address of the store, normalised. */
  readonly baseUrl: string;
  /** Obtains a token, or renews it. `expiresAt`: milliseconds since 1970. Throws RunStopped. */
  authenticate(): Promise<{ readonly expiresAt?: number; readonly storeId?: string }>;
  /**
   * Creates a record. Resolves for every answer of the store: `rejected` with its words, `in-doubt` if the answer was lost,
   * and then it is not sent again. Nothing is validated or kept in a ledger. Throws RunStopped if nothing was sent.
   */
  create<Name extends ImportableResource>(resource: Name, payload: PayloadOf<Name>): Promise<Delivery>;
  /** Updates a record by its `_id`. Throws ConfigError if the API cannot. */
  update<Name extends ImportableResource>(
    resource: Name,
    id: string,
    fields: Partial<PayloadOf<Name>>,
  ): Promise<Delivery>;
  /** Ends of requests so far. */
  answers(): AnswerCounts;
  /** Ends waiting requests. Those in flight may be answered for up to `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

export interface RecordClientOptions extends StoreOptions {
  /** Ends waiting requests with RunStopped. Those in flight may be answered until their deadline. */
  readonly signal?: AbortSignal | undefined;
}

/** Creates a client for a store, and sends nothing yet. Throws ConfigError if an option is wrong. */
export function openRecordClient({ signal, ...options }: RecordClientOptions): RecordClient {
  const { baseUrl, client, timeoutMs } = openStore(options);
  const onAbort = () => void client.close(timeoutMs);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const describe = (name: string) => resourceIn(name, { api: options.api, purpose: 'create' });
  return {
    baseUrl,
    authenticate: client.authenticate,
    async create(name, payload) {
      return client.deliver(
        requestFor(describe(name), { kind: 'create', payload: payload as JsonObject }, ''),
      );
    },
    async update(name, id, fields) {
      const resource = describe(name);
      if (resource.update === undefined || id.trim() === '')
        throw new ConfigError(
          resource.update === undefined ? `The API cannot update ${name}.` : 'An update needs an identifier.',
        );
      return client.deliver(requestFor(resource, { kind: 'update', id, payload: fields as JsonObject }, ''));
    },
    answers: client.answers,
    async close(graceMs) {
      signal?.removeEventListener('abort', onAbort);
      await client.close(graceMs);
    },
  };
}
