import {
  type BeforeSending,
  type Delivery,
  type OperationKind,
  RunStopped,
  type StoreRequest,
} from '../../model/index.ts';
import type { Token } from '../auth/token-source.ts';
import { retryDelay } from '../http/backoff.ts';
import { maskedError } from '../mask/masked-error.ts';
import { explain } from '../response/messages.ts';
import { type Action, CODES } from '../response/rules.ts';
import { troubleWords } from '../response/trouble.ts';
import { type Attempt, attemptOnce, type DeliveryParts } from './attempt.ts';
import { tokenRefused } from './stops.ts';

/**
 * Attempts at a request that is harmless to repeat, before its record fails. With backoff they span some 15 seconds.
 */
export const MAX_TRIES = 6;

/** A read that fails this often while the store answers others is given up: the page itself is at fault. */
const MAX_ROUNDS = 2;

/**
 * Refusals with 503 after which a record is at fault itself, if others got through in between. The number is high,
 * since a busy store refuses by chance and no record may fail for load. If a store refuses every other request, one
 * record in a million reaches it.
 */
const MAX_PASSED_OVER = 20;

/** Refreshes within one delivery of tokens that were accepted before. The limit prevents an endless loop. */
const MAX_REFRESHES = 3;

/** Wait before the retry budget is asked again; other requests may earn a retry meanwhile. */
const BUDGET_WAIT_MS = 500;

/** Only long waits for a 429 are reported: short ones are part of finding the rate. */
export const THROTTLED_SAY_MS = 5_000;

export const THROTTLED = 'asks for fewer requests (429)';

/** Makes all attempts for one request: see `StoreClient.deliver`. */
export async function deliverOne(
  parts: DeliveryParts,
  request: StoreRequest,
  beforeSending?: BeforeSending,
): Promise<Delivery> {
  const { kind } = request;
  const startedMs = parts.now();
  parts.outage.enter();
  try {
    const first = await attemptOnce(parts, request, { number: 1, beforeSending });
    // Nearly all requests end here, so nothing is allocated for more attempts.
    if (first.action === 'done')
      return delivered(parts, first, { verdict: 'done', kind, attempts: 1, startedMs });
    return await deliverFrom(parts, request, { first, startedMs, beforeSending });
  } catch (error) {
    throw maskedError(error, parts.mask);
  } finally {
    parts.outage.leave();
  }
}

interface FirstAttempt {
  readonly first: Attempt;
  readonly startedMs: number;
  readonly beforeSending: BeforeSending | undefined;
}

/** Decides what follows the first attempt, and makes the attempts after it. */
async function deliverFrom(
  parts: DeliveryParts,
  request: StoreRequest,
  { first, startedMs, beforeSending }: FirstAttempt,
): Promise<Delivery> {
  const { kind } = request;
  const { outage, tokens } = parts;
  const breaker = parts.breakers[kind];
  /** Why a further attempt was not allowed. */
  let heldBack: unknown;
  // If intents have an age, each attempt needs a new one.
  const again = beforeSending?.isTooOld
    ? noted(beforeSending, (error) => {
        heldBack = error;
      })
    : undefined;
  let attempts = 1;
  let tries = 0;
  let rounds = 0;
  let waits = 0;
  // Times it was put off although others had got through since the last time, and the number of those by then.
  let passedOver = 0;
  let doneBefore: number | undefined;
  let refreshes = 0;
  let refused: Token | undefined;
  // A create without an answer that is sent again, as the user chose: the record may exist already.
  let doubt: Attempt | undefined;

  /**
   * For a create that is not sent again, because its tries are used up, it was refused or the run ends: it may exist.
   */
  function giveUp(attempt: Attempt): Delivery {
    breaker?.gaveUp();
    return end('in-doubt', attempt);
  }

  function refuse(attempt: Attempt, verdict: 'rejected' | 'failed'): Delivery {
    return doubt === undefined ? end(verdict, attempt) : stillInDoubt(giveUp(doubt), attempt, parts);
  }

  function end(verdict: Delivery['verdict'], attempt: Attempt): Delivery {
    return delivered(parts, attempt, { verdict, kind, attempts, startedMs });
  }

  async function attemptAgain(): Promise<Attempt> {
    if (refused !== undefined) await tokens.renew(refused);
    refused = undefined;
    const attempt = await attemptOnce(parts, request, { number: attempts + 1, beforeSending: again });
    attempts++;
    return attempt;
  }

  try {
    for (let attempt = first; ; attempt = await attemptAgain()) {
      const { exchange, reading, token } = attempt;
      if (reading.situation === 'unavailable') {
        const done = parts.done();
        if (doneBefore !== undefined && done > doneBefore) passedOver++;
        doneBefore = done;
      }
      const action = settledAction(attempt, refreshes, passedOver);
      if (action !== 'refresh') refreshes = 0;

      if (action === 'done' || action === 'in-doubt') return end(action, attempt);
      if (action === 'rejected' || action === 'failed') return refuse(attempt, action);
      if (action === 'refresh') {
        refreshes++;
        if (refreshes > 1) {
          const isLast = refreshes > MAX_REFRESHES;
          // Not for reads: a list fails if any of its pages fails.
          if (kind !== 'read' && (await parts.isOwnRefusal(token, isLast)))
            return refuse({ ...attempt, reading: { ...reading, situation: 'refused' } }, 'rejected');
          if (!token.proven || isLast) throw tokenRefused();
        }
        refused = token;
      } else if (action === 'wait') {
        const delayMs = retryDelay(++waits, exchange.headers, parts);
        const sayAfterMs = reading.situation === 'throttled' ? THROTTLED_SAY_MS : 0;
        const untilBack = reading.situation === 'not-sent';
        debugAgain(parts, request, { attempt, delayMs });
        try {
          await outage.wait(waitReason(attempt), delayMs, { sayAfterMs, untilBack });
        } catch (error) {
          const isOver = error instanceof RunStopped && error.reason === 'store-unreachable';
          const isOwnFault = isOver && reading.situation === 'unavailable' && parts.haveOthersSucceeded();
          if (!isOwnFault || doubt !== undefined) throw error;
          return end('failed', attempt);
        }
      } else {
        if (kind === 'create') doubt = attempt;
        if (++tries < MAX_TRIES) {
          const delayMs = retryDelay(tries, exchange.headers, parts);
          debugAgain(parts, request, { attempt, delayMs });
          await parts.sleep(delayMs);
        } else if (kind === 'create') return giveUp(attempt);
        else if (kind === 'update') return end('failed', attempt);
        else {
          // A whole list fails with one of its pages, so attempts while the store was away do not count.
          const wasAway = await parts.probe();
          if (!wasAway && ++rounds >= MAX_ROUNDS) return end('failed', attempt);
          tries = 0;
        }
      }
      if (action !== 'refresh' && reading.situation !== 'throttled') await affordable(parts, attempt);
    }
  } catch (error) {
    // A request that may have been applied is never reported as not sent, whatever ended the run.
    if (doubt !== undefined && (error instanceof RunStopped || error === heldBack)) return giveUp(doubt);
    throw error;
  }
}

