import { type Delivery, type OperationKind, RunStopped, type StoreRequest } from '../model/index.ts';
import { admissionOf } from './admission.ts';
import { retryDelay } from './backoff.ts';
import type { Breaker } from './breaker.ts';
import { classify, type Reading } from './classify.ts';
import type { Exchange, Transport } from './exchange.ts';
import { type ForeignWatch, isForeign } from './foreign.ts';
import type { Outage } from './outage.ts';
import type { Pace } from './pace.ts';
import type { RateGate } from './rate-gate.ts';
import { rateHints } from './rate-headers.ts';
import { type Action, actionFor, CODES, type InDoubtPolicy, type Situation } from './rules.ts';
import type { Slots } from './slots.ts';
import { tokenRefused } from './stops.ts';
import type { Token, TokenSource } from './token.ts';
import { troubleWords } from './trouble.ts';
import { explain } from './words.ts';

/** What a delivery works with; shared by all deliveries of a client. */
export interface DeliveryParts {
  /** Base URL without a `/` at the end. */
  readonly baseUrl: string;
  /** Path of the base URL, mostly empty. */
  readonly prefix: string;
  readonly policy: InDoubtPolicy;
  readonly transport: Transport;
  readonly tokens: TokenSource;
  readonly gate: RateGate;
  readonly pace: Pace;
  readonly slots: Slots;
  readonly outage: Outage;
  readonly foreign: ForeignWatch;
  readonly breakers: Readonly<Record<OperationKind, Breaker | undefined>>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly wallNow: () => number;
  readonly random: () => number;
  readonly mask: (text: string) => string;
  readonly debug: (fields: object, message: string) => void;
  /** Throws RunStopped when the client was closed. */
  readonly check: () => void;
  /** Told of every 2xx that could, or could not, be understood; throws RunStopped when none ever could. */
  readonly understood: (exchange: Exchange, yes: boolean) => void;
  /** How many requests of all deliveries the store has carried out. */
  readonly done: () => number;
  /**
   * Asked when a record was put off for as long as an outage may last: whether to give up that one, and not the run. Yes
   * only if others got through since it was last said, so that a store that is away fails one record and not all.
   */
  readonly mayBeOwnFault: () => boolean;
}

/** Attempts at what is harmless to repeat, before its record fails. With backoff they span some 15 seconds. */
export const MAX_TRIES = 6;

/**
 * A 503 that meets one record so often, while others get through in between, is its own. Many, since a busy store refuses
 * by chance, and no record may fail for load: of a store that refuses every other request, one in a million meets this.
 */
const MAX_PASSED_OVER = 20;

/** A token that was accepted before may run out again within one delivery; this often, and not for ever. */
const MAX_REFRESHES = 3;

/** A wait for a 429 is said only when it is long: short ones are how a rate is found. */
export const THROTTLED_SAY_MS = 5_000;

export const THROTTLED = 'asks for fewer requests (429)';

/** One exchange, understood and decided upon. */
interface Attempt {
  readonly exchange: Exchange;
  readonly reading: Reading;
  readonly action: Action;
  readonly token: Token;
}

/** All attempts for one request. Resolves for every HTTP outcome; rejects only with RunStopped. */
export async function deliver(parts: DeliveryParts, request: StoreRequest): Promise<Delivery> {
  const { kind } = request;
  const { outage, tokens } = parts;
  const breaker = parts.breakers[kind];
  const started = parts.now();
  let attempts = 0;
  let tries = 0;
  let waits = 0;
  // How often it was put off although others had got through since the last time, and how many had by then.
  let passedOver = 0;
  let doneBefore: number | undefined;
  let refreshes = 0;
  let refused: Token | undefined;
  // A create that was sent without an answer and goes out again, as the user wished: it may exist already.
  let doubt: Attempt | undefined;

  function end(verdict: Delivery['verdict'], attempt: Attempt): Delivery {
    return delivered(parts, verdict, attempt, attempts, parts.now() - started, kind);
  }

  outage.enter();
  try {
    for (;;) {
      if (refused !== undefined) {
        await tokens.renew(refused);
        refused = undefined;
      }
      const attempt = await attemptOnce(parts, request, attempts + 1, breaker);
      attempts++;
      const { exchange, reading, token } = attempt;
      if (reading.situation === 'unavailable') {
        const done = parts.done();
        if (doneBefore !== undefined && done > doneBefore) passedOver++;
        doneBefore = done;
      }
      const action = settledAction(attempt, refreshes, passedOver);
      if (action !== 'refresh') refreshes = 0;

      if (action === 'done' || action === 'in-doubt') return end(action, attempt);
      if (action === 'rejected' || action === 'failed') {
        return doubt === undefined
          ? end(action, attempt)
          : stillInDoubt(end('in-doubt', doubt), attempt, parts);
      }
      if (action === 'refresh') {
        refreshes++;
        if (refreshes > 1 && (!token.proven || refreshes > MAX_REFRESHES)) throw tokenRefused();
        refused = token;
      } else if (action === 'wait') {
        const delayMs = retryDelay(++waits, exchange.headers, parts.wallNow(), parts.random);
        const sayAfterMs = reading.situation === 'throttled' ? THROTTLED_SAY_MS : 0;
        try {
          await outage.wait(waitReason(attempt), delayMs, sayAfterMs);
        } catch (error) {
          const isOver = error instanceof RunStopped && error.reason === 'store-unreachable';
          const isOwnFault = isOver && reading.situation === 'unavailable' && parts.mayBeOwnFault();
          if (!isOwnFault || doubt !== undefined) throw error;
          return end('failed', attempt);
        }
      } else {
        if (kind === 'create') doubt = attempt;
        if (++tries >= MAX_TRIES) return end(kind === 'create' ? 'in-doubt' : 'failed', attempt);
        await parts.sleep(retryDelay(tries, exchange.headers, parts.wallNow(), parts.random));
      }
    }
  } catch (error) {
    // What may have happened is never reported as not sent, whatever ended the run.
    if (doubt !== undefined && error instanceof RunStopped) return end('in-doubt', doubt);
    throw error;
  } finally {
    outage.leave();
  }
}

