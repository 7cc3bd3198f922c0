import { isObject, type Json, type StoreRequest } from '../../model/index.ts';
import type { HttpResult } from '../http/types.ts';
import { findRecord, looksLikeHtml, parseJson, saysFailed, saysSucceeded } from './body.ts';
import { isOther, type OtherRecord, readEcho } from './echo.ts';
import type { Situation } from './rules.ts';
import { complainsOfToken } from './token-complaint.ts';

/** The classification of one exchange. */
export interface ResponseReading {
  readonly situation: Situation;
  /** The answer's JSON, if there is any. */
  readonly answer?: Json | undefined;
  readonly id?: string | undefined;
  /** `same` if the answer names the record that was sent; undefined if it names none. */
  readonly echo?: 'same' | OtherRecord | undefined;
}

type Request = Pick<StoreRequest, 'kind' | 'envelopes' | 'about'>;

/** True for a text with a secret. The ledger keeps identifiers as they are, so none can be one. */
type HoldsSecret = (text: string) => boolean;

/** Classifies an exchange by the facts that are certain: the socket first, then the status, then the body. */
export function classify(
  exchange: HttpResult,
  request: Request,
  holdsSecret: HoldsSecret = () => false,
): ResponseReading {
  const { status } = exchange;
  if (status === undefined) return { situation: withoutStatus(exchange) };
  if (status >= 200 && status < 300) return accepted(exchange, request, holdsSecret);
  const answer = parseJson(exchange.body);
  return { situation: byStatus(status, exchange, answer), answer };
}

function withoutStatus({ sent, error }: HttpResult): Situation {
  if (sent) return 'no-answer';
  return error?.code.startsWith('UND_ERR_INVALID_ARG') || error?.code === 'UND_ERR_NOT_SUPPORTED'
    ? 'unsendable'
    : 'not-sent';
}

function byStatus(status: number, exchange: HttpResult, answer: Json | undefined): Situation {
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 401) return 'unauthorized';
  if ((status === 400 || status === 403) && complainsOfToken(answer)) return 'token-refused';
  if (status === 429) return 'throttled';
  if (status === 503) return isFromApi(exchange, answer) ? 'unavailable' : 'server-error';
  if (status === 408 || status >= 500) return 'server-error';
  return looksLikeHtml(exchange.body ?? '') ? 'refused-by-page' : 'refused';
}

/** Texts of proxies, also inside JSON, for a request that they lost after passing it on. */
const PROXY_WORDS = /upstream (?:connect error|request timeout)|disconnect\/reset before headers/i;

/**
 * True if a 503 is the API's own refusal, or the store's front end asking to retry later: then nothing happened.
 * A bare 503 may come from a proxy that had already passed the request on and lost the answer. So a message alone is
 * not enough (gateways answer `{"message": "Service Unavailable"}`): it must have the API's `status`, or say an error.
 */
function isFromApi({ headers, body }: HttpResult, answer: Json | undefined): boolean {
  if (body !== undefined && PROXY_WORDS.test(body)) return false;
  if (headers?.['retry-after'] !== undefined) return true;
  return (
    isObject(answer) && (saysFailed(answer) || (answer.code !== undefined && answer.message !== undefined))
  );
}

function accepted({ error, body }: HttpResult, request: Request, holdsSecret: HoldsSecret): ResponseReading {
  if (error !== undefined) return { situation: 'unreadable' };
  // Nearly every answer to a write confirms it with an identifier. Then the digits of long numbers do not count.
  const quick =
    request.kind === 'read' ? undefined : byAnswer(parseJson(body, JSON.parse), request, holdsSecret);
  return quick?.situation === 'done' && quick.id !== undefined
    ? quick
    : byAnswer(parseJson(body), request, holdsSecret);
}

function byAnswer(answer: Json | undefined, request: Request, holdsSecret: HoldsSecret): ResponseReading {
  if (answer === undefined) return { situation: 'unreadable' };
  const { kind, envelopes } = request;
  const failed = saysFailed(answer);
  if (kind === 'read') return { situation: failed ? 'body-says-failed' : 'done', answer };
  const found = findRecord(answer, envelopes);
  // A failure with an identifier contradicts itself. For a create the identifier might be of a record that exists.
  if (failed) return { situation: found && kind === 'create' ? 'unreadable' : 'body-says-failed', answer };
  if (found && !holdsSecret(found.id)) {
    const echo = readEcho(found, request);
    return isOther(echo)
      ? { situation: 'other-record', answer, echo }
      : { situation: 'done', answer, id: found.id, echo };
  }
  // An update names its record itself, so an explicit success is enough.
  if (kind === 'update' && saysSucceeded(answer)) return { situation: 'done', answer };
  return { situation: 'accepted-without-id', answer };
}
