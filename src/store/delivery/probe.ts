import type { HttpResult } from '../http/types.ts';
import { parseJson } from '../response/body.ts';
import { foreignReason } from '../response/messages.ts';
import { troubleWords } from '../response/trouble.ts';

export interface ProbeOptions {
  readonly baseUrl: string;
  /** Sends one harmless read. */
  readonly read: () => Promise<HttpResult>;
  /** Resolves with a token, which only the store itself issues; throws RunStopped if there is none. */
  readonly askForToken: () => Promise<unknown>;
  /** Waits for as long as an outage may last; throws RunStopped after that. */
  readonly outlast: (reason: string, attempt: number, got: HttpResult) => Promise<void>;
  readonly usable: () => void;
}

/**
 * Resolves once the store itself answers a read, with true if that took a wait. Throws RunStopped if the store does not
 * answer for too long. Concurrent callers share one probe.
 *
 * An answer in JSON is the store's, whatever its content. A page with 200 or a redirect comes from a network that wants
 * a login, or from a store in maintenance. A refusal without JSON may come from either, since not every store has the
 * list that is read. Then the one request decides that this store is known to answer.
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

/** Overload is not one, since it passes. */
function isRefusal({ status = 0 }: HttpResult): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function isOfApi({ status = 0, body, error }: HttpResult): boolean {
  const isRedirect = status >= 300 && status < 400;
  return !isRedirect && error === undefined && parseJson(body) !== undefined;
}
