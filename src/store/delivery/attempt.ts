import type { BeforeSending, StoreRequest } from '../../model/index.ts';
import type { Token, TokenSource } from '../auth/token-source.ts';
import { TOO_OLD, type Transport } from '../http/transport.ts';
import type { HttpRequest, HttpResult } from '../http/types.ts';
import type { Mask } from '../mask/mask.ts';
import type { Pace } from '../rate/pace.ts';
import type { Permit, RateGate } from '../rate/rate-gate.ts';
import { rateHints } from '../rate/rate-headers.ts';
import { admissionOf } from '../response/admission.ts';
import { classify, type ResponseReading } from '../response/classify.ts';
import type { EchoWatch } from '../response/echo.ts';
import { type ForeignWatch, isForeign } from '../response/non-api-response.ts';
import { type Action, actionFor, type InDoubtPolicy, type Situation } from '../response/rules.ts';
import type { AnswerLog } from './answer-log.ts';
import type { Breaker } from './breaker.ts';
import type { Breakers } from './breakers.ts';
import type { Outage } from './outage.ts';
import type { IsOwnRefusal } from './refusals.ts';
import type { RetryBudget } from './retry-budget.ts';
import type { Slots } from './semaphore.ts';
import type { Traffic } from './traffic.ts';

/** The parts of a client that all of its deliveries share. */
export interface DeliveryParts {
  /** Base URL without a `/` at the end. */
  readonly baseUrl: string;
  /** Path of the base URL, mostly empty. */
  readonly prefix: string;
  readonly policy: InDoubtPolicy;
  readonly transport: Transport;
  readonly traffic: Traffic;
  readonly answerLog: AnswerLog;
  readonly tokens: TokenSource;
  readonly gate: RateGate;
  readonly pace: Pace;
  readonly slots: Slots;
  readonly outage: Outage;
  readonly budget: RetryBudget;
  readonly foreign: ForeignWatch;
  readonly echoes: EchoWatch;
  readonly breakers: Breakers;
  /** See `createProbe`. */
  readonly probe: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly wallNow: () => number;
  readonly random: () => number;
  readonly mask: Pick<Mask, 'holds'> & ((text: string) => string);
  /** See `StoreLog`. */
  readonly debug: (fields: () => object, message: string) => void;
  /** Throws RunStopped when the client was closed. */
  readonly check: () => void;
  /**
   * Called with every 2xx, and with true if it could be understood. If none ever could, `check` throws from the fifth
   * on.
   */
  readonly understood: (exchange: HttpResult, yes: boolean) => void;
  /** Number of requests that the store has carried out, over all deliveries. */
  readonly done: () => number;
  /**
   * Called when a record was put off for as long as an outage may last. True if others got through since the last call:
   * then that record fails, and not the run. A store that is away fails one record and not all.
   */
  readonly haveOthersSucceeded: () => boolean;
  /** See `createRefusals`. */
  readonly isOwnRefusal: IsOwnRefusal;
}

export interface AttemptOptions {
  /** Number of the attempt in its delivery, from 1. */
  readonly number: number;
  /** See `StoreClient.deliver`. */
  readonly beforeSending?: BeforeSending | undefined;
}

/** One exchange, with its classification and the action to take. */
export interface Attempt {
  readonly exchange: HttpResult;
  readonly reading: ResponseReading;
  readonly action: Action;
  readonly token: Token;
}

/**
 * Makes one attempt: waits for slot, breaker, permit and token, sends once, and passes the result to all that learn
 * from it.
 */
