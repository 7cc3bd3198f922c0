import { isObject, type Json, type JsonObject, RunStopped } from '../../model/index.ts';
import { answeredAt, retryDelay } from '../http/backoff.ts';
import type { HttpRequest, HttpResult } from '../http/types.ts';
import { looksLikeHtml, parseJson, readComplaint, saysFailed } from '../response/body.ts';
import { foreignHints, foreignReason, foreignWords, strangeAnswer } from '../response/messages.ts';
import { isForeign } from '../response/non-api-response.ts';
import { troubleHints, troubleWords } from '../response/trouble.ts';
import { tokenLifeMs } from './token-life.ts';

export interface Token {
  readonly value: string;
  /** When to renew it, on the monotonic clock; absent when its life is not known. */
  readonly renewAt?: number;
  /** When it ends, in epoch ms. */
  readonly endsAt?: number;
  /** Headers of every request that carries it, built once: names and values in turn. */
  readonly headers: string[];
  /** True if the store has ever accepted it. */
  proven: boolean;
}

export interface TokenSource {
  /** The current token if it is valid now. It is not a promise, since every request calls this. */
  ready(): Token | undefined;
  /** The current token, renewed if it is not valid. Throws RunStopped. */
  get(): Promise<Token>;
  /** Returns a token to replace one that got a 401. Throws RunStopped. */
  renew(refused: Token): Promise<Token>;
}

export interface TokenOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userAgent: string;
  readonly exchange: (call: HttpRequest) => Promise<HttpResult>;
  /** Called with every token as soon as it is known, to mask it. */
  readonly keepSecret: (token: string) => void;
  readonly mask: (text: string) => string;
  readonly now: () => number;
  readonly wallNow: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Waits during a run, for as long as an outage may last; throws RunStopped after that. */
  readonly outlast: (reason: string, delayMs: number) => Promise<void>;
  readonly usable: () => void;
}

const PATH = '/api/stores/authentication';

/** Longest answer with a token, which goes into headers of a few kilobytes. */
const MAX_TOKEN_ANSWER_BYTES = 256 * 1024;

/** A first contact that fails is a mistake in the settings more often than an outage, so it ends within seconds. */
const FIRST_TRIES = 4;
const FIRST_DELAY_MAX_MS = 2_000;

/** Failures in a row after which a refresh is given up and the credentials are sent again. */
const REFRESH_TRIES = 3;

/** A token is renewed this long before its end, or after 90 % of a short life: requests take time to arrive. */
const EARLY_MS = 60_000;
const EARLY_SHARE = 0.1;

/** Refused credentials. Anything else in the 400s means that this is not the token endpoint. */
const CREDENTIALS_REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 422]);

/**
 * Obtains, keeps and renews the access token. Concurrent callers share one fetch. It is one promise, dropped when it
 * settles: all that wait get the token or the same failure, and the next caller tries anew.
 */
