import type { Json } from '../../model/index.ts';
import type { HttpResult } from '../http/types.ts';
import { looksLikeHtml } from './body.ts';

/** Statuses that something in between answers with when it lets nobody through. */
const PAGE_STATUSES: ReadonlySet<number> = new Set([403, 404, 405]);

/**
 * Whether an answer is more likely that of something in between, such as a network that wants a login, than the API's:
 * a redirect, or a page where there should be JSON. Single ones do come from stores too.
 */
export function isForeign({ status = 0, body = '' }: HttpResult): boolean {
  if ((status >= 300 && status < 400) || status === 511) return true;
  return (PAGE_STATUSES.has(status) || (status >= 200 && status < 300)) && looksLikeHtml(body);
}

export interface ForeignWatch {
  /** Called as a request begins; `saw` takes the result. */
  begun(): number;
  /** Called with every answer but those to requests for tokens, with its JSON. */
  saw(exchange: HttpResult, answer: Json | undefined, begun: number): void;
  /** Undefined when a request may go at once. Otherwise it waits until the store itself answers; throws RunStopped. */
  pass(): Promise<void> | undefined;
}

export interface ForeignOptions {
  /** After so many foreign answers in a row the store is looked for, before the next record meets one. */
  readonly limit: number;
  /** So many before any of the API, and there is none: then there is no use in waiting for it. */
  readonly limitAtStart: number;
  readonly notTheApi: (exchange: HttpResult) => void;
  /** Comes back once the store itself answers; throws RunStopped when it does not. */
  readonly recheck: () => Promise<unknown>;
}

/**
 * Keeps something in between from refusing record after record in the store's name. A run that begins there ends after
 * a few records; one that comes to be there, as when the network wants a new login at night, waits.
 */
export function createForeignWatch({
  limit,
  limitAtStart,
  notTheApi,
  recheck,
}: ForeignOptions): ForeignWatch {
  let inRow = 0;
  // An answer to a request from before the row does not show that the row is over.
  let rows = 0;
  let everNative = false;
  let checking: Promise<void> | undefined;

  async function check(): Promise<void> {
    try {
      await recheck();
      inRow = 0;
    } finally {
      checking = undefined;
    }
  }

  return {
    begun: () => rows,
    saw(exchange, answer, begun) {
      if (answer !== undefined) {
        if (begun === rows) inRow = 0;
        everNative = true;
      } else if (isForeign(exchange)) {
        if (inRow++ === 0) rows++;
        if (!everNative && inRow >= limitAtStart) notTheApi(exchange);
      }
    },
    pass() {
      if (inRow < limit || !everNative) return undefined;
      checking ??= check();
      return checking;
    },
  };
}
