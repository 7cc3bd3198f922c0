import { parseJson } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { troubleWords } from './trouble.ts';
import { foreignReason } from './words.ts';

export interface ProbeOptions {
  readonly baseUrl: string;
  /** One harmless read. */
  readonly read: () => Promise<Exchange>;
  /** Comes back with a token, which nobody but the store gives; throws RunStopped when there is none. */
  readonly askForToken: () => Promise<unknown>;
  /** Waits for as long as an outage may last; throws RunStopped after that. */
  readonly outlast: (reason: string, attempt: number, got: Exchange) => Promise<void>;
  readonly usable: () => void;
}

/**
 * Returns once the store itself answers a read; throws RunStopped when it does not for too long. Its answers are JSON,
 * whatever it says in it. A page with 200 or a redirect is that of a network that wants a login, or of a store in
 * maintenance. A refusal without JSON may be either's, since not every store has the list that is asked for: then the
 * one request decides that this store is known to answer.
 */
export function createProbe(options: ProbeOptions): () => Promise<void> {
  const { baseUrl, read, askForToken, outlast, usable } = options;
  return async () => {
    for (let attempt = 1; ; attempt++) {
      const got = await read();
      const reason = isRefusal(got) ? undefined : reasonToWait(got, baseUrl);
      if (reason === undefined) {
        if (!isOfApi(got)) await askForToken();
        return usable();
      }
      await outlast(reason, attempt, got);
    }
  };
}

function reasonToWait(got: Exchange, baseUrl: string): string | undefined {
  const { status } = got;
  if (status === undefined) return troubleWords(got);
  if (status >= 400) return `answers with status ${status}`;
  return isOfApi(got) ? undefined : foreignReason(got, baseUrl);
}

/** Overload is none: it is passing. */
function isRefusal({ status = 0 }: Exchange): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function isOfApi({ status = 0, body, error }: Exchange): boolean {
  const isRedirect = status >= 300 && status < 400;
  return !isRedirect && error === undefined && parseJson(body) !== undefined;
}
