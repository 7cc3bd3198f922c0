import type { Json } from '../../model/index.ts';
import type { HttpResult } from '../http/types.ts';
import { looksLikeHtml } from './body.ts';

/** Statuses of intermediaries that block a request. */
const PAGE_STATUSES: ReadonlySet<number> = new Set([403, 404, 405]);

/**
 * True if an answer more likely comes from an intermediary, such as a network that wants a login, than from the API: a
 * redirect, or a page in place of JSON. Single ones come from stores too.
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
  /**
   * undefined if a request may be sent at once. Otherwise resolves once the store itself answers; may throw RunStopped.
   */
  pass(): Promise<void> | undefined;
}

export interface ForeignOptions {
  /** Foreign answers in a row after which the store is probed before the next record is sent. */
  readonly limit: number;
  /** Foreign answers before any of the API after which there is no API, and waiting for it is useless. */
  readonly limitAtStart: number;
  readonly notTheApi: (exchange: HttpResult) => void;
  /** Resolves once the store itself answers; throws RunStopped if it does not. */
  readonly recheck: () => Promise<unknown>;
}

/**
 * Keeps an intermediary from refusing record after record in the store's name. A run that begins behind one ends after
 * a few records. A run that gets behind one later, as when the network wants a new login at night, waits.
 */
export function createForeignWatch({
  limit,
  limitAtStart,
  notTheApi,
  recheck,
}: ForeignOptions): ForeignWatch {
  let inRow = 0;
  // An answer to a request from before the row does not end the row.
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
