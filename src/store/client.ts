import { RunStopped } from '../model/index.ts';
import { storeIdOf } from './auth/token-life.ts';
import { createTokenSource, type Token } from './auth/token-source.ts';
import type { StoreClient, StoreClientOptions, StoreLog } from './client-types.ts';
import { createAnswerLog } from './delivery/answer-log.ts';
import type { DeliveryParts } from './delivery/attempt.ts';
import { createBreakers } from './delivery/breakers.ts';
import { deliverOne, MAX_TRIES, THROTTLED, THROTTLED_SAY_MS } from './delivery/delivery.ts';
import { createOutage } from './delivery/outage.ts';
import { createProbe } from './delivery/probe.ts';
import { createRefusals } from './delivery/refusals.ts';
import { createRetryBudget } from './delivery/retry-budget.ts';
import { createSlots } from './delivery/semaphore.ts';
import { createSleeper } from './delivery/sleeper.ts';
import { notTheApi, otherRecords } from './delivery/stops.ts';
import { createTraffic, waitingAt } from './delivery/traffic.ts';
import { retryDelay } from './http/backoff.ts';
import { createTransport } from './http/transport.ts';
import type { HttpRequest, HttpResult } from './http/types.ts';
import { createMask } from './mask/mask.ts';
import { maskedError } from './mask/masked-error.ts';
import { createPace } from './rate/adaptive-rate.ts';
import { createRateGate } from './rate/rate-gate.ts';
import { withSharedLimit } from './rate/shared-limit.ts';
import { parseJson } from './response/body.ts';
import { createEchoWatch } from './response/echo.ts';
import { createForeignWatch } from './response/non-api-response.ts';

export type { StoreClientOptions, StoreLog } from './client-types.ts';

/** After this many unrecognised answers and no recognised one, the address is not the store's API. */
const STRANGE_ANSWERS = 5;

/** Retries for each request in flight before retries must be earned: all may fail at once, and once more. */
const RETRY_BURST = 2;

/**
 * Requests that leave at once at the beginning. Stores admit that many in a burst, and their answers tell within a round
 * trip that more may follow.
 */
const OPENING_REQUESTS = 8;
/** Only pauses of this length are logged: shorter ones are part of finding the rate. */
const LONG_PAUSE_MS = 1_000;