/**
 * One record must not end the run for all others. So a refusal that only sounds like the token's end is believed once:
 * when a new token meets it too, it is the record's. And a store that is there for the others is not away.
 */
function settledAction({ reading, action }: Attempt, refreshes: number, passedOver: number): Action {
  if (reading.situation === 'token-refused' && refreshes > 0) return 'rejected';
  return passedOver >= MAX_PASSED_OVER ? 'failed' : action;
}

async function attemptOnce(
  parts: DeliveryParts,
  request: StoreRequest,
  attempt: number,
  breaker: Breaker | undefined,
): Promise<Attempt> {
  const { slots, gate, tokens } = parts;
  const slot = slots.take();
  if (slot !== undefined) await slot;
  let isTrial = false;
  try {
    parts.check();
    const native = parts.foreign.pass();
    if (native !== undefined) await native;
    const pass = breaker?.pass();
    if (pass !== undefined) isTrial = await pass;
    const permit = gate.permit();
    if (permit !== undefined) await permit;
    // Judged last of all, since the other two may have taken long.
    const token = tokens.ready() ?? (await tokens.get());
    parts.check();
    const sentAt = parts.now();
    const exchange = await parts.transport.exchange({
      method: request.method,
      path: parts.prefix + request.path,
      headers: token.headers,
      body: request.body,
    });
    const nowMs = parts.now();
    const reading = classify(exchange, request.kind, request.envelopes);
    const hints = rateHints(exchange.headers, parts.wallNow());
    parts.pace.answered({
      ...{ nowMs, sentMs: sentAt, waited: permit !== undefined },
      end: admissionOf(reading.situation, hints),
      ...hints,
    });
    gate.update();
    parts.debug(
      {
        method: request.method,
        path: request.path.includes('?') ? parts.mask(request.path) : request.path,
        status: exchange.status,
        ms: Math.round(nowMs - sentAt),
        attempt,
        situation: reading.situation,
        error: exchange.error?.code,
      },
      'attempt',
    );
    parts.foreign.saw(exchange, reading.answer);
    const action = actionFor(reading.situation, request.kind, parts.policy);
    const ended = { exchange, reading, action, token };
    learn(parts, ended, breaker);
    return ended;
  } finally {
    if (isTrial) breaker?.over();
    slots.give();
  }
}

/** What this attempt says about the store, for all deliveries. Before the slot is given to the next one. */
function learn(
  parts: DeliveryParts,
  { exchange, reading, action, token }: Attempt,
  breaker: Breaker | undefined,
): void {
  const { situation } = reading;
  if (ANSWERS.has(situation) && !isForeign(exchange)) parts.outage.usable();
  else if (situation !== 'unsendable') parts.outage.trouble();

  if (action === 'done' || action === 'rejected') breaker?.good();
  else if (action === 'in-doubt' || action === 'again') breaker?.bad();

  if (action === 'done') {
    token.proven = true;
    parts.understood(exchange, true);
  } else if (situation === 'unreadable' || situation === 'accepted-without-id') {
    parts.understood(exchange, false);
  }
}

/**
 * Situations in which the store itself decided something about the request. Not those that ask for a new token: while
 * one is waited for, late answers of that kind must not say that the wait is over.
 */
const ANSWERS: ReadonlySet<Situation> = new Set([
  'done',
  'refused',
  'refused-by-page',
  'redirect',
  'body-says-failed',
  'accepted-without-id',
  'unreadable',
]);

function delivered(
  parts: DeliveryParts,
  verdict: Delivery['verdict'],
  { exchange, reading }: Attempt,
  attempts: number,
  durationMs: number,
  kind: OperationKind,
): Delivery {
  const { situation, id, answer } = reading;
  if (verdict === 'done') {
    // Written out: the one path that every record takes.
    const httpStatus = exchange.status ?? 0;
    if (kind === 'read') return { verdict, attempts, durationMs, httpStatus, answer: answer ?? null };
    return id === undefined
      ? { verdict, attempts, durationMs, httpStatus }
      : { verdict, attempts, durationMs, httpStatus, id };
  }
  const { message, field } = explain(exchange, reading, parts.baseUrl);
  return {
    verdict,
    attempts,
    durationMs,
    ...(exchange.status !== undefined && { httpStatus: exchange.status }),
    ...(situation !== 'done' && { code: CODES[situation] }),
    ...(field !== undefined && { field: parts.mask(field) }),
    ...(message !== undefined && { message: parts.mask(message) }),
  };
}

/** Sent again after doubt, and then refused, perhaps because the first one is there: the doubt stays. */
function stillInDoubt(inDoubt: Delivery, last: Attempt, parts: DeliveryParts): Delivery {
  const refusal = parts.mask(explain(last.exchange, last.reading, parts.baseUrl).message ?? '');
  return { ...inDoubt, message: `${inDoubt.message ?? ''} Sent again, it ended so: ${refusal}` };
}

function waitReason({ exchange, reading }: Attempt): string {
  if (reading.situation === 'throttled') return THROTTLED;
  if (reading.situation === 'unavailable') return 'is not available for the moment (503)';
  return troubleWords(exchange);
}
