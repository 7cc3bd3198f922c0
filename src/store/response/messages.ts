import { ANSWER_TOO_COMPLEX, ANSWER_TOO_LARGE } from '../http/transport.ts';
import type { HttpResult } from '../http/types.ts';
import { type Complaint, looksLikeHtml, readComplaint } from './body.ts';
import type { ResponseReading } from './classify.ts';
import type { OtherRecord } from './echo.ts';
import { SPEAKS_TLS, speaksTls, troubleWords } from './trouble.ts';

/** Describes an answer that is not the API's: "HTML page, status 200", "empty answer, status 204". */
export function strangeAnswer({ status, body, error }: HttpResult): string {
  const place = `status ${status ?? 'none'}`;
  if (error?.code === ANSWER_TOO_LARGE) return `too large an answer, ${place}`;
  if (error?.code === ANSWER_TOO_COMPLEX)
    return `an answer that is nested too deeply, or has too many values or fields, ${place}`;
  if (error !== undefined) return `an answer that was cut off, ${place}`;
  if (body === undefined || body.trim() === '') return `empty answer, ${place}`;
  return looksLikeHtml(body) ? `HTML page, ${place}` : `an answer of another shape, ${place}`;
}

/** Describes any answer that is not the API's, also one with the status of an error or a redirect. */
export function foreignWords(exchange: HttpResult, base: string): string {
  const { status = 0, body = '' } = exchange;
  if (status >= 300 && status < 400) {
    const target = redirectTarget(exchange, base);
    return `redirect${target === undefined ? '' : ` to ${target}`}, status ${status}`;
  }
  return status >= 400 && !looksLikeHtml(body) ? `status ${status}` : strangeAnswer(exchange);
}

/** The reason for waiting on such an answer, as the end of "the store …". */
export function foreignReason(exchange: HttpResult, base: string): string {
  return `does not answer like its API does (${foreignWords(exchange, base)})`;
}

/** Hints for an answer that is not the API's. */
export function foreignHints(exchange: HttpResult, base: string): readonly string[] {
  const { status = 0, body = '' } = exchange;
  if (speaksTls(exchange, base)) return [SPEAKS_TLS];
  const isPage = looksLikeHtml(body) || (status >= 300 && status < 400);
  return isPage
    ? [
        'A network that wants a login first, such as that of a hotel, answers so: open the base URL in a browser.',
      ]
    : [];
}

/** The target of a redirect: origin and path only, since a query may repeat the secret. */
export function redirectTarget({ headers }: HttpResult, base: string): string | undefined {
  const location = headers?.location;
  const first = typeof location === 'string' ? location : location?.[0];
  if (first === undefined || !URL.canParse(first, base)) return undefined;
  const url = new URL(first, base);
  return url.origin === 'null' ? url.protocol : url.origin + url.pathname;
}

/** Describes the end of one exchange for the reports, in the store's own words if it gave a reason. */
export function explain(
  { exchange, reading }: { readonly exchange: HttpResult; readonly reading: ResponseReading },
  { baseUrl: base, mask }: { readonly baseUrl: string; readonly mask: (text: string) => string },
): Complaint {
  const { status = 0, error } = exchange;
  const complaint = status === 0 ? {} : readComplaint(reading.answer, exchange.body, mask);
  const said = complaint.message === undefined ? '' : `: ${complaint.message}`;
  const sentence: Record<ResponseReading['situation'], () => string> = {
    'not-sent': () => `The store ${troubleWords(exchange)}.`,
    unsendable: () => `The request cannot be sent: ${error?.message ?? 'it is not valid HTTP'}.`,
    unauthorized: () => `The store does not accept the access token (401)${said}`,
    'token-refused': () => `The store does not accept the access token (${status})${said}`,
    throttled: () => `The store asks for fewer requests (429)${said}`,
    unavailable: () => `The store is not available for the moment (503)${said}`,
    'no-answer': () => `The request was sent, but the store ${troubleWords(exchange)}.`,
    'server-error': () => `The store failed while it worked on the request (${status})${said}`,
    unreadable: () =>
      looksLikeHtml(exchange.body ?? '')
        ? `The request was answered (${status}), but with a web page and not by the store's API${said}`
        : `The store accepted the request, but its answer cannot be read (${strangeAnswer(exchange)}).`,
    'accepted-without-id': () =>
      `The store accepted the request (${status}), but its answer names no identifier.`,
    'other-record': () => {
      const { field, sent, got, id } = reading.echo as OtherRecord;
      return `The store accepted the request (${status}), but answered with another record: ${field} "${got}" (_id ${id}) instead of "${sent}".`;
    },
    redirect: () =>
      `The store answered with a redirect (${status}) to ${redirectTarget(exchange, base) ?? 'nowhere'}, which is not followed. Is the base URL right?`,
    refused: () => `The store refused the request (${status})${said}`,
    'refused-by-page': () =>
      `The request was refused (${status}) with a web page, as by a firewall or a web server in front of the store, and not by its API${said}`,
    'body-says-failed': () =>
      `The store refused the request (${status}, but the answer says that it failed)${said}`,
    done: () => '',
  };
  return { ...complaint, message: sentence[reading.situation]() };
}

/** "45 seconds", "15 minutes" */
export function durationWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