export async function attemptOnce(
  parts: DeliveryParts,
  request: StoreRequest,
  { number, beforeSending }: AttemptOptions,
): Promise<Attempt> {
  const { slots, gate, tokens } = parts;
  // Undefined for a kind of request that has none.
  const breaker = parts.breakers[request.kind];
  const slot = slots.take();
  if (slot !== undefined) await slot;
  let hasPassed = false;
  let isTrial = false;
  let permit: Permit | undefined;
  try {
    parts.check();
    const native = parts.foreign.pass();
    if (native !== undefined) await native;
    const pass = breaker?.pass();
    if (pass !== undefined) isTrial = await pass;
    hasPassed = true;
    const granted = gate.permit();
    permit = granted instanceof Promise ? await granted : granted;
    // Checked only now, since the waits above may have taken long.
    let token = tokens.ready();
    if (token === undefined) {
      // The permit is given back: the request for the token needs one, and at a small rate there is no other.
      permit.used();
      token = await tokens.get();
      permit = await gate.permit(true);
    }
    parts.check();
    if (beforeSending !== undefined) {
      await beforeSending();
      parts.check();
    }
    let sentAt = parts.now();
    parts.traffic.sent(sentAt);
    const begun = breaker?.begun() ?? 0;
    const nativeBegun = parts.foreign.begun();
    const call: HttpRequest = {
      method: request.method,
      path: parts.prefix + request.path,
      headers: token.headers,
      body: request.body,
      onBegin: permit.used,
      isTooOld: beforeSending?.isTooOld,
    };
    let exchange = await parts.transport.exchange(call);
    while (beforeSending !== undefined && exchange.error?.code === TOO_OLD) {
      await beforeSending();
      parts.check();
      sentAt = parts.now();
      exchange = await parts.transport.exchange(call);
    }
    const nowMs = parts.now();
    parts.traffic.answered(nowMs);
    const reading = classify(exchange, request, parts.mask.holds);
    parts.answerLog.note(nowMs - sentAt, reading.situation);
    const hints = rateHints(exchange.headers, parts.wallNow());
    // Written out: garbage of spread objects survives many collections, 1 KB a record.
    parts.pace.answered({
      nowMs,
      sentMs: sentAt,
      limited: permit.limited,
      end: admissionOf(reading.situation, hints),
      retryAfterMs: hints.retryAfterMs,
      left: hints.left,
    });
    gate.update();
    parts.debug(
      () => ({
        method: request.method,
        path: parts.mask(request.path),
        status: exchange.status,
        ms: Math.round(nowMs - sentAt),
        attempt: number,
        situation: reading.situation,
        error: exchange.error?.code,
      }),
      'attempt',
    );
    parts.foreign.saw(exchange, reading.answer, nativeBegun);
    parts.echoes.saw(reading.echo, request.about?.setting);
    const action = actionFor(reading.situation, request.kind, parts.policy);
    const ended = { exchange, reading, action, token };
    learn(parts, ended);
    if (breaker) updateBreaker(breaker, ended, begun);
    return ended;
  } finally {
    permit?.used();
    if (hasPassed) breaker?.over(isTrial);
    slots.give();
  }
}

/** Updates what all deliveries know about the store. Called before the slot is given to the next one. */
function learn(parts: DeliveryParts, { exchange, reading, action, token }: Attempt): void {
  const { situation } = reading;
  if (ANSWERS.has(situation) && !isForeign(exchange)) parts.outage.usable();
  else if (situation !== 'unsendable') parts.outage.trouble();

  if (action === 'done' || action === 'rejected') parts.budget.earn();
  if (action === 'done') {
    token.proven = true;
    parts.understood(exchange, true);
  } else if (situation === 'unreadable' || situation === 'accepted-without-id') {
    parts.understood(exchange, false);
  }
}

/** Updates the breaker of a kind of request. `begun` is its value when the attempt began. */
function updateBreaker(breaker: Breaker, { exchange, action }: Attempt, begun: number): void {
  if (action === 'done' || action === 'rejected') {
    // A web page or a redirect may come from a proxy, so it shows nothing about the store.
    if (!isForeign(exchange)) breaker.good(begun);
  } else if (action === 'in-doubt' || action === 'again') breaker.bad(action === 'in-doubt');
}

/**
 * Situations in which the store itself decided something about the request. Those that ask for a new token are left
 * out: while deliveries wait for a token, late answers of that kind must not end the wait.
 */
const ANSWERS: ReadonlySet<Situation> = new Set([
  'done',
  'refused',
  'refused-by-page',
  'redirect',
  'body-says-failed',
  'accepted-without-id',
  'unreadable',
  'other-record',
]);
