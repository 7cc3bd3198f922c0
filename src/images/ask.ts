import type { AnswerHeaders } from '../store/index.ts';
import { withoutCredentials } from './address.ts';
import type { ImageAnswer, ImageFetcher, ImageRequest } from './exchange.ts';
import type { HostGate } from './host-gate.ts';
import { deadByError, type ImageFinding, isTimeout, judge, tooLarge } from './judge.ts';

/** Asks for one address. Never rejects for trouble on the network. */
export type AskImage = (href: string) => Promise<ImageFinding>;

export interface AskOptions {
  readonly fetcher: Pick<ImageFetcher, 'fetch'>;
  readonly gate: HostGate;
  /** Deadline of one attempt, with its redirects; waiting for the gate is not part of it. */
  readonly timeoutMs: number;
  readonly mostBytes: number;
  /** Computes the delay before the next attempt, in milliseconds. `attempt` counts from 1. */
  readonly retryDelay: (attempt: number, headers: AnswerHeaders) => number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Attempts that may be answered with trouble of the server. */
const MOST_ATTEMPTS = 3;
/** Requests that may hang, HEAD included. */
const MOST_TIMEOUTS = 2;
const MOST_REDIRECTS = 5;
/** The longest that a server's Retry-After is obeyed. */
const LONGEST_WAIT_MS = 60_000;

const TOO_MANY = 429;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

type Asked = ImageAnswer & { readonly origin: string; readonly redirects?: 'too-many' | 'nowhere' };

/**
 * Asks with HEAD, which finds out cheaply that there is no server or that the image is too large. All else is decided by a
 * GET for the first bytes: servers answer HEAD with errors of all kinds, and pages call themselves images.
 */
export function createAskImage({
  fetcher,
  gate,
  timeoutMs,
  mostBytes,
  retryDelay,
  now,
  sleep,
}: AskOptions): AskImage {
  /** Sends one request, and follows its redirects. */
  async function send(href: string, how: Pick<ImageRequest, 'method' | 'isPart'>): Promise<Asked> {
    let url = new URL(href);
    let leftMs = timeoutMs;
    const seen = new Set<string>();
    for (;;) {
      const { origin } = url;
      seen.add(url.href);
      await gate.enter(origin);
      const startedMs = now();
      const answer = await fetcher
        .fetch({ ...how, url, timeoutMs: Math.max(1, leftMs) })
        .finally(() => gate.leave(origin));
      leftMs -= now() - startedMs;
      const { status, headers } = answer;
      const isRedirected = seen.size > 1;
      if (status === undefined || !REDIRECTS.has(status)) return { ...answer, origin, isRedirected };
      const next = targetOf(headers.location, url);
      if (next === undefined) return { ...answer, origin, redirects: 'nowhere' };
      if (seen.has(next.href) || seen.size > MOST_REDIRECTS)
        return { ...answer, origin, redirects: 'too-many' };
      url = next;
    }
  }

  return async (href) => {
    const head = await send(href, { method: 'HEAD', isPart: false });
    const decided = deadByError(head) ?? (isImageType(head) ? tooLarge(head, mostBytes) : undefined);
    if (decided) return decided;
    if (head.status === TOO_MANY) await waitAfter(1, head);
    let hasAnswered = head.status !== undefined;
    let timeouts = isTimeout(head) ? 1 : 0;
    let isPart = true;
    for (let attempt = 1; ; attempt++) {
      const got = await send(href, { method: 'GET', isPart });
      hasAnswered ||= got.status !== undefined;
      if (got.redirects) return REDIRECTED[got.redirects];
      if (isTimeout(got)) timeouts++;
      if (timeouts >= MOST_TIMEOUTS && !hasAnswered) return { ...NO_ANSWER, found: noAnswer(timeoutMs) };
      const judgement = judge(got, mostBytes);
      if ('finding' in judgement) return judgement.finding;
      if (attempt >= MOST_ATTEMPTS || timeouts >= MOST_TIMEOUTS)
        return { verdict: 'unknown', found: judgement.found, isUnanswered: got.status === undefined };
      if (judgement.again === 'whole') isPart = false;
      else await waitAfter(attempt, got);
    }
  };

  /** Waits as long as the answer to an attempt asks for, or a little. */
  async function waitAfter(attempt: number, { origin, headers, status }: Asked): Promise<void> {
    const ms = Math.min(retryDelay(attempt, headers), LONGEST_WAIT_MS);
    // A server that wants fewer requests gets none for any other address either.
    if (status === TOO_MANY || headers['retry-after'] !== undefined) gate.pause(origin, ms);
    await sleep(ms);
  }
}

const NO_ANSWER = { verdict: 'dead', isUnanswered: true } as const;

function noAnswer(timeoutMs: number): string {
  return `its server gave no answer within ${Number((timeoutMs / 1000).toFixed(1))} seconds`;
}

const REDIRECTED: Readonly<Record<NonNullable<Asked['redirects']>, ImageFinding>> = {
  'too-many': {
    verdict: 'dead',
    found: `it is redirected in a circle, or more than ${MOST_REDIRECTS} times`,
  },
  nowhere: { verdict: 'dead', found: 'it is redirected to no web address' },
};

function isImageType({ status, headers }: ImageAnswer): boolean {
  return status === 200 && /^image\//i.test(String(headers['content-type'] ?? ''));
}

/** The target of a redirect. Credentials in it are not sent. */
function targetOf(location: string | string[] | undefined, from: URL): URL | undefined {
  if (typeof location !== 'string' || !URL.canParse(location, from.href)) return undefined;
  const to = withoutCredentials(new URL(location, from));
  return to.protocol === 'http:' || to.protocol === 'https:' ? to : undefined;
}