export function createTokenSource(options: TokenOptions): TokenSource {
  const { exchange, now, wallNow, random } = options;
  // encodeURIComponent, so that `&`, `+`, `%`, `#` and `=` in a secret arrive as they are.
  const credentials = `clientId=${encodeURIComponent(options.clientId)}&clientSecret=${encodeURIComponent(options.clientSecret)}`;
  const baseHeaders = [
    'accept',
    'application/json',
    'content-type',
    'application/json',
    'user-agent',
    options.userAgent,
  ];

  let current: Token | undefined;
  // The token that got a 401. It is not used any more, also while its successor is being fetched.
  let refusedToken: Token | undefined;
  let refreshToken: string | undefined;
  let fetching: Promise<Token> | undefined;

  function ready(): Token | undefined {
    if (current === undefined || current === refusedToken) return undefined;
    return current.renewAt !== undefined && now() >= current.renewAt ? undefined : current;
  }

  async function get(): Promise<Token> {
    return ready() ?? fetchOnce();
  }

  async function renew(refused: Token): Promise<Token> {
    // The 401 of another request may have renewed it already.
    if (current === refused) refusedToken = refused;
    return get();
  }

  function fetchOnce(): Promise<Token> {
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  async function fetchToken(): Promise<Token> {
    current = (await refresh()) ?? (await obtain());
    return current;
  }

  /**
   * undefined if there is no refresh token, or the store no longer accepts it. In both cases the credentials are sent.
   */
  async function refresh(): Promise<Token | undefined> {
    if (refreshToken === undefined) return undefined;
    const call: HttpRequest = {
      method: 'POST',
      path: `${PATH}?${credentials}&refresh=true`,
      headers: baseHeaders,
      body: JSON.stringify({ refreshToken }),
    };
    const got = await persistently(call, REFRESH_TRIES);
    const answer = tokensIn(got);
    if (answer === undefined) refreshToken = undefined;
    return answer && accept(answer, got);
  }

  async function obtain(): Promise<Token> {
    const call: HttpRequest = { method: 'GET', path: `${PATH}?${credentials}`, headers: baseHeaders };
    // A whole answer of another shape comes from another server at first contact, and from a proxy during a run.
    const got = await persistently(call, Number.POSITIVE_INFINITY, (got) =>
      current !== undefined || got.error !== undefined ? unrecognisedReason(got) : undefined,
    );
    const answer = tokensIn(got);
    if (answer === undefined) throw refusal(got, options);
    return accept(answer, got);
  }

  /**
   * Sends until there is a usable answer, or `failures` bad ones in a row: 5xx, or not the API. A 429 or a lost
   * connection resets the count. The first contact gives up soon. A later one waits until an outage is over, or until a
   * network that wants a login has it. `reasonOf`: other reasons to send again.
   */
  async function persistently(
    call: HttpRequest,
    failures = Number.POSITIVE_INFINITY,
    reasonOf: (got: HttpResult) => string | undefined = () => undefined,
  ): Promise<HttpResult> {
    let failed = 0;
    for (let attempt = 1; ; attempt++) {
      const got = await exchange({ ...call, maxAnswerBytes: MAX_TOKEN_ANSWER_BYTES });
      const reason =
        retryReason(got) ??
        reasonOf(got) ??
        (current && isForeign(got) ? foreignReason(got, options.baseUrl) : undefined);
      if (reason === undefined) {
        options.usable();
        return got;
      }
      failed = isForeign(got) || (got.status ?? 0) >= 500 ? failed + 1 : 0;
      if (failed >= failures) return got;
      const delayMs = retryDelay(attempt, got.headers, { wallNow, random });
      // A store that says when to retry is reachable, also at the first contact; asking earlier would make it worse.
      const isTold = got.status === 429 && got.headers?.['retry-after'] !== undefined;
      if (current !== undefined || isTold) {
        await options.outlast(reason, delayMs);
      } else if (attempt < FIRST_TRIES) {
        await options.sleep(Math.min(delayMs, FIRST_DELAY_MAX_MS));
      } else {
        throw new RunStopped(
          'store-unreachable',
          options.mask(`No access token: the store ${reason}.`),
          troubleHints(got, options.baseUrl),
        );
      }
    }
  }

  function accept(answer: JsonObject, { headers }: HttpResult): Token {
    const value = String(answer.accessToken);
    options.keepSecret(value);
    if (typeof answer.refreshToken === 'string' && answer.refreshToken !== '') {
      refreshToken = answer.refreshToken;
    }
    // Masked again each time: it outlives the access tokens, and only the latest tokens are remembered.
    if (refreshToken !== undefined) options.keepSecret(refreshToken);
    const lifeMs = tokenLifeMs(value, answer.expireTime, answeredAt(headers, wallNow()));
    return {
      value,
      headers: ['x-auth-token', value, ...baseHeaders],
      proven: false,
      ...(lifeMs !== undefined && {
        renewAt: now() + lifeMs - Math.min(EARLY_MS, lifeMs * EARLY_SHARE),
        endsAt: wallNow() + lifeMs,
      }),
    };
  }

  return { ready, get, renew };
}

/** The reason to send again, as the end of "the store …"; undefined for an answer that will not change. */
function retryReason(got: HttpResult): string | undefined {
  const { status } = got;
  if (status === undefined)
    return got.error?.code.startsWith('UND_ERR_INVALID_ARG') ? undefined : troubleWords(got);
  if (status === 429) return 'asks for fewer requests for tokens (429)';
  if (status === 408 || status >= 500) return `answers with status ${status}`;
  return undefined;
}

/**
 * The reason to send again after an answer without a token that says nothing about the credentials either. A refusal is
 * none.
 */
function unrecognisedReason(got: HttpResult): string | undefined {
  const { status = 0, body } = got;
  if (status < 200 || status > 299 || tokensIn(got) !== undefined || saysFailed(parseJson(body)))
    return undefined;
  return `answers a request for a token with ${strangeAnswer(got)}`;
}

/** Visible ASCII, the characters allowed in a header. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

function tokensIn({ status, body, error }: HttpResult): JsonObject | undefined {
  if (status === undefined || !isGood(status) || error !== undefined) return undefined;
  const answer = parseJson(body);
  return [answer, inside(answer, 'data'), inside(answer, 'result')].find(hasToken);
}

function inside(answer: Json | undefined, name: string): Json | undefined {
  return isObject(answer) ? answer[name] : undefined;
}

function hasToken(answer: Json | undefined): answer is JsonObject {
  return isObject(answer) && typeof answer.accessToken === 'string' && HEADER_VALUE.test(answer.accessToken);
}

/** The reason why there is no token, from the last answer of the token endpoint. */
function refusal(got: HttpResult, { mask, baseUrl }: TokenOptions): RunStopped {
  const { status = 0, body } = got;
  const answer = parseJson(body);
  const words = readComplaint(answer, undefined, mask).message;
  const said = words === undefined ? '' : mask(`: ${words}`);
  // A page instead of JSON comes from an intermediary, also with a status that would fit.
  const isPage = status !== 401 && looksLikeHtml(body ?? '');
  if (!isPage && (CREDENTIALS_REFUSED.has(status) || (isGood(status) && saysFailed(answer)))) {
    return new RunStopped(
      'credentials-refused',
      `The store does not accept this client id and client secret (${status})${said}`,
      ['Check both in the developer portal of the store; the secret must be that of this client id.'],
    );
  }
  return new RunStopped(
    'not-the-api',
    `The token endpoint did not answer like the store's API (${foreignWords(got, baseUrl)}). Is the base URL right?`,
    foreignHints(got, baseUrl),
  );
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}
