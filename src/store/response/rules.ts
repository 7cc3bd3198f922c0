import type { OperationKind } from '../../model/index.ts';

/** The result of one exchange. */
export type Situation =
  /** No byte of the request was written: DNS, connection refused, TLS, connect timeout. */
  | 'not-sent'
  /** It can never be sent: not a valid HTTP request. */
  | 'unsendable'
  /** 401 */
  | 'unauthorized'
  /** 400 or 403 whose body speaks of the access token and of nothing else. */
  | 'token-refused'
  /** 429 */
  | 'throttled'
  /** 503 with Retry-After or in the API's own JSON: refused before anything happened. */
  | 'unavailable'
  /** Written, but no status followed: reset, closed, silence, not HTTP. */
  | 'no-answer'
  /** 408, 500, 502, 504, a bare 503, any other 5xx. */
  | 'server-error'
  /** 2xx whose body was cut off, too large, empty or not JSON. */
  | 'unreadable'
  /** 2xx with JSON, but no identifier in it. */
  | 'accepted-without-id'
  /** 2xx with a record that has another key than the one that was sent. */
  | 'other-record'
  /** 3xx */
  | 'redirect'
  /** Any other 4xx. */
  | 'refused'
  /** Any other 4xx with a web page as its answer, mostly from an intermediary. */
  | 'refused-by-page'
  /** 2xx with JSON that says it failed. */
  | 'body-says-failed'
  | 'done';

/**
 * The reaction to a situation. `wait`: it was certainly not applied; send again for as long as the store may be away.
 * `again`: repeating does no harm; send again a limited number of times, since the request itself may be at fault; for
 * a read, only tries while the store answers other requests count. `refresh`: get a new token, once, and send again.
 * `in-doubt`: only the store knows; never sent again.
 */
export type Action = 'done' | 'wait' | 'again' | 'refresh' | 'in-doubt' | 'rejected' | 'failed';

/** How creates that may or may not have happened are treated. */
export type InDoubtPolicy = 'hold' | 'resend';

/** The rules of delivery. Everything about sending twice or not is decided in this table. */
export const RULES: Readonly<Record<Situation, Readonly<Record<OperationKind, Action>>>> = {
  'not-sent': { create: 'wait', update: 'wait', read: 'wait' },
  unsendable: { create: 'failed', update: 'failed', read: 'failed' },
  unauthorized: { create: 'refresh', update: 'refresh', read: 'refresh' },
  'token-refused': { create: 'refresh', update: 'refresh', read: 'refresh' },
  throttled: { create: 'wait', update: 'wait', read: 'wait' },
  unavailable: { create: 'wait', update: 'wait', read: 'wait' },
  'no-answer': { create: 'in-doubt', update: 'again', read: 'again' },
  'server-error': { create: 'in-doubt', update: 'again', read: 'again' },
  unreadable: { create: 'in-doubt', update: 'again', read: 'again' },
  'accepted-without-id': { create: 'in-doubt', update: 'again', read: 'again' },
  'other-record': { create: 'in-doubt', update: 'again', read: 'again' },
  redirect: { create: 'rejected', update: 'rejected', read: 'rejected' },
  refused: { create: 'rejected', update: 'rejected', read: 'rejected' },
  'refused-by-page': { create: 'rejected', update: 'rejected', read: 'rejected' },
  'body-says-failed': { create: 'rejected', update: 'rejected', read: 'rejected' },
  done: { create: 'done', update: 'done', read: 'done' },
};

/**
 * Situations in which `--in-doubt resend` sends a create again. Those with a 2xx are left out: the store took the
 * record and only its answer was unusable, so a second one would almost certainly be a duplicate.
 */
const RESENT: ReadonlySet<Situation> = new Set(['no-answer', 'server-error']);

export function actionFor(situation: Situation, kind: OperationKind, policy: InDoubtPolicy): Action {
  const action = RULES[situation][kind];
  return action === 'in-doubt' && policy === 'resend' && RESENT.has(situation) ? 'again' : action;
}

/** Codes of unsuccessful deliveries, as written to results.csv. */
export const CODES: Readonly<Record<Exclude<Situation, 'done'>, string>> = {
  'not-sent': 'not-sent',
  unsendable: 'unsendable',
  unauthorized: 'unauthorized',
  'token-refused': 'store-refused',
  throttled: 'throttled',
  unavailable: 'unavailable',
  'no-answer': 'no-answer',
  'server-error': 'server-error',
  unreadable: 'accepted-unreadable',
  'accepted-without-id': 'accepted-unreadable',
  'other-record': 'other-record',
  redirect: 'redirected',
  refused: 'store-refused',
  'refused-by-page': 'refused-by-page',
  'body-says-failed': 'store-refused',
};