/** The client for one store's API. See `rules.ts` for what is sent again and what is not. */
export function createStoreClient(options: StoreClientOptions): StoreClient {
  const { concurrency, log } = options;
  const now = options.now ?? (() => performance.now());
  const wallNow = () => Date.now();
  const random = options.random ?? Math.random;
  const sleeper = createSleeper(options.sleep);
  const mask = options.mask ?? createMask([]);
  for (const secret of [options.clientSecret, ...(options.proxy?.secrets ?? [])]) mask.add(secret);

  const url = new URL(options.baseUrl);
  const transport = createTransport({
    origin: url.origin,
    concurrency,
    timeoutMs: options.timeoutMs,
    proxy: options.proxy,
    ownsProcess: options.ownsProcess,
  });
  const traffic = createTraffic();
  const answerLog = createAnswerLog();
  const pace = createPace({
    ceiling: options.rate,
    learned: options.learnedRate,
    wasFree: options.wasFree,
    onHeldBack: options.onHeldBack,
    onLowered: createRateLog(log),
  });
  // A store that is known to be slow gets no burst.
  const opening = options.learnedRate === undefined ? OPENING_REQUESTS : 0;
  const ownGate = createRateGate({ ceiling: options.rate, pace, opening, now, pause: standStill });
  const gate = withSharedLimit(ownGate, options.sharedLimit);
  /** The reason why nothing more is sent. */
  let over: RunStopped | undefined;
  /** The reason why no more records are sent; tokens can still be requested. */
  let notApi: RunStopped | undefined;

  function check(): void {
    if (over) throw over;
  }

  function stop(why: RunStopped): void {
    over ??= why;
    gate.stop();
    sleeper.wakeAll();
  }

  async function sleep(ms: number): Promise<void> {
    check();
    await sleeper.sleep(ms);
    check();
  }

  const outage = createOutage({
    giveUpAfterMs: options.giveUpAfterMs,
    now,
    sleep,
    warn: (fields, message) => log.warn(fields, mask(message)),
    onWait: options.onWait,
  });

  /** Makes all requests wait, since the store refused most of the last ones. */
  function standStill(ms: number): Promise<void> {
    if (ms >= LONG_PAUSE_MS) log.info({ reason: THROTTLED, pause_ms: Math.round(ms) }, 'All requests pause.');
    return outage.waitForAll(THROTTLED, ms, THROTTLED_SAY_MS).catch((error: RunStopped) => stop(error));
  }

  const prefix = url.pathname.replace(/\/+$/, '');

  /**
   * Sends one request outside a delivery, under the same rate limit. Its result does not change the pace. Stores limit
   * requests for tokens separately, against guesses of secrets, so slower records would not bring a token any sooner;
   * the token source backs off by itself while deliveries wait for it. During a probe nothing else is in flight that
   * could be slowed down.
   */
  async function exchangeOnce(call: HttpRequest, what: string): Promise<HttpResult> {
    check();
    const permit = await gate.permit(true);
    check();
    const sentAt = now();
    const path = prefix + call.path;
    traffic.sent(sentAt);
    const got = await transport
      .exchange({ ...call, path, expendable: true, onBegin: permit.used })
      .finally(() => traffic.answered(now()));
    permit.used();
    // The path is not logged: that of a token request contains the secret.
    const ms = Math.round(now() - sentAt);
    log.debug(() => ({ method: call.method, status: got.status, ms, error: got.error?.code }), what);
    return got;
  }

  const tokens = createTokenSource({
    baseUrl: options.baseUrl,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    userAgent: options.userAgent,
    exchange: (call) => exchangeOnce(call, call.method === 'POST' ? 'token refresh' : 'token request'),
    keepSecret: mask.addToken,
    mask,
    now,
    wallNow,
    random,
    sleep,
    outlast: outage.waitForAll,
    usable: outage.usable,
  });

  async function readWith({ headers }: Token): Promise<HttpResult> {
    const path = options.probePath ?? '/api/products?limit=1';
    const begun = parts.foreign.begun();
    const got = await exchangeOnce({ method: 'GET', path, headers }, 'probe');
    parts.foreign.saw(got, parseJson(got.body), begun);
    return got;
  }

  const probe = createProbe({
    baseUrl: options.baseUrl,
    async read() {
      checkAll();
      return readWith(await tokens.get());
    },
    askForToken: async () => tokens.renew(await tokens.get()),
    outlast: (reason, attempt, { headers }) =>
      outage.waitForAll(reason, retryDelay(attempt, headers, { wallNow, random })),
    usable: outage.usable,
  });

  let strange = 0;
  let done = 0;
  let doneAtLastFault = 0;

  function understood(exchange: HttpResult, yes: boolean): void {
    if (yes) done++;
    else if (done === 0 && ++strange >= STRANGE_ANSWERS) notTheStore(exchange);
  }

  function haveOthersSucceeded(): boolean {
    const othersGotThrough = done > doneAtLastFault;
    doneAtLastFault = done;
    return othersGotThrough;
  }

  function notTheStore(exchange: HttpResult): void {
    notApi ??= notTheApi(exchange, options.baseUrl);
  }

  // At most twice the concurrency: there the breaker would stop the run, with a less precise reason.
  const echoes = createEchoWatch(Math.min(STRANGE_ANSWERS, 2 * concurrency), (other, advice) => {
    notApi ??= otherRecords(other, advice);
  });

  const parts: DeliveryParts = {
    baseUrl: options.baseUrl,
    prefix,
    policy: options.inDoubt,
    transport,
    traffic,
    answerLog,
    tokens,
    gate,
    pace,
    slots: createSlots(concurrency),
    outage,
    budget: createRetryBudget({ burst: RETRY_BURST * concurrency, now }),
    echoes,
    foreign: createForeignWatch({
      limit: Math.min(STRANGE_ANSWERS, concurrency),
      limitAtStart: STRANGE_ANSWERS,
      notTheApi: notTheStore,
      recheck: probe,
    }),
    breakers: createBreakers({
      concurrency,
      triesOfUpdate: MAX_TRIES,
      probe,
      advice: echoes.advice,
      check: checkAll,
      onManyDoubts: options.onManyDoubts,
    }),
    probe,
    sleep,
    now,
    wallNow,
    random,
    mask,
    debug: log.debug,
    check: checkAll,
    understood,
    done: () => done,
    haveOthersSucceeded,
    isOwnRefusal: createRefusals({ read: readWith, done: () => done }),
  };

  function checkAll(): void {
    check();
    if (notApi !== undefined) throw notApi;
  }

  return {
    async authenticate() {
      const token = await tokens.get().catch((error) => {
        throw maskedError(error, mask);
      });
      const storeId = storeIdOf(token.value);
      return {
        ...(token.endsAt !== undefined && { expiresAt: token.endsAt }),
        ...(storeId !== undefined && { storeId }),
      };
    },
    deliver: (request, beforeSending) => deliverOne(parts, request, beforeSending),
    holdsSecret: mask.holds,
    learnedRate: () => pace.learned,
    isRateFound: () => pace.isFound,
    isFree: () => pace.isFree,
    freeRate: () => pace.freeRate,
    waiting: () => waitingAt(now(), outage, traffic),
    answers: answerLog.counts,
    stop,
    async close(graceMs = 0) {
      stop(new RunStopped('interrupted', 'The run was interrupted.'));
      await transport.close(graceMs);
    },
  };
}

/**
 * Logs decreases of the rate. The rate changes all the time, so only a decrease to half is logged at `info`, the others
 * at `debug`.
 */
export function createRateLog(log: StoreLog): (from: number, to: number) => void {
  let logged = Number.POSITIVE_INFINITY;
  return (from, to) => {
    const fields = { from: Number(from.toPrecision(3)), to: Number(to.toPrecision(3)) };
    const message = 'The store refused requests (429): sending fewer a second.';
    if (to > logged / 2) log.debug(() => fields, message);
    else {
      logged = to;
      log.info(fields, message);
    }
  };
}