/** Does the same, and passes on the error with which it rejects. */
function noted(beforeSending: BeforeSending, onError: (error: unknown) => void): BeforeSending {
  const noting: BeforeSending = () =>
    beforeSending().catch((error: unknown) => {
      onError(error);
      throw error;
    });
  noting.isTooOld = beforeSending.isTooOld;
  return noting;
}

function debugAgain(
  parts: DeliveryParts,
  { method, path }: StoreRequest,
  { attempt, delayMs }: { readonly attempt: Attempt; readonly delayMs: number },
): void {
  parts.debug(
    () => ({
      ...{ method, path: parts.mask(path), reason: `the store ${waitReason(attempt)}` },
      situation: attempt.reading.situation,
      delay_ms: Math.round(delayMs),
    }),
    'sent again',
  );
}

/** Resolves once the retry budget allows one more. Refusals for too many requests are left to the pace. */
async function affordable({ budget, outage, random }: DeliveryParts, attempt: Attempt): Promise<void> {
  while (!budget.spend()) await outage.waitForAll(waitReason(attempt), BUDGET_WAIT_MS * (random() + 0.5));
}

/**
 * Keeps one record from ending the run for all others. A refusal that only sounds like an expired token is believed
 * once: if a new token meets it too, the record is at fault. A store that answers the others is not away.
 */
function settledAction({ reading, action }: Attempt, refreshes: number, passedOver: number): Action {
  if (reading.situation === 'token-refused' && refreshes > 0) return 'rejected';
  return passedOver >= MAX_PASSED_OVER ? 'failed' : action;
}

/** The end of a delivery, without what its last attempt says. */
interface DeliveryEnd extends Pick<Delivery, 'verdict' | 'attempts'> {
  readonly kind: OperationKind;
  readonly startedMs: number;
}

function delivered(
  parts: DeliveryParts,
  attempt: Attempt,
  { verdict, kind, attempts, startedMs }: DeliveryEnd,
): Delivery {
  const durationMs = Math.round(parts.now() - startedMs);
  const { exchange, reading } = attempt;
  const { situation, id, answer } = reading;
  if (verdict === 'done') {
    // Written out: every record takes this path.
    const httpStatus = exchange.status ?? 0;
    if (kind === 'read') {
      const answerBytes = exchange.body?.length ?? 0;
      return { verdict, attempts, durationMs, httpStatus, answer: answer ?? null, answerBytes };
    }
    return id === undefined
      ? { verdict, attempts, durationMs, httpStatus }
      : { verdict, attempts, durationMs, httpStatus, id };
  }
  const { message, field } = explain(attempt, parts);
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

/** A create that was sent again and then refused stays in doubt: the first one may be the reason for the refusal. */
function stillInDoubt(inDoubt: Delivery, last: Attempt, parts: DeliveryParts): Delivery {
  const refusal = parts.mask(explain(last, parts).message ?? '');
  return { ...inDoubt, message: `${inDoubt.message ?? ''} Sent again, it ended so: ${refusal}` };
}

function waitReason({ exchange, reading }: Attempt): string {
  const { status } = exchange;
  if (status === undefined) return troubleWords(exchange);
  if (reading.situation === 'throttled') return THROTTLED;
  if (reading.situation === 'unavailable') return 'is not available for the moment (503)';
  return status < 300 ? 'gives no answer that can be read' : `answers with status ${status}`;
}
