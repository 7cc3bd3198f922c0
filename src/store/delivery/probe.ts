import type { HttpResult } from '../http/types.ts';
import { parseJson } from '../response/body.ts';
import { foreignReason } from '../response/messages.ts';
import { troubleWords } from '../response/trouble.ts';

export interface ProbeOptions {
  readonly baseUrl: string;
  /** One harmless read. */
  readonly read: () => Promise<HttpResult>;
  /** Comes back with a token, which nobody but the store gives; throws RunStopped when there is none. */
  readonly askForToken: () => Promise<unknown>;
  /** Waits for as long as an outage may last; throws RunStopped after that. */
  readonly outlast: (reason: string, attempt: number, got: HttpResult) => Promise<void>;
  readonly usable: () => void;
}

/**
 * Returns once the store itself answers a read, and whether it had to be waited for; throws RunStopped when it does not
 * for too long. Who asks meanwhile waits for the same answer. The store's answers are JSON,
 * whatever it says in it. A page with 200 or a redirect is that of a network that wants a login, or of a store in
 * maintenance. A refusal without JSON may be either's, since not every store has the list that is asked for: then the
 * one request decides that this store is known to answer.
 */
export function createProbe(options: ProbeOptions): () => Promise<boolean> {
  const { baseUrl, read, askForToken, outlast, usable } = options;
  let underWay: Promise<boolean> | undefined;

  async function probe(): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const got = await read();
      const reason = isRefusal(got) ? undefined : reasonToWait(got, baseUrl);
      if (reason === undefined) {
        if (!isOfApi(got)) await askForToken();
        usable();
        return attempt > 1;
      }
      await outlast(reason, attempt, got);
    }
  }

  return () => {
    underWay ??= probe().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

function reasonToWait(got: HttpResult, baseUrl: string): string | undefined {
  const { status } = got;
  if (status === undefined) return troubleWords(got);
  if (status >= 400) return `answers with status ${status}`;
  return isOfApi(got) ? undefined : foreignReason(got, baseUrl);
}

/** Overload is none: it is passing. */
function isRefusal({ status = 0 }: HttpResult): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function isOfApi({ status = 0, body, error }: HttpResult): boolean {
  const isRedirect = status >= 300 && status < 400;
  return !isRedirect && error === undefined && parseJson(body) !== undefined;
}
