import { type Complaint, looksLikeHtml, readComplaint } from './answer.ts';
import type { Reading } from './classify.ts';
import { ANSWER_TOO_LARGE, DEADLINE, type Exchange } from './exchange.ts';

/** What went wrong on the wire, by error code, as the end of a sentence that begins with "The store". */
const TROUBLE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'could not be found: its host name is unknown',
  EAI_AGAIN: 'could not be found: the name server does not answer',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  ETIMEDOUT: 'did not answer in time',
  EHOSTUNREACH: 'could not be reached: there is no route to it',
  ENETUNREACH: 'could not be reached: there is no network',
  UND_ERR_CONNECT_TIMEOUT: 'could not be reached in time',
  UND_ERR_HEADERS_OVERFLOW: 'answered with too many headers',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'cut its answer off',
  [DEADLINE]: 'did not answer in time',
  [ANSWER_TOO_LARGE]: 'gave an answer that is too large',
  CLOSED: 'had not answered when the run was interrupted',
};

/** One clause on trouble with the network, such as "refused the connection (ECONNREFUSED)". */
export function troubleWords({ error }: Exchange): string {
  if (error === undefined) return 'gave no usable answer';
  const { code, message } = error;
  const known = TROUBLE[code];
  if (known !== undefined) return /^(?:E[A-Z_]+)$/.test(code) ? `${known} (${code})` : known;
  if (code.startsWith('HPE_')) return `did not answer in HTTP (${code})`;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return `could not be trusted: ${message} (${code})`;
  return `could not be reached: ${message === '' ? code : message}`;
}

/** "HTML page, status 200", "empty answer, status 204": what came instead of an answer of the API. */
export function strangeAnswer({ status, body, error }: Exchange): string {
  const place = `status ${status ?? 'none'}`;
  if (error?.code === ANSWER_TOO_LARGE) return `too large an answer, ${place}`;
  if (error !== undefined) return `an answer that was cut off, ${place}`;
  if (body === undefined || body.trim() === '') return `empty answer, ${place}`;
  return looksLikeHtml(body) ? `HTML page, ${place}` : `an answer of another shape, ${place}`;
}

/** Where a redirect points to: origin and path only, since a query may repeat the secret. */
export function redirectTarget({ headers }: Exchange, base: string): string | undefined {
  const location = headers?.location;
  const first = typeof location === 'string' ? location : location?.[0];
  if (first === undefined || !URL.canParse(first, base)) return undefined;
  const url = new URL(first, base);
  return url.origin === 'null' ? url.protocol : url.origin + url.pathname;
}

/** How one exchange ended, as a sentence for the reports; the store's own words where it has any. */
export function explain(exchange: Exchange, reading: Reading, base: string): Complaint {
  const { status = 0, error } = exchange;
  const complaint = status === 0 ? {} : readComplaint(reading.answer, exchange.body);
  const said = complaint.message === undefined ? '' : `: ${complaint.message}`;
  const sentence: Record<Reading['situation'], () => string> = {
    'not-sent': () => `The store ${troubleWords(exchange)}.`,
    unsendable: () => `The request cannot be sent: ${error?.message ?? 'it is not valid HTTP'}.`,
    unauthorized: () => `The store does not accept the access token (401)${said}`,
    'token-refused': () => `The store does not accept the access token (${status})${said}`,
    throttled: () => `The store asks for fewer requests (429)${said}`,
    unavailable: () => `The store is not available for the moment (503)${said}`,
    'no-answer': () => `The request was sent, but the store ${troubleWords(exchange)}.`,
    'server-error': () => `The store failed while it worked on the request (${status})${said}`,
    unreadable: () =>
      `The store accepted the request, but its answer cannot be read (${strangeAnswer(exchange)}).`,
    'accepted-without-id': () =>
      `The store accepted the request (${status}), but its answer names no identifier.`,
    redirect: () =>
      `The store answered with a redirect (${status}) to ${redirectTarget(exchange, base) ?? 'nowhere'}, which is not followed. Is the base URL right?`,
    refused: () => `The store refused the request (${status})${said}`,
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
